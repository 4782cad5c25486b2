"""The store of runs: what is recorded, what a page shows of it, and what is refused."""

import errno
import os
import unittest
from unittest import mock

from hauberk.study import current, digests, figures, pages, records, rows
from hauberk.study.errors import StudyError
from small_study import RecordedTest

class Rows(RecordedTest):
    def test_a_run_is_a_row_of_raw_numbers_with_digests(self):
        self.record()
        base, pads = rows.load()
        self.assertEqual((base.config, base.cycles, base.instret, base.checksum, base.latency, base.noise), ("BaseConfig", 1000, 7, "ff", 3, None))
        self.assertEqual((pads.hits, pads.initialisation_cycles, pads.cpu_seconds), (90, 614400, 2.0))
        self.assertEqual((pads.verilog, pads.harness, pads.sources), ("P" * 16, digests.harness(), digests.program("crc32")))
        self.assertEqual(len(self.read("figures/runs.csv").splitlines()), 3)

    def test_a_page_shows_the_table_of_its_rows(self):
        records.save("small", {"command": "make old", "revision": "1234567", "hardware": "old", "content": ["Old"]})
        self.record()
        self.assertIn("| pads  |      +50.00 % |", self.read("page.md"))
        self.assertIn(f"Measured at {digests.revision()} by `make small`.\n", self.read("page.md"))
        self.assertFalse(os.path.exists(records.path_of("small")), "rows are in the place of a table")
        self.assertEqual(pages.check(release=True), [])

    def test_a_plot_is_made_of_rows(self):
        self.write("figures/small.svg", "")
        self.record()
        self.assertIn("<svg", self.read("figures/small.svg"))
        self.write("figures/small.svg", "<svg/>")
        self.assertRegex(pages.check()[0], "small.svg is not what docs/figures/runs.csv says")

    def test_new_runs_replace_those_of_before_and_leave_the_others(self):
        self.record()
        self.replace("out/runs/near/PadsConfig/crc32/uart.log", "1500", "1600")
        self.record()
        self.assertEqual([run.cycles for run in rows.load()], [1000, 1600])

    def test_earlier_hardware_is_marked(self):
        self.record()
        current.save({**current.load(), "PadsConfig": "another digest"})
        self.assertIn(f"Measured on earlier hardware ({digests.revision()}) by `make small`.\n", self.shown())

    def test_another_harness_is_earlier_hardware(self):
        self.record()
        with mock.patch.object(digests, "harness", lambda: "another"):
            self.assertIn("Measured on earlier hardware", self.shown())

    def test_another_program_is_earlier_hardware(self):
        self.record()
        with mock.patch.object(digests, "program", lambda name, flags="": "another"):
            self.assertIn("Measured on earlier hardware", self.shown())

    def test_digests_that_cannot_be_computed_are_earlier_hardware(self):
        self.record()
        with mock.patch.object(digests, "hardware", lambda: "changed sources"):
            self.assertIn("Measured on earlier hardware", self.shown())
        self.remove("out/verilog/PadsConfig.sha256")
        self.record()
        self.assertIn("Measured on earlier hardware", self.shown())

    def test_a_figure_some_of_whose_runs_are_missing_is_no_figure(self):
        self.record()
        rows.save(rows.load()[:1])
        figures.from_rows.cache_clear()
        self.assertRegex(pages.check()[0], "shows the figure small, which nobody recorded")

    def refused(self, text, sentence):
        self.write("figures/runs.csv", text)
        with self.assertRaisesRegex(StudyError, sentence) as caught:
            rows.load()
        self.assertEqual(len(str(caught.exception).splitlines()), 1)

    def test_a_line_that_was_edited_is_refused_with_its_number(self):
        self.record()
        text = self.read("figures/runs.csv")
        self.refused(text.replace("1500", "1100"), "runs.csv:3: this line was edited by hand")
        self.refused(text[:-20], "runs.csv:3: this line was edited by hand or is damaged")
        self.refused(text.split("\n", 1)[1], "runs.csv:1: the first line does not name the columns")
        self.refused("", "runs.csv:1: the first line")
        self.refused("\0\0\xff", "runs.csv:1: the first line")

    def test_a_full_disk_leaves_the_store_as_it_was(self):
        self.record()
        before = self.read("figures/runs.csv")

        def full(*arguments):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

        with mock.patch("os.replace", full), self.assertRaisesRegex(StudyError, "cannot write .*runs.csv: No space left on device; nothing was changed"):
            self.record()
        self.assertEqual(self.read("figures/runs.csv"), before)
        self.record()

    def test_sources_for_current_rocket_chip_count_for_figures_of_chipyard_only(self):
        names = [f"src/main/scala-{scala}/hauberk/Foo.scala" for scala in ("2.12", "2.13")]
        with mock.patch.object(digests.tree, "walked", lambda top: names), mock.patch.object(digests, "of_files", lambda paths: len(list(paths))):
            digests.hardware.cache_clear()
            self.addCleanup(digests.hardware.cache_clear)
            self.assertEqual((records.hardware("engine"), records.hardware("chipyard-verilog")), (1, 2))

    def test_a_damaged_table_of_digests(self):
        self.record()
        self.write("figures/verilog.csv", f"# hardware: {digests.hardware()}\nconfig,verilog\nBase\n")
        with self.assertRaisesRegex(StudyError, "verilog.csv is damaged: run make current"):
            current.load()


if __name__ == "__main__":
    unittest.main()
