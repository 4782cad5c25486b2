"""Plans of studies: what is wrong is refused with its line. Sweeps, and names that the generator knows, are in tests/workflow/sweep_test.py."""

import glob
import os
import unittest

from hauberk.study import collection, place, plan_file, plan_parts, verb
from hauberk.study.errors import StudyError
from invented import StudyTest

PLAN = """title: Two
dram: {near: {latency: 3, beat: 1}, far: {latency: 80, noise: 0}}
programs: {short: [crc32, coherence-5000]}
studies:
  - name: one
    baseline: BaselineRocketConfig
    programs: short
    points:
      - {series: a, config: XomRocketConfig}
      - {series: b, x: "2", config: XomRocketConfig, dram: far, baseline: XtsRocketConfig, paper: {mean: 0.1}}
"""


class Plans(StudyTest):
    def plan(self, text=PLAN):
        return plan_file.read(self.write("plan.yml", text), names=False)

    def refused(self, text, *sentences):
        with self.assertRaises(StudyError) as caught:
            self.plan(text)
        self.assertEqual([line.split("plan.yml", 1)[1] for line in str(caught.exception).splitlines()], list(sentences))

    def test_points_take_what_their_study_has(self):
        study, = self.plan().studies
        first, second = study.points
        self.assertEqual((study.kind, study.programs, first.dram, first.baseline), ("slowdown", ("crc32", "coherence-5000"), "near", "BaselineRocketConfig"))
        self.assertEqual((second.dram, second.baseline, second.label, second.paper.mean), ("far", "XtsRocketConfig", "b, 2", 0.1))
        self.assertEqual(self.plan().dram["near"], {"latency": 3, "beat": 1, "write_queue": 0, "bus": 8, "noise": None})

    def test_a_run_that_several_points_need_is_made_once(self):
        self.assertEqual(len(collection.wanted(self.plan())), 8)
        again = PLAN.replace("series: b", "series: c").replace(", dram: far, baseline: XtsRocketConfig", "")
        self.assertEqual(len(collection.wanted(self.plan(again))), 4)

    def test_everything_wrong_is_said_at_once(self):
        self.refused(
            """title: x
studies:
  - {name: a, programs: [crc33], kind: slow, points: [{series: a, conf: X}], dram: nowhere}
  - {name: b c, programs: [crc32]}
  - {name: d}
bound: 3
""",
            ":3: a point has no conf (is it config?): it may have series, x, config, dram, baseline, hints, sealed, paper", ":3: config is missing",
            ":3: kind is slow (is it slowdown?): it must be slowdown or demo or sweep or linux or fetch or steering",
            ":3: there is no DRAM timing nowhere: it must be default",
            ":3: there is no program crc33 (is it crc32?): choose among " + ", ".join(plan_parts.known_programs()),
            ":4: b c names files of results: use letters, digits and -", ":4: the study b c needs either points or configs", ":5: programs is missing",
            ":6: a plan has no bound (is it bounds?): it may have title, command, dram, programs, studies, bounds, payload, max_cycles")

    def test_what_is_no_plan(self):
        self.refused("- a\n", ":1: a plan must be a list of `name: value`")
        self.refused("? [a]\n: b\nstudies: 3\n", ":1: a name in a plan must be one word", ":1: title is missing", ":3: studies must be a list, such as [a, b]")
        self.refused(PLAN + "bounds: 3\n", ":11: bounds must be a list, such as [a, b]")
        self.refused(PLAN.replace("mean: 0.1", "mean: much"), ":10: mean must be a number, such as 0.02")
        self.refused(PLAN.replace("programs: short", "programs: shirt"),
                     ":7: there is no list of programs shirt (is it short?): it must be short or single or multicore")

    def test_repeated_runs(self):
        plan = self.plan(PLAN.replace("    baseline: BaselineRocketConfig\n", "    baseline: BaselineRocketConfig\n    runs: 3\n"))
        wanted = collection.wanted(plan)
        self.assertEqual(len(wanted), 24)
        self.assertIn("runs/near/XomRocketConfig/coherence-5000-jitter2", [one.folder for one in wanted])
        runs = verb.runs_of(plan, None)
        self.assertEqual(len({run["folder"] for run in runs}), 24)
        self.assertEqual([run["sim_flags"][-2:] for run in runs if run["folder"].endswith("crc32-jitter1")][0], ["--dram-jitter", "1"])
        self.refused(PLAN.replace("    programs: short\n", "    programs: short\n    runs: 11\n"), ":8: runs is of studies of kind slowdown, and at most 10")

    def test_every_plan_of_the_tree_is_read(self):
        self.assertGreater(len(place.plans()), 10)
        for path in place.plans():
            with self.subTest(path):
                self.assertTrue(collection.wanted(plan_file.read(path, names=False)))

    def test_a_figure_has_one_study(self):
        names = [study.name for path in place.plans() for study in plan_file.read(path, names=False).studies]
        self.assertEqual(len(names), len(set(names)))

    def test_the_examples_of_the_docs_are_plans(self):
        with open(os.path.join(place.TOP, "docs", "sweeps.md")) as file:
            blocks = file.read().split("```yaml\n")[1:]
        self.assertEqual(len(blocks), 2)
        for block in blocks:
            self.plan(block.split("```")[0])
        with open(glob.glob(os.path.join(place.TOP, "bench", "sweeps", "example.yml"))[0]) as file:
            self.assertIn(blocks[0].split("```")[0], file.read())


if __name__ == "__main__":
    unittest.main()
