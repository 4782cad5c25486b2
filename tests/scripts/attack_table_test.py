"""Tests of scripts/attack_table.py, and of docs/attack.md as its page."""

import os
import sys
import unittest

TOP = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(TOP, "scripts"))
import attack_table

PAGE = """# Page

<!-- generated: Buses -->
| class | Old | Both |
| --- | --- | --- |
| A2 | falls 1/2 | detected 3 |
| A10 | harmless 1 | - |
<!-- end -->

By hand.

<!-- generated: Engines -->
<!-- end -->
The last line.
"""


class AttackTable(unittest.TestCase):
    def test_a_column_that_did_not_run_stays(self):
        page = attack_table.put(PAGE, "Buses", {"Both": {"A2": "detected 4"}})
        self.assertEqual(attack_table.parse(page.split("-->")[1].split("<!--")[0]),
                         {"Old": {"A2": "falls 1/2", "A10": "harmless 1"}, "Both": {"A2": "detected 4", "A10": "-"}})

    def test_text_by_hand_stays(self):
        page = attack_table.put(PAGE, "Buses", {"New": {"A1": "detected 1"}})
        self.assertIn("By hand.\n", page)
        self.assertTrue(page.endswith("<!-- end -->\nThe last line.\n"))

    def test_new_classes_and_columns_come_in_order(self):
        page = attack_table.put(PAGE, "Buses", {"New": {"A9": "detected 1"}})
        self.assertIn("| class | Old | Both | New |\n| --- | --- | --- | --- |\n| A2 | falls 1/2 | detected 3 | - |\n"
                      "| A9 | - | - | detected 1 |\n| A10 | harmless 1 | - | - |\n<!-- end -->", page)

    def test_an_empty_table_is_filled(self):
        page = attack_table.put(PAGE, "Engines", {"Otp": {"A1": "falls 1/1"}})
        self.assertIn("<!-- generated: Engines -->\n| class | Otp |\n| --- | --- |\n| A1 | falls 1/1 |\n<!-- end -->", page)

    def test_a_page_without_the_table_is_refused(self):
        with self.assertRaisesRegex(attack_table.NoSuchTable, "generated: Chips"):
            attack_table.put(PAGE, "Chips", {"Otp": {"A1": "falls 1/1"}})

    def test_the_page_of_the_documentation_reads_back(self):
        with open(os.path.join(TOP, "docs", "attack.md")) as file:
            page = file.read()
        for title in ("Memory protection engines", "Secure buses", "Instruction decryption"):
            self.assertEqual(attack_table.put(page, title, {}), page)


if __name__ == "__main__":
    unittest.main()
