"""The collector on the sample of firesim/sample, whose figures are invented, and on all that can be wrong with it."""

import os
import shutil
import unittest

from hauberk.study import place
from invented import StudyTest

SAMPLE = os.path.join(place.TOP, "firesim", "sample", "2026-01-01--00-00-00-hauberk-linux-sweep")


class FireSim(StudyTest):
    def setUp(self):
        super().setUp()
        self.fresh()

    def fresh(self):
        shutil.rmtree(os.path.join(self.folder, "results"), ignore_errors=True)
        shutil.copytree(SAMPLE, os.path.join(self.folder, "results"))

    def collect(self, *folders, more=()):
        return self.study("firesim", *(os.path.join(self.folder, folder) for folder in folders or ["results"]), "--out", self.out, *more)

    def move(self, old, new):
        os.makedirs(os.path.dirname(os.path.join(self.folder, new)), exist_ok=True)
        os.rename(os.path.join(self.folder, old), os.path.join(self.folder, new))

    def test_the_sample(self):
        code, _, errors = self.collect()
        self.assertEqual((code, errors), (0, ""))
        found = self.load("out/summary.json")
        configs = ["RocketConfig", "HauberkAegisOtpRocketConfig", "HauberkYangSncLruRocketConfig"]
        self.assertEqual([(run["program"], run["config"]) for run in found],
                         [(program, config) for program in ("gups", "quicksort", "stream") for config in configs])
        self.assertEqual([run["overhead"] for run in found[:3]], [0, 0.5, 0.25])
        self.assertEqual((found[0]["dram"], found[0]["counter_cache"]), (None, None))
        self.assertTrue(all(run["dram_check"] is None for run in found))
        self.assertEqual(found[4]["dram"], {"data_reads": 1200, "data_writes": 800, "metadata_reads": 200, "metadata_writes": 100})
        self.assertEqual(found[4]["counter_cache"], {"hits": 1800, "misses": 200})
        text = self.read("out/summary.md")
        for part in ("Rocket cycles", "HauberkAegisOtp overhead", "DRAM was not dumped"):
            self.assertIn(part, text)
        rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines()]
        for row in (["aegis_otp", "hauberk_aegis_otp_u250", "150,000,000", "20,000", "10,000"],
                    ["aegis_otp on hauberk_aegis_otp_u250: engine0.hits", "5,400", "14,400"],
                    ["aegis_otp on hauberk_aegis_otp_u250: engine0.aes_blocks", "24,000", "64,000"],
                    ["yang_snc_lru on hauberk_yang_snc_lru_u250: engine0.stall_cycles", "0", "?"]):
            self.assertIn(row, rows)
        self.assertIn("<svg", self.read("out/overhead.svg"))

    def test_two_folders_are_one_comparison(self):
        self.move("results/rocket", "other/hauberk-linux0")
        self.assertEqual(self.collect("results", "other")[0], 0)

    def test_a_program_without_an_operating_system_has_the_counts_of_auto_counter(self):
        folders = []
        for job in ("rocket", "aegis_otp"):
            self.write(f"results/{job}/uartlog", "checksum 0123456789abcdef\ncycles 1000\ninstret 500\n*** PASSED *** after 20000000 cycles\n")
            folders.append(f"single-{job}")
            self.move(f"results/{job}", f"single-{job}/hauberk-single-lat_mem_rd")
        code, _, errors = self.collect(*folders)
        self.assertEqual(code, 0, errors)
        found = self.load("out/summary.json")
        self.assertEqual([run["program"] for run in found], ["lat_mem_rd"] * 2)
        self.assertEqual((found[1]["dram"]["data_reads"], found[1]["counter_cache"]["hits"]), (9600, 14400))
        self.assertRegex(self.read("out/summary.md"), r"engine0\.hits +\| +\? \| +14,400 \|")

    def test_what_went_wrong_on_a_node(self):
        for sentence, file, old, new in (
                ("gups on HauberkAegisOtpRocketConfig ended with exit code 1", "aegis_otp", "end gups 0", "end gups 1"),
                ("gups on HauberkAegisOtpRocketConfig printed no cycles or no instret", "aegis_otp", "cycles 1500000", "no cycles at all"),
                ("gups on HauberkAegisOtpRocketConfig raised the alarm of the protector", "aegis_otp", "after protector.alarm 0", "after protector.alarm 1"),
                ("gups has another checksum on HauberkYangSncLruRocketConfig than on RocketConfig", "yang_snc_lru", "checksum 1111111111111111",
                 "checksum 1111111111111110"),
                ("the simulation of yang_snc_lru did not end", "yang_snc_lru", "*** PASSED ***", "***")):
            with self.subTest(sentence):
                self.fresh()
                self.replace(f"results/{file}/uartlog", old, new)
                self.assert_fails(self.collect(), sentence)

    def test_a_program_that_did_not_run(self):
        text = self.read("results/yang_snc_lru/uartlog")
        self.write("results/yang_snc_lru/uartlog", text[:text.index("hauberk: begin stream")] + "hauberk: done\n*** PASSED *** after 1 cycles\n")
        self.assert_fails(self.collect(), "stream on HauberkYangSncLruRocketConfig did not run")

    def refused(self, *cases):
        """Changes one place of one file each: the error names the file and the line, in one sentence."""
        for file, old, new, line, sentence in cases:
            with self.subTest(sentence):
                self.fresh()
                self.replace("results/" + file, old, new)
                self.assert_refused(self.collect(), sentence)
                self.assertIn(f"{file}, line {line}: ", self.collect()[2])

    def test_a_console_log_that_is_not_well_formed(self):
        log = "aegis_otp/uartlog"
        self.refused(
            (log, "before engine0.hits 9000", "before engine0.hits 9x00", 6, "engine0.hits is '9x00', which is no number"),
            (log, "before engine0.misses", "before engine0.hits", 7, "engine0.hits is there twice"),
            (log, "hauberk: begin quicksort", "hauberk: begins quicksort", 42, "'hauberk: begins quicksort' is not expected here"),
            (log, "hauberk: end gups 0", "hauberk: end quicksort 0", 41, "'hauberk: end quicksort 0' is not expected here"),
            (log, "hauberk: end gups 0\r\n", "", 41, "'hauberk: begin quicksort' is not expected here"),
            (log, "hauberk: end gups 0", "hauberk: end gups 0x", 41, "exit code is '0x', which is no number"),
            (log, "after engine0.hits 9900", "after engine0.hits 8900", 41, "engine0.hits went down during gups"),
            (log, "hauberk: after engine0.hits 9900\r\n", "", 40, "other counters were read after gups than before it"),
            (log, "checksum 1111111111111111", "checksum 111111111111111", 22, "'checksum 111111111111111' is no checksum"),
            (log, "cycles 1500000", "cycles 15000q0", 23, "cycles is '15000q0', which is no number"),
            (log, "hauberk: done", "", 120, "the log ends without 'hauberk: done'"),
            (log, "hauberk: end stream 0\r\nhauberk: done", "", 79, "stream begins here and never ends"),
            (log, "*** PASSED ***", "*** FAILED *** simulation timed out", 120, "raise +max-cycles"))

    def test_a_section_without_counters(self):
        self.refused(("rocket/uartlog", "hauberk: after protection none\r\n", "", 10, "nothing was counted after gups"),
                     ("rocket/uartlog", "hauberk: before protection none\r\n", "", 10, "nothing was counted before gups"))

    def test_tables_that_are_not_well_formed(self):
        memory, counters = "rocket/memory_stats0.csv", "aegis_otp/AUTOCOUNTERFILE0.csv"
        self.refused(
            (memory, "0,0,80000,", "0,0,", 3, "there are 5 cells, and 6 in the header"),
            (memory, "0,0,80000,", "0,0,-,", 3, "totalReadBeats is '-', which is no number"),
            (memory, "0,0,80000,10000,40000,5000,\n0,0,160000,20000,80000,10000,\n", "", 2, "lower profile_interval"),
            (counters, "version,1", "version,2", 1, "another version than 1"), (counters, "label,", "names,", 3, "'label' is expected here, and not 'names'"),
            (counters, "9000,1000,", "9000,", 8, "there are 8 cells, and 9 labels"),
            (counters, "14400", "14400.5", 9, "hauberk_engine0_hits is '14400.5', which is no number"))

    def test_a_summary_of_the_hardware_that_is_not_well_formed(self):
        self.refused(("rocket/HW_CFG_SUMMARY", "xilinx_alveo_u250-firesim", "None", 2, "is not PLATFORM-PROJECT-DESIGN"),
                     ("rocket/HW_CFG_SUMMARY", "DeployQuintuplet", "Quintuplet", 6, "the summary ends without DeployQuintuplet"))

    def test_folders_that_cannot_be_compared(self):
        self.assert_refused(self.collect("absent"), "holds no job with a HW_CFG_SUMMARY")
        self.assert_refused(self.collect("results", "results"), "gups ran on HauberkAegisOtpRocketConfig more than once")
        self.assert_refused(self.collect(more=["--baseline", "QuadRocketConfig"]), "name results of QuadRocketConfig")
        self.remove("results/rocket/HW_CFG_SUMMARY")
        self.assert_refused(self.collect(), "0 of the configurations HauberkAegisOtpRocketConfig, ")
        self.assertEqual(self.collect(more=["--baseline", "HauberkAegisOtpRocketConfig"])[0], 0)
        self.remove("results/aegis_otp/uartlog")
        self.assert_refused(self.collect(), "cannot read the console log")


if __name__ == "__main__":
    unittest.main()
