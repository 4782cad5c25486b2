"""Tables made of rows are those made of the folders of the runs, for every kind of study."""

import unittest
from unittest import mock

import demo_test
import ibench_test
import linux_test
import steering_test
from hauberk.study import collection, figures, pages, place, plan_file, recording, records, reporting
from invented import StudyTest

SWEEP = """baseline: BaselineRocketConfig
configs: [AegisOtpRocketConfig]
programs: [crc32, fft]
dram: {default: {latency: 80, beat: 5}}
"""
REPEATED = """title: Repeated
studies:
  - {name: small, runs: 3, baseline: BaselineRocketConfig, programs: [crc32], points: [{series: xom, config: XomRocketConfig}]}
"""


class RoundTrip(StudyTest):
    def recorded(self, name, text):
        """The figures from folders, which are then recorded in a folder of the test, and those from rows."""
        path = self.write(name, text)
        patches = {(place, "FIGURES"): self.folder + "/figures", (place, "plans"): lambda: [path], (pages, "pages"): lambda: []}
        for (target, field), value in patches.items():
            patch = mock.patch.object(target, field, value)
            patch.start()
            self.addCleanup(patch.stop)
        self.addCleanup(figures.from_rows.cache_clear)
        self.write("figures/empty", "")
        plan = plan_file.read(path, names=False)
        reports = [reporting.report_of(plan, study, collection.Folders(self.out, plan)) for study in plan.studies]
        recording.record(plan, self.out)
        return {name: text for report in reports for name, text in report.figures.items()}, {name: figures.of(name).content for name in figures.names()}

    def assert_same(self, name, text, *expected):
        before, after = self.recorded(name, text)
        self.assertEqual(sorted(after), sorted(expected))
        self.assertEqual(after, before)

    def demo_runs(self):
        for program, counts in demo_test.CYCLES.items():
            for config, cycles in zip(demo_test.CONFIGS, counts):
                self.invent(f"default/{config}/{program}", config, program, f"cycles {cycles}\ninstret 7\n", config != demo_test.CONFIGS[0])

    def test_demo(self):
        self.demo_runs()
        self.assert_same("demo.yml", demo_test.PLAN, "demo")

    def test_repeated_runs(self):
        for seed in range(3):
            for config, cycles in zip(demo_test.CONFIGS[:2], (1000, 1100 + seed)):
                where = f"default/{config}/crc32" + (f"-jitter{seed}" if seed else "")
                self.invent(where, config, "crc32", f"cycles {cycles}\ninstret 7\n", seed > 3, dram={"jitter": seed})
        self.assert_same("small.yml", REPEATED, "small")
        self.assertIn(" ± ", figures.of("small").content)

    def test_sweep(self):
        self.demo_runs()
        self.assert_same("small.yml", SWEEP, "sweep-small")

    def test_linux(self):
        for config in (linux_test.BASE, linux_test.OTP, linux_test.DUAL):
            linux_test.Linux.invent_boot(self, config)
        configs = ", ".join((linux_test.BASE, linux_test.OTP, linux_test.DUAL))
        self.assert_same("linux.yml", linux_test.PLAN % configs, "linux", "linux-programs")

    def test_ibench(self):
        for config, sealed in (("BaselineRocketConfig", ""), ("EmuCounterRocketConfig", ""), ("EmuCounterRocketConfig", "-sealed")):
            ibench_test.Ibench.invent_profile(self, config, 102, 2000, sealed)
        self.assert_same("ibench.yml", ibench_test.PLAN, "emu")

    def test_tables_of_hints_are_recorded_as_they_are(self):
        for config in ("A", "B"):
            self.write(f"out/steered/{config}/crc-large.json", steering_test.steered(100, 2.5))
        with mock.patch.object(collection, "wanted", lambda plan: []):
            self.assert_same("hints.yml", steering_test.PLAN, "nagarajan-figure-9", "nagarajan-figure-10", "nagarajan-tables")
        self.assertEqual(records.load("nagarajan-tables")["command"], plan_file.read(self.folder + "/hints.yml", names=False).command)


if __name__ == "__main__":
    unittest.main()
