"""Sweeps: plans that are refused, six runs on this machine interrupted at any time, and the same through SLURM."""

import json
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest

TOP = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
sys.dont_write_bytecode = True
sys.path[:0] = [os.path.dirname(__file__), os.path.join(TOP, "scripts")]
import loopback_slurm
from simulation import THOROUGH

STUDY = [os.path.join(TOP, "scripts", "study"), "run"]
PLAN = """title: Six runs
baseline: BaselineRocketConfig
configs: [AegisOtpRocketConfig]
programs: [strsearch, bitcount, crc32]
dram: {near: {latency: 3, beat: 1}}
"""
RUNS = [f"runs/near/{config}/{program}" for config in ("BaselineRocketConfig", "AegisOtpRocketConfig") for program in ("strsearch", "bitcount", "crc32")]


class SweepTest(unittest.TestCase):
    def setUp(self):
        made = tempfile.TemporaryDirectory(prefix="hauberk-sweep-")
        self.addCleanup(made.cleanup)
        self.folder = made.name
        self.out = os.path.join(self.folder, "out")

    def write(self, text):
        path = os.path.join(self.folder, "plan.yml")
        with open(path, "w") as file:
            file.write(text)
        return path

    def command(self, plan=PLAN, *arguments):
        return [*STUDY, self.write(plan), "--out", self.out, *arguments]

    def sweep(self, plan=PLAN, *arguments, environment=None):
        return subprocess.run(self.command(plan, *arguments), env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True)

    def finished(self):
        """{run: when its simulation ended}, of the runs that were checked"""
        found = {}
        for run in RUNS:
            record = os.path.join(self.out, run, "run.json")
            if os.path.exists(os.path.join(self.out, run, "check.json")) and os.path.exists(record):
                found[run] = os.stat(record).st_mtime_ns
        return found

    def recorded(self):
        """Those of `finished` of which Snakemake knows: on a cluster it hears of a run seconds after its end."""
        try:
            with open(os.path.join(self.out, "logs", "snakemake-runs.log")) as file:
                log = file.read()
        except OSError:
            return {}
        runs = {job: run for run, job in re.findall(r"rule check:\n.*?output: (\S+)/check\.json\n.*?jobid: (\d+)\n", log, re.DOTALL)}
        known = {runs[job] for job in re.findall(r"Finished jobid: (\d+) \(Rule: check\)", log)}
        return {run: when for run, when in self.finished().items() if run in known}

    def check_report(self):
        with open(os.path.join(self.out, "summary.json")) as file:
            summary = json.load(file)
        self.assertEqual(summary["missing"], [])
        point, = summary["points"]
        self.assertEqual(point["claims"], ["confidentiality"])
        self.assertEqual(set(point["slowdown"]), {"strsearch", "bitcount", "crc32"})
        self.assertAlmostEqual(point["metadata_share"], 1 / 16)
        for name in ("index.html", "summary.md", "slowdown-near.svg", "pareto-metadata-share-near.svg"):
            self.assertTrue(os.path.getsize(os.path.join(self.out, name)) > 0, name)
        return point


