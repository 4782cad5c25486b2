"""make current, on recorded runs and with another elaborator and runner in the place of ours."""

import json
import os
import unittest
from unittest import mock

from hauberk.study import place, refresh, rows
from small_study import RecordedTest


class InventedRunner:
    """Makes runs of 1234 cycles; or fails."""
    fails = False
    asked = []

    def __init__(self, name, out, runs, report, output, options, payload=(), sim_opt=""):
        self.out, self.runs = out, runs

    def make(self):
        for run in self.runs:
            InventedRunner.asked.append(run["folder"])
            folder = os.path.join(self.out, run["folder"])
            os.makedirs(folder)
            for name, text in InventedRunner.left.items():
                with open(os.path.join(folder, name), "w") as file:
                    file.write(text)
        os.makedirs(os.path.join(self.out, "verilog"))
        for config, digest in InventedRunner.verilog.items():
            with open(os.path.join(self.out, "verilog", config + ".sha256"), "w") as file:
                file.write(digest)
        return not self.fails


class Current(RecordedTest):
    def setUp(self):
        super().setUp()
        self.said = {}
        for target, name, value in ((place, "GENERATED", os.path.join(self.folder, "generated")), (refresh, "RESULTS", os.path.join(self.folder, "results")),
                                    (refresh, "prepare", lambda: None), (refresh, "verilog_of", lambda config: self.said.get(config, "")),
                                    (refresh.runner, "Runner", InventedRunner), (refresh.verb, "runs_of", self.runs_of)):
            patch = mock.patch.object(target, name, value)
            patch.start()
            self.addCleanup(patch.stop)
        InventedRunner.asked, InventedRunner.fails = [], False

    @staticmethod
    def runs_of(plan, max_cycles):
        return [{"folder": f"runs/near/{config}/crc32"} for config in ("BaseConfig", "PadsConfig")]

    def record(self):
        super().record()
        for config in ("BaseConfig", "PadsConfig"):
            self.elaborated(config, config[0] * 64)

    def elaborated(self, config, digest):
        self.write(f"generated/{config}/verilog.sha256", digest + "  -\n")

    def current(self, *arguments):
        if not rows.load():
            self.record()
        return self.study("current", *arguments)

    def test_nothing_is_stale(self):
        code, printed, _ = self.current()
        self.assertEqual(code, 0)
        self.assertIn("All of the 2 recorded runs are of this hardware.", printed)
        self.assertIn("Measured at", self.read("page.md"))

    def test_what_is_stale_is_listed_with_its_cost(self):
        self.current()
        self.elaborated("PadsConfig", "Q" * 64)
        code, printed, _ = self.current()
        self.assertEqual(code, 0)
        self.assertRegex(printed, r"\| PadsConfig +\| +1 \| +0\.0 \|")
        self.assertNotIn("BaseConfig  ", printed)
        self.assertIn("Measured on earlier hardware", self.read("page.md"))

    def test_a_configuration_that_cannot_be_elaborated_is_named(self):
        self.current()
        self.said["PadsConfig"] = "Error: it has no pads"
        code, printed, _ = self.current()
        self.assertEqual(code, 1)
        self.assertIn("PadsConfig: Error: it has no pads", printed)
        self.assertRegex(printed, r"\| PadsConfig +\| +1 ")

    def repeat(self):
        self.current()
        self.elaborated("PadsConfig", "Q" * 64)
        record = json.loads(self.read("out/runs/near/PadsConfig/crc32/run.json"))
        InventedRunner.left = {"run.json": json.dumps(record), "check.json": self.read("out/runs/near/PadsConfig/crc32/check.json"),
                               "uart.log": "checksum ff\ncycles 1234\ninstret 7\n"}
        InventedRunner.verilog = {"PadsConfig": "Q" * 64}
        return self.current("--run")

    def test_just_what_is_stale_is_repeated(self):
        code, printed, _ = self.repeat()
        self.assertEqual((code, InventedRunner.asked), (0, ["runs/near/PadsConfig/crc32"]))
        self.assertIn("All of the 2 recorded runs are of this hardware.", printed)
        self.assertEqual([(run.cycles, run.verilog[0]) for run in rows.load()], [(1000, "B"), (1234, "Q")])
        self.assertIn("Measured at", self.read("page.md"))

    def test_what_went_well_is_recorded_though_another_run_failed(self):
        InventedRunner.fails = True
        self.assertEqual(self.repeat()[0], 1)
        self.assertEqual([run.cycles for run in rows.load()], [1000, 1234])


if __name__ == "__main__":
    unittest.main()
