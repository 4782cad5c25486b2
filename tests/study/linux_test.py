"""The report of Linux on a folder of invented runs."""

import unittest

from hauberk.study import collection, plan_file
from hauberk.study.errors import StudyError
from hauberk.study.kinds import linux
from hauberk.study.linux_console import parse
from invented import StudyTest

BASE, OTP, DUAL = "BaselineRocketConfig", "AegisOtpRocketConfig", "BaselineDualRocketConfig"
PLAN = """title: Linux
dram: {board: {latency: 80, beat: 5, noise: 0}}
studies:
  - {name: linux, kind: linux, programs: [linux], configs: [%s]}
"""
CONSOLE = ["[    0.000000] Linux version 6.1", "hauberk: booted %d", "hauberk: begin files", "checksum 00000000000000ff", "cycles %d", "instret 70",
           "hauberk: end files 0", "hauberk: done %d", "[    0.400000] reboot: Power down"]


class Linux(StudyTest):
    def invent_boot(self, config):
        guarded = "Aegis" in config
        scale = 2 if guarded else 1
        uart = "".join(line + "\r\n" for line in CONSOLE) % (1000 * scale, 100 * scale, 1500 * scale)
        check = {"protected": guarded, "dram_check": "pass", "pages_used": 700, "plaintext_pages_in_dram": 0 if guarded else 700}
        bus = {"bus": {"secured": "Senss" in config, "used": 0, "authentications": 0, "alarm": False}} if "Bus" in config or "Senss" in config else {}
        cores = [{}] * (2 if "Dual" in config else 1)
        self.invent(f"board/{config}/linux", config, "linux", uart, guarded, check, cycles=2200 if guarded else 2000, cores=cores, **bus,
                    counter_cache={"hits": 75 if guarded else 0, "misses": 25 if guarded else 0})

    def reported(self, configs=(BASE, OTP, DUAL), spoil=lambda: None):
        for config in configs:
            self.invent_boot(config)
        spoil()
        return self.report(self.write("plan.yml", PLAN % ", ".join(configs)))

    def test_a_baseline_has_the_same_cores_l2_and_bus_and_nothing_that_its_run_has_not(self):
        against = {
            OTP: BASE, "WithLastLevelCache-256_" + OTP: "WithLastLevelCache-256_" + BASE, "WithCounterCache-2048-4_" + OTP: BASE,
            "AegisOtpDualRocketConfig": DUAL, "SenssAegisOtpDualRocketConfig": "SharedBusDualRocketConfig", "SenssDualRocketConfig": "SharedBusDualRocketConfig",
            "SharedBusDualRocketConfig": None, "WithLastLevelCache-256_" + BASE: None, BASE: None, DUAL: None}
        for config in against:
            self.invent_boot(config)
        plan = plan_file.read(self.write("plan.yml", PLAN % ", ".join(against)), names=False)
        runs = collection.Folders(self.out, plan)
        results = linux.Results(list(against), [linux.Linux(runs.get("board", config, "linux")) for config in against])
        self.assertEqual({boot.config: (other := results.baseline(boot)) and other.config for boot in results.boots}, against)

    def test_overheads_are_against_the_unprotected_soc_with_as_many_cores(self):
        code, _, errors = self.reported()
        self.assertEqual(code, 0, errors)
        base, otp, dual = self.load("out/summary.json")
        self.assertEqual((base["boot_overhead"], dual["total_overhead"], dual["cores"]), (None, None, 2))
        self.assertEqual((otp["boot_cycles"], otp["boot_overhead"], otp["total_cycles"]), (2000, 1.0, 2200))
        self.assertAlmostEqual(otp["total_overhead"], 0.1)
        self.assertEqual((otp["counter_hit_rate"], otp["plaintext_pages_in_dram"]), (0.75, 0))
        files, = otp["programs"]
        self.assertEqual((files["program"], files["cycles"], files["overhead"], files["checksum"]), ("files", 200, 1.0, "00000000000000ff"))
        summary = self.read("out/summary.md")
        for text in ("| AegisOtp", "75.0 %", "+100.0 %"):
            self.assertIn(text, summary)
        self.assertIn("<svg", self.read("out/overhead.svg"))

    def spoiled(self, sentence, spoil):
        code, _, errors = self.reported(spoil=spoil)
        self.assertEqual(code, 1, errors)
        self.assertIn(sentence, errors)

    def test_what_went_wrong_fails_the_report(self):
        here = f"out/runs/board/{OTP}/linux/"
        for sentence, spoil in (
                ("AegisOtpRocketConfig ended with exit code 113", lambda: self.change(here + "run.json", exit_code=113)),
                ("AegisOtpRocketConfig never came to init", lambda: self.write(here + "uart.log", "[    0.000000] Linux version 6.1\n")),
                ("AegisOtpRocketConfig ran files, which ended with 1", lambda: self.replace(here + "uart.log", "end files 0", "end files 1")),
                ("did not come to the end of its programs", lambda: self.replace(here + "uart.log", "hauberk: done 3000", "")),
                ("AegisOtpRocketConfig did not run files",
                 lambda: [self.replace(here + "uart.log", f"{mark} files", f"{mark} other") for mark in ("begin", "end")]),
                ("files has another checksum on AegisOtpRocketConfig than on BaselineRocketConfig", lambda: self.replace(here + "uart.log", "ff\r", "fe\r")),
                ("AegisOtpRocketConfig left 3 pages in DRAM that show plaintext", lambda: self.change(here + "check.json", plaintext_pages_in_dram=3)),
                ("BaselineRocketConfig left no plaintext",
                 lambda: self.change(f"out/runs/board/{BASE}/linux/check.json", plaintext_pages_in_dram=0)),
                ("has the DRAM check 'fail: wrong'", lambda: self.change(here + "check.json", dram_check="fail: wrong")),
                ("has a DRAM that was not checked", lambda: self.remove(here + "check.json")),
                ("AegisOtpRocketConfig did not run", lambda: self.remove(here + "run.json"))):
            with self.subTest(sentence):
                self.spoiled(sentence, spoil)

    def test_no_run_at_all(self):
        self.assert_refused(self.report(self.write("plan.yml", PLAN % OTP)), "there are no runs of AegisOtpRocketConfig")

    def test_a_console_that_is_garbled_is_refused_with_its_line(self):
        for text, sentence in (("hauberk: booted many", "line 1"), ("hauberk: end files 0", "is not expected here")):
            with self.assertRaisesRegex(StudyError, sentence):
                parse(text, "uart.log")


if __name__ == "__main__":
    unittest.main()
