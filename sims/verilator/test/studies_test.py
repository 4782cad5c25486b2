"""Studies of scripts/study on small plans: what is kept, bounds, and programs whose counters are steered from their profiles."""

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


class StudyTest(unittest.TestCase):
    """`plan` has one study of one program."""

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="hauberk-test-")
        self.addCleanup(shutil.rmtree, self.folder)

    def make_plan(self, program, dram, baseline, points, bounds=()):
        self.plan = {
            "title": "One study",
            "dram": {"near": dram},
            "programs": {"one": [program]},
            "studies": [{"name": "small", "title": "Small", "source": "No paper", "note": "", "x_axis": "", "dram": "near",
                         "baseline": baseline, "programs": "one", "points": points}],
            **({"bounds": list(bounds)} if bounds else {}),
        }

    def study(self, *arguments):
        # JSON is YAML
        path = os.path.join(self.folder, "plan.yml")
        with open(path, "w") as file:
            json.dump(self.plan, file)
        return subprocess.run([os.path.join(TOP, "scripts", "study"), "run", path, "--out", os.path.join(self.folder, "studies"), *arguments],
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def load(self, *path):
        with open(os.path.join(self.folder, "studies", *path)) as file:
            return json.load(file)


class Studies(StudyTest):
    def setUp(self):
        super().setUp()
        self.make_plan("bitcount", {"latency": 20, "beat": 1}, "BaselineRocketConfig", [{"series": "pads", "config": "AegisOtpRocketConfig"}],
                       [{"figure": "pads", "study": "small", "series": "pads", "at_most": 10.0}])

    def test_what_was_measured_is_not_measured_again(self):
        done = self.study()
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn("2 of 2 runs went well, 0 kept", done.stdout)
        point = self.load("small.json")["points"][0]
        run, = point["programs"]
        self.assertGreater(run["cycles"], run["baseline_cycles"])
        self.assertAlmostEqual(point["mean_slowdown"], run["cycles"] / run["baseline_cycles"] - 1)
        self.assertGreater(run["metadata_blocks"], 0)
        self.assertEqual(run["dram_check"], "pass")
        self.assertTrue(self.load("bounds.json")[0]["met"])

        self.plan["bounds"][0]["at_most"] = 0.0
        done = self.study()
        self.assertNotEqual(done.returncode, 0, "a figure that misses its bound must fail")
        self.assertIn("2 of 2 runs went well, 2 kept", done.stdout)

    def test_an_unknown_study_names_the_known(self):
        done = self.study("--studies", "large")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("no study large: choose among small", done.stdout)


class SteeredStudy(StudyTest):
    def setUp(self):
        super().setUp()
        self.points = [{"series": "steered", "config": STEERED, "hints": HINTS}]
        self.make_plan("crc-small", {"latency": 12, "beat": 1, "bus": 4, "write_queue": 8, "noise": 0}, "EmbeddedRocketConfig", self.points)

    def test_hints_are_right_on_the_hardware(self):
        done = self.study()
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
        done = self.study("--list")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("two points want other hints for crc-small", done.stdout)


if __name__ == "__main__":
    unittest.main()
