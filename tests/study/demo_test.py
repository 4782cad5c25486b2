"""The report of a demo on a folder of invented runs."""

import unittest

from hauberk.study.kinds import demo
from invented import StudyTest

CONFIGS = ["BaselineRocketConfig", "XomRocketConfig", "AegisOtpRocketConfig"]
CYCLES = {"crc32": [1000, 1500, 1250], "fft": [2000, 3000, 2500]}
PLAN = """title: What protection costs
studies:
  - {name: demo, kind: demo, baseline: BaselineRocketConfig, configs: [XomRocketConfig, AegisOtpRocketConfig], programs: [crc32, fft]}
"""
TRAFFIC = {"data_reads": 11, "data_writes": 12, "metadata_reads": 13, "metadata_writes": 14}


class Demo(StudyTest):
    def setUp(self):
        super().setUp()
        self.plan = self.write("plan.yml", PLAN)
        for program, counts in CYCLES.items():
            for config, cycles in zip(CONFIGS, counts):
                self.invent(f"default/{config}/{program}", config, program, f"checksum 0\ncycles {cycles}\ninstret 700\n", config != CONFIGS[0], dram=TRAFFIC)

    def of(self, config, program, name):
        return f"out/runs/default/{config}/{program}/{name}"

    def test_good_runs_leave_a_list_a_table_and_a_plot(self):
        code, printed, errors = self.report(self.plan)
        self.assertEqual((code, errors), (0, ""))
        found = self.load("out/summary.json")
        self.assertEqual([(run["program"], run["config"]) for run in found], [(program, config) for program in CYCLES for config in CONFIGS])
        self.assertEqual([run["overhead"] for run in found], [0, 0.5, 0.25] * 2)
        self.assertEqual((found[1]["cycles"], found[1]["instret"], found[1]["dram"]), (1500, 700, TRAFFIC))
        self.assertEqual(found[1]["counter_cache"], {"hits": 90, "misses": 10})
        self.assertEqual((found[0]["plaintext_words_in_dram"], found[1]["dram_check"]), (77, "pass"))
        text = self.read("out/summary.md")
        self.assertRegex(text, r"geometric mean +\| +\| +\+50\.0 % \| +\+25\.0 %")
        self.assertIn("6 of 6 DRAM dumps", text)
        self.assertIn("4 of 4 dumps of protected memory", printed)
        self.assertIn("80 cycles to the first beat, 5 cycles per beat, at most 8 reads and 8 writes in flight.", text)
        self.assertIn("<svg", self.read("out/overhead.svg"))

    def test_bars_are_as_high_as_their_overheads(self):
        heights = {}
        original = demo.plots.bars
        self.addCleanup(setattr, demo.plots, "bars", original)
        demo.plots.bars = lambda title, x, y, groups, series: heights.update(dict(series), groups=groups) or original(title, x, y, groups, series)
        self.report(self.plan)
        self.assertEqual(heights["groups"], ["crc32", "fft", "geometric mean"])
        for name, height in (("Xom", 50), ("AegisOtp", 25)):
            for bar in heights[name]:
                self.assertAlmostEqual(bar, height)

    def test_the_same_numbers_draw_the_same_bytes(self):
        self.report(self.plan)
        first = self.read("out/overhead.svg")
        self.report(self.plan)
        self.assertEqual(self.read("out/overhead.svg"), first)

    def test_the_geometric_mean_is_that_of_the_ratios(self):
        for program in CYCLES:
            self.write(self.of(CONFIGS[1], program, "uart.log"), "cycles 4000\ninstret 1\n")  # ratios 4 and 2
        self.report(self.plan)
        self.assertRegex(self.read("out/summary.md"), r"geometric mean .*\+182\.8 %")

    def test_a_program_that_failed(self):
        self.change(self.of(CONFIGS[1], "fft", "run.json"), exit_code=3)
        self.assert_fails(self.report(self.plan), "fft on XomRocketConfig ended with exit code 3")

    def test_a_program_that_printed_nothing(self):
        self.write(self.of(CONFIGS[1], "fft", "uart.log"), "checksum 0\n")
        self.assert_fails(self.report(self.plan), "fft on XomRocketConfig printed no cycles or no instret")

    def test_a_check_that_failed_or_was_not_made(self):
        self.change(self.of(CONFIGS[0], "crc32", "check.json"), dram_check="fail: because")
        self.remove(self.of(CONFIGS[1], "crc32", "check.json"))
        done = self.report(self.plan)
        self.assert_fails(done, "crc32 on BaselineRocketConfig has the DRAM check 'fail: because'")
        self.assert_fails(done, "crc32 on XomRocketConfig has the DRAM check 'fail: not checked'")

    def test_plaintext_in_protected_memory(self):
        self.change(self.of(CONFIGS[2], "crc32", "check.json"), plaintext_words_in_dram=2)
        self.assert_fails(self.report(self.plan), "crc32 on AegisOtpRocketConfig left 2 words in the clear in DRAM")

    def test_an_alarm_of_the_bus(self):
        self.change(self.of(CONFIGS[2], "crc32", "run.json"), bus={"secured": True, "used": 1, "authentications": 1, "alarm": True})
        self.assert_fails(self.report(self.plan), "crc32 on AegisOtpRocketConfig raised the bus's alarm")

    def test_a_run_that_is_missing(self):
        self.remove(self.of(CONFIGS[2], "fft", "run.json"))
        self.assert_fails(self.report(self.plan), "fft on AegisOtpRocketConfig did not run")

    def test_a_configuration_without_any_run(self):
        for program in CYCLES:
            self.remove(self.of(CONFIGS[0], program, "run.json"))
        self.assert_fails(self.report(self.plan), "crc32 on BaselineRocketConfig did not run")

    def test_a_program_that_did_nowhere_run(self):
        done = self.report(self.plan, "--programs", "crc32", "fft", "sha256")
        for config in CONFIGS:
            self.assert_fails(done, f"sha256 on {config} did not run")

    def test_other_configurations(self):
        self.assertEqual(self.report(self.plan, "--configs", "XomRocketConfig", "AegisOtpRocketConfig")[0], 0)
        self.assertEqual([run["config"] for run in self.load("out/summary.json")], CONFIGS[1:] * 2)

    def test_different_dram_timings_do_not_compare(self):
        self.change(self.of(CONFIGS[1], "fft", "run.json"), dram__latency=20)
        self.assert_fails(self.report(self.plan), "different DRAM timings")

    def test_bad_input(self):
        self.assert_refused(self.report(self.plan, "--configs", "OneConfig"), "name two or more configurations, each once")
        self.assert_refused(self.report(self.plan, "--configs", "A", "A"), "name two or more configurations, each once")
        self.write(self.of(CONFIGS[1], "fft", "run.json"), "[]")
        self.assert_refused(self.report(self.plan), "is not a JSON object")
        self.write(self.of(CONFIGS[1], "fft", "run.json"), self.read(self.of(CONFIGS[1], "crc32", "run.json")))
        self.assert_refused(self.report(self.plan), "holds the run of crc32 on XomRocketConfig")
        self.write(self.of(CONFIGS[1], "fft", "run.json"), '{"config": "XomRocketConfig", "program": "fft"}')
        self.assert_refused(self.report(self.plan), "is damaged")


if __name__ == "__main__":
    unittest.main()
