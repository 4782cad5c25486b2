"""The report of studies of papers on a folder of invented runs."""

import json
import os
import statistics
import unittest

from invented import StudyTest

# Cycles by DRAM, configuration and program. Ratios of pads are 4 and 1, so the geometric mean is 2
CYCLES = {("near", "PlainConfig"): [1000, 2000], ("near", "PadsConfig"): [4000, 2000], ("near", "DirectConfig"): [1500, 3000],
          ("far", "PlainConfig"): [2000, 4000], ("far", "PadsConfig"): [3000, 6000]}


def plan():
    common = {"dram": "near", "baseline": "PlainConfig", "programs": "all"}
    return {
        "title": "Two studies", "dram": {"near": {"latency": 20, "beat": 1}, "far": {"latency": 100, "beat": 1}}, "programs": {"all": ["crc32", "fft"]},
        "studies": [
            {"name": "schemes", "title": "Schemes", "source": "Figure 1", "note": "Invented.", **common, "points": [
                {"series": "pads", "config": "PadsConfig", "paper": {"mean": 0.0128, "note": "of 11"}},
                {"series": "direct", "config": "DirectConfig", "paper": {"worst": 0.32}}]},
            {"name": "latency", "title": "Latency", "source": "Figure 2", "x_axis": "latency", **common, "points": [
                {"series": "pads", "x": "20", "config": "PadsConfig"}, {"series": "pads", "x": "100", "config": "PadsConfig", "dram": "far"}]}],
        "bounds": [{"figure": "pads in the mean", "study": "schemes", "series": "pads", "at_most": 1.0}]}