class Plans(SweepTest):
    def refused(self, plan, *texts):
        done = self.sweep(plan)
        self.assertNotEqual(done.returncode, 0, done.stdout)
        for text in texts:
            self.assertIn(text, done.stdout)
        self.assertFalse(os.path.exists(self.out), "nothing is made for a plan that is refused")
        self.assertNotIn("Traceback", done.stdout)

    def test_everything_wrong_is_said_at_once_with_its_line(self):
        self.refused("""baseline: BaselineRocketConfig
configs: [NoSuchConfig]
fragments:
  - [WithFoo, WithCounterCache-1024]
programs: [crc33]
dram:
  slow: {latency: 0, beet: 1}
""", "plan.yml:2: unknown configuration NoSuchConfig; known: ", " AegisHashTreeRocketConfig, ", "plan.yml:4: unknown fragment WithFoo; known: ",
                     "plan.yml:4: WithCounterCache-1024: WithCounterCache takes 2 whole numbers", "plan.yml:5: there is no program crc33 (is it crc32?)",
                     "plan.yml:7: latency is 0: it must be at least 3", "plan.yml:7: the DRAM timing slow has no beet (is it beat?)")

    def test_fields(self):
        self.refused("baseline: BaselineRocketConfig\nprogram: [crc32]\n", "plan.yml:2: a plan has no program (is it programs?)",
                     "configs is missing", "programs is missing")
        self.refused(PLAN + "programs: [crc32]\n", "plan.yml:6: programs stands here twice")
        self.refused(PLAN.replace("[strsearch, bitcount, crc32]", "crc32"), "plan.yml:4: programs must be a list")
        self.refused(PLAN.replace("latency: 3", "latency: fast"), "plan.yml:5: latency must be a whole number")
        self.refused(PLAN + "area: maybe\n", "plan.yml:6: area is maybe: it must be true or false")
        self.refused(PLAN + "firesim: [nowhere.json]\n", "plan.yml:6: there is no file")
        self.refused("", "is empty")
        self.refused("title: [", "is not YAML")

    def test_the_same_point_twice(self):
        self.refused(PLAN.replace("[AegisOtpRocketConfig]", "[AegisOtpRocketConfig, AegisOtpRocketConfig]"), "plan.yml:3: two points of the sweep are the same")

    def test_no_file(self):
        done = subprocess.run([*STUDY, "nowhere.yml", "--out", self.out], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.assertIn("cannot read the plan nowhere.yml", done.stdout)
        self.assertNotEqual(done.returncode, 0)


class Local(SweepTest):
    def killed(self, until):
        """Starts the sweep and kills all of it when `until` says so; whether it ended before."""
        child = subprocess.Popen(self.command(), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        while child.poll() is None and not until():
            time.sleep(0.05)
        ended = child.poll() is not None
        if not ended:
            os.killpg(child.pid, signal.SIGKILL)
            child.wait()
        return ended

    def test_no_run_is_made_twice_however_often_the_sweep_is_killed(self):
        made = {}
        for wanted in (1, 3, 4):
            late = time.monotonic() + 1200
            self.assertFalse(self.killed(lambda: len(self.finished()) >= wanted or time.monotonic() > late), "it ended too early to be killed")
            time.sleep(random.random())
            for run, when in self.finished().items():
                self.assertEqual(made.setdefault(run, when), when, f"{run} was made twice")
        kept = len(made)
        self.assertGreaterEqual(kept, 4)
        done = self.sweep()
        self.assertEqual(done.returncode, 0, done.stdout)
        after = self.finished()
        self.assertEqual(len(after), 6)
        for run, when in made.items():
            self.assertEqual(after[run], when, f"{run} was made twice")
        self.assertIn("6 of 6 runs went well", done.stdout)
        self.check_report()

        self.kept_all(after)
        self.leave_part_of_an_image(RUNS[0])
        self.kept_all(after)

    def kept_all(self, before):
        done = self.sweep()
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertEqual(self.finished(), before)
        self.assertIn("6 kept from before", done.stdout)

    def leave_part_of_an_image(self, run):
        """As if the sweep had been killed while it removed the image: a folder that is new, with one old file."""
        left = os.path.join(self.out, run, "image", "image.bin")
        os.makedirs(os.path.dirname(left), exist_ok=True)
        with open(left, "w"):
            pass
        old = os.stat(os.path.join(self.out, run, "run.json")).st_mtime - 1
        os.utime(left, (old, old))

    def test_a_run_that_fails_is_named_and_leaves_the_others(self):
        # The protected SoC zeroes its memory first, and does not end in time
        done = self.sweep(PLAN.replace("strsearch, bitcount, crc32", "radix"), "--max-cycles", "950000")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("failed: runs/near/AegisOtpRocketConfig/radix\n", done.stdout)
        self.assertIn("simulation.log ends with", done.stdout)
        self.assertTrue(os.path.exists(os.path.join(self.out, "runs/near/BaselineRocketConfig/radix/check.json")))
        with open(os.path.join(self.out, "summary.json")) as file:
            self.assertEqual(json.load(file)["missing"], ["near/AegisOtpRocketConfig/radix"])


@unittest.skipUnless(THOROUGH, "make test-thorough has it")
@unittest.skipIf(loopback_slurm.missing(), "SLURM is not installed: scripts/setup test")
class Slurm(SweepTest):
    def setUp(self):
        super().setUp()
        folder = os.path.join(self.folder, "slurm")
        os.mkdir(folder)
        self.slurm = loopback_slurm.LoopbackSlurm(folder)
        self.addCleanup(self.slurm.stop)
        self.slurm.start()

    def test_the_same_sweep_through_slurm_whose_node_is_lost_on_the_way(self):
        # There is no accounting here, and nobody wants to wait
        command = self.command(PLAN, "--executor", "slurm", "--snakemake", "--slurm-status-command", "squeue", "--seconds-between-status-checks", "2",
                               "--slurm-init-seconds-before-status-checks", "2")
        with open(os.path.join(self.folder, "printed"), "w+") as printed:
            child = subprocess.Popen(command, env=self.slurm.environment, stdin=subprocess.DEVNULL, stdout=printed, stderr=subprocess.STDOUT)
            self.addCleanup(child.kill)
            while child.poll() is None and not self.recorded():
                time.sleep(0.2)
            before = self.recorded()
            self.slurm.lose_node()
            self.slurm.wait(lambda: "down" in self.slurm.node_state(), "the controller does not notice that the node is lost")
            self.slurm.start_node()
            child.wait()
            printed.seek(0)
            said = printed.read()
        self.assertEqual(child.returncode, 0, said)
        self.assertIn("6 of 6 runs went well, 0 kept", said)
        after = self.finished()
        self.assertEqual({run: after[run] for run in before}, before, "a run was made twice")
        self.check_report()


if __name__ == "__main__":
    unittest.main()
