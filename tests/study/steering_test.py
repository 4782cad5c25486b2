"""Tables of the compiler's reports beside the paper's."""

import json
import unittest

from invented import StudyTest

PLAN = """title: Hints
studies:
  - name: hints
    kind: steering
    programs: [crc-large]
    points: [{series: eight, config: A}, {series: sixteen, config: B}]
    paper:
      crc-large: {registers: ["23:52:137", "15:35:88", "12:28:54"], ids: ["89:137", "52:88", "31:54"], millions: ["54", "0.12", "0.006"]}
"""


def steered(right, growth):
    def needs(n):
        return {"registers_across": n, "registers_within": n + 1, "registers_none": n + 2, "ids_across": n + 3, "ids_none": 44}

    return json.dumps({"loads": {"total": 200, "right": right, "wrong": 10, "notApplied": 190 - right, "rightWithoutHint": 30}, "code": {"growth": growth},
                       "needs": {"100": needs(7), "99": needs(5), "98": needs(3)}, "counters": {"writes": 12345, "global": 678, "largestRegister": 9}})


class Steering(StudyTest):
    def setUp(self):
        super().setUp()
        self.plan = self.write("plan.yml", PLAN)
        self.write("out/steered/A/crc-large.json", steered(100, 2.5))
        self.write("out/steered/B/crc-large.json", steered(120, 3.75))

    def lines(self, name):
        rows = [line for line in self.read("out", name).splitlines() if line.startswith("| crc")]
        return [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]

    def test_shares_of_loads_growth_registers_ids_and_counters_stand_beside_the_papers(self):
        code, _, errors = self.report(self.plan)
        self.assertEqual((code, errors), (0, ""))
        self.assertEqual(self.lines("nagarajan-figure-9.md"), [["crc", "50.0 %", "5.0 %", "45.0 %", "15.0 %"], ["crc", "60.0 %", "5.0 %", "35.0 %", "15.0 %"]])
        self.assertEqual(self.lines("nagarajan-figure-10.md"), [["crc", "+2.5 %", "+3.8 %"]])
        self.assertEqual(self.lines("nagarajan-tables.md"), [
            ["crc", "7:8:9", "5:6:7", "3:4:5", "23:52:137", "15:35:88", "12:28:54"], ["crc", "10:44", "8:44", "6:44", "89:137", "52:88", "31:54"],
            ["crc", "12,345", "678", "9", "54", "0.12", "0.006"]])
        for figure in (9, 10):
            self.assertIn("<svg", self.read(f"out/nagarajan-figure-{figure}.svg"))

    def test_a_report_that_is_missing_or_damaged_is_named(self):
        self.remove("out/steered/B/crc-large.json")
        self.assert_fails(self.report(self.plan), "there is no report of crc with sixteen")
        self.write("out/steered/A/crc-large.json", "{}")
        self.assert_refused(self.report(self.plan), "is damaged")

    def test_cells_of_the_paper_that_are_missing(self):
        self.replace("plan.yml", ', "31:54"]', "]")
        self.assert_refused(self.report(self.plan), "ids of crc-large has 2 cells, not 3")


if __name__ == "__main__":
    unittest.main()
