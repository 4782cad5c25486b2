"""A program whose counters are steered, from its profile to a checked run on a whole SoC (scripts/papers on a small plan)."""

import json
import os
import shutil
import subprocess
import tempfile
import unittest

TOP = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "..", ".."))
STEERED = "WithLastPairs-64_EmbeddedSteeredRocketConfig"
HINTS = ["--registers", "8", "--ids", "32", "--last-pairs", "64"]

# Runs here are short: what counts is how fast a simulator is built.
os.environ.setdefault("SIM_OPT", "-O1")


class SteeredStudy(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="hauberk-test-")
        self.addCleanup(shutil.rmtree, self.folder)
        self.points = [{"series": "steered", "config": STEERED, "hints": HINTS}]

    def papers(self, *arguments):
        plan = {
            "title": "One study",
            "dram": {"near": {"latency": 12, "beat": 1, "bus": 4, "write_queue": 8, "noise": 0}},
            "programs": {"one": ["crc-small"]},
            "studies": [{"name": "small", "title": "Small", "source": "No paper", "note": "", "x_axis": "", "dram": "near",
                         "baseline": "EmbeddedRocketConfig", "programs": "one", "points": self.points}],
            "bounds": [],
        }
        path = os.path.join(self.folder, "plan.json")
        with open(path, "w") as file:
            json.dump(plan, file)
        return subprocess.run([os.path.join(TOP, "scripts", "papers"), "--plan", path, "--out", os.path.join(self.folder, "studies"), *arguments],
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def load(self, *path):
        with open(os.path.join(self.folder, "studies", *path)) as file:
            return json.load(file)

    def test_hints_are_right_on_the_hardware(self):
        done = self.papers()
        self.assertEqual(done.returncode, 0, done.stdout)
        protector = self.load("runs", "near", STEERED, "crc-small", "run.json")["protector"]
        loads = self.load("steered", STEERED, "crc-small.json")["loads"]
        self.assertGreater(protector["steered_writes"], 500)
        self.assertEqual(protector["ignored_hints"], 0)
        # Outside of the profile's loads are those of the start, and words that are written in part
        self.assertGreater(protector["right_pads"], loads["right"] + loads["rightWithoutHint"])
        self.assertLess(protector["wrong_pads"], loads["total"] // 20)
        run, = self.load("small.json")["points"][0]["programs"]
        self.assertEqual(run["dram_check"], "pass")
        self.assertLess(run["cycles"], 1.2 * run["baseline_cycles"])

    def test_two_hints_for_one_run_are_refused(self):
        self.points.append({"series": "more", "config": STEERED, "hints": [*HINTS[:-1], "128"]})
        done = self.papers("--list")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("wants other hints for crc-small", done.stdout)


if __name__ == "__main__":
    unittest.main()