class Slowdown(StudyTest):
    def setUp(self):
        super().setUp()
        self.content = plan()
        for (dram, config), counts in CYCLES.items():
            guarded = config != "PlainConfig"
            traffic = {"latency": self.content["dram"][dram]["latency"], "cycles_per_beat": 1, "data_reads": 30, "data_writes": 10,
                       "metadata_reads": 3 if guarded else 0, "metadata_writes": 1 if guarded else 0}
            for program, cycles in zip(("crc32", "fft"), counts):
                self.invent(f"{dram}/{config}/{program}", config, program, f"checksum 0\ncycles {cycles}\ninstret 700\n", guarded, dram=traffic)

    def reported(self, *arguments):
        # JSON is YAML
        return self.report(self.write("plan.yml", json.dumps(self.content, indent=1)), *arguments)

    def test_good_runs_leave_a_record_and_a_plot_of_each_study_the_tables_and_the_bounds(self):
        code, printed, errors = self.reported()
        self.assertEqual((code, errors), (0, ""))
        pads, direct = self.load("out/schemes.json")["points"]
        self.assertAlmostEqual(pads["mean_slowdown"], 1)
        self.assertAlmostEqual(direct["mean_slowdown"], 0.5)
        self.assertEqual((pads["worst_program"], pads["worst_slowdown"], pads["counter_hit_rate"]), ("crc32", 3, 0.9))
        self.assertEqual((pads["metadata_per_data_block"], pads["initialisation_cycles"]), (0.1, 614400))
        self.assertEqual(pads["paper"], {"mean": 0.0128, "worst": None, "note": "of 11"})
        self.assertEqual([run["slowdown"] for run in pads["programs"]], [3, 0])
        sweep = self.load("out/latency.json")["points"]
        self.assertEqual([point["x"] for point in sweep], ["20", "100"])
        self.assertAlmostEqual(sweep[1]["mean_slowdown"], 0.5)
        text = self.read("out/summary.md")
        self.assertTrue(text.startswith("# Two studies\n\n| figure "))
        row = next(line for line in text.splitlines() if line.startswith("| pads  "))
        for cell in ("+100.00 %", "crc32 +300.00 %", "90.0 %", "0.100", "mean +1.28 %; of 11"):
            self.assertIn(cell, row)
        self.assertIn(self.read("out/schemes.md"), text)
        self.assertRegex(text, r"\| PadsConfig +\| +far \| +614,400 \|")
        self.assertIn("worst +32.00 %", text)
        self.assertIn("| fft ", text)
        self.assertIn("pads in the mean", printed)
        bound, = self.load("out/bounds.json")
        self.assertTrue(bound["met"])
        self.assertEqual(bound["at_most"], 1)
        self.assertAlmostEqual(bound["measured"], 1)
        for study in ("schemes", "latency"):
            self.assertIn("fill: #d55e00", self.read(f"out/{study}.svg"))

    def test_traffic_of_a_shared_bus(self):
        for config, used in (("PlainConfig", 100), ("PadsConfig", 150), ("DirectConfig", 100)):
            for program in ("crc32", "fft"):
                self.change(f"out/runs/near/{config}/{program}/run.json", bus={"secured": True, "used": used, "authentications": 1, "alarm": False})
        self.content["bounds"][0].update(of="bus traffic", at_most=0.4)
        self.assert_fails(self.reported(), "pads in the mean misses its bound")
        self.assertRegex(self.read("out/schemes.md"), r"\| pads .*\+50\.00 %")

    def test_repeated_runs_show_mean_and_interval(self):
        for seed, cycles in ((1, 1100), (2, 1200)):
            for config, count in (("PlainConfig", 1000), ("PadsConfig", cycles), ("DirectConfig", 1000)):
                for program in ("crc32", "fft"):
                    dram = {"latency": 20, "cycles_per_beat": 1, "jitter": seed}
                    self.invent(f"near/{config}/{program}-jitter{seed}", config, program, f"cycles {count}\ninstret 1\n", config != "PlainConfig", dram=dram)
        self.content["studies"] = self.content["studies"][:1]
        self.content["studies"][0]["runs"] = 3
        code, _, errors = self.reported()
        self.assertEqual(code, 0, errors)
        pads = self.load("out/schemes.json")["points"][0]
        # Means of the seeds are 1, 0.1 and 0.2
        self.assertAlmostEqual(pads["mean_slowdown"], 1.3 / 3)
        self.assertAlmostEqual(pads["mean_interval"], 4.30 * statistics.stdev([1, 0.1, 0.2]) / 3 ** 0.5)
        self.assertRegex(self.read("out/schemes.md"), r"\| pads .*\+43\.33 % ± 122\.46 % \|")
        self.remove("out/runs/near/PadsConfig/fft-jitter2/run.json")
        self.assert_fails(self.reported(), "fft on PadsConfig did not run with the DRAM near")

    def test_only_the_studies_asked_for(self):
        self.assertEqual(self.reported("--studies", "latency")[0], 0)
        self.assertTrue(os.path.exists(os.path.join(self.out, "latency.json")))
        self.assertFalse(os.path.exists(os.path.join(self.out, "schemes.json")))
        self.assertEqual(self.load("out/bounds.json"), [])

    def test_a_plan_without_bounds_has_no_table_of_them(self):
        del self.content["bounds"]
        self.assertEqual(self.reported()[0], 0)
        self.assertTrue(self.read("out/summary.md").startswith("# Two studies\n\n## Schemes"))

    def test_a_bound_that_is_missed(self):
        self.content["bounds"][0]["at_most"] = 0.99
        self.assert_fails(self.reported(), "pads in the mean misses its bound")

    def test_a_run_that_is_missing(self):
        self.remove("out/runs/far/PadsConfig/fft/run.json")
        self.assert_fails(self.reported(), "fft on PadsConfig did not run with the DRAM far")

    def test_a_run_that_was_not_checked(self):
        self.remove("out/runs/near/DirectConfig/crc32/check.json")
        self.assert_fails(self.reported(), "crc32 on DirectConfig has the DRAM check 'fail: not checked'")

    def test_a_run_with_another_memory(self):
        self.change("out/runs/near/PadsConfig/fft/run.json", dram__latency=21)
        self.assert_fails(self.reported(), "fft on PadsConfig had another DRAM timing than on PlainConfig")

    def test_without_any_run_there_are_question_marks_not_figures(self):
        for program in ("crc32", "fft"):
            self.remove(f"out/runs/near/PlainConfig/{program}/run.json")
        self.assertEqual(self.reported()[0], 1)
        self.assertFalse(self.load("out/bounds.json")[0]["met"])
        self.assertIsNone(self.load("out/schemes.json")["points"][0]["mean_slowdown"])
        self.assertRegex(self.read("out/schemes.md"), r"\| pads +\| +\? \| +\? \|")

    def test_bad_input(self):
        self.assert_refused(self.reported("--studies", "figure"), "there is no study figure: choose among schemes, latency")
        self.content["studies"][1]["name"] = "schemes"
        self.assert_refused(self.reported(), "two studies are called schemes")
        self.content = plan()
        self.content["bounds"][0]["series"] = "hash tree"
        self.assert_refused(self.reported(), "the bound is of hash tree in the study schemes, which has no such point")
        self.content = plan()
        self.content["studies"][0]["programs"] = "few"
        self.assert_refused(self.reported(), "there is no list of programs few")
        self.content = plan()
        self.content["bounds"][0]["at_most"] = "little"
        self.assert_refused(self.reported(), "at_most must be a number")


if __name__ == "__main__":
    unittest.main()
