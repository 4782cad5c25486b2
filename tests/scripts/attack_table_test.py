"""Tests of scripts/attack_table.py."""

import os
import sys
import unittest

TOP = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(TOP, "scripts"))
import attack_table

BUSES = """| class | Old | Both |
| --- | --- | --- |
| A2 | falls 1/2 | detected 3 |
| A10 | harmless 1 | - |
"""


class AttackTable(unittest.TestCase):
    def merged(self, columns):
        return attack_table.merged(attack_table.parse(BUSES), columns)

    def test_a_column_that_did_not_run_stays(self):
        self.assertEqual(self.merged({"Both": {"A2": "detected 4"}}),
                         {"Old": {"A2": "falls 1/2", "A10": "harmless 1"}, "Both": {"A2": "detected 4"}})

    def test_new_classes_and_columns_come_in_order(self):
        self.assertEqual(attack_table.rendered(self.merged({"New": {"A9": "detected 1"}})),
                         "| class | Old | Both | New |\n| --- | --- | --- | --- |\n| A2 | falls 1/2 | detected 3 | - |\n"
                         "| A9 | - | - | detected 1 |\n| A10 | harmless 1 | - | - |\n")

    def test_an_empty_table_is_filled(self):
        self.assertEqual(attack_table.rendered(attack_table.merged(attack_table.parse(""), {"Otp": {"A1": "falls 1/1"}})),
                         "| class | Otp |\n| --- | --- |\n| A1 | falls 1/1 |\n")

class Revisions(unittest.TestCase):
    def test_columns_keep_their_revision(self):
        first = attack_table.behind("1111111", ["A", "B", "C"])
        self.assertEqual(first, ", A, B, C at 1111111")
        second = attack_table.behind("2222222" + first, ["A", "B", "D"])
        self.assertEqual(second, ", A, B at 1111111, D at 2222222")
        self.assertEqual(attack_table.behind("3333333" + second, ["D", "E", "B"]), ", D at 2222222, E at 3333333, B at 1111111")

    def test_columns_of_the_new_revision_are_not_named(self):
        self.assertEqual(attack_table.behind("2222222, A at 1111111", ["A", "B"], "2222222"), ", A at 1111111")


if __name__ == "__main__":
    unittest.main()
