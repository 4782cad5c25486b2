"""Verdicts of scripts/sealed.py on the output of attacks on sealed code."""

import os
import sys
import types
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "scripts"))
sys.dont_write_bytecode = True
from sealed import ATTACKS, GARBAGE, PLAINTEXT, REFUSED

EXCHANGED = next(attack for attack in ATTACKS if attack.garbage == "pages exchanged")
READ = next(attack for attack in ATTACKS if not attack.garbage)


def verdict(attack, code, *lines):
    return attack.verdict(types.SimpleNamespace(returncode=code, stdout="".join(f"attack: {line}\n" for line in lines)))


class Verdict(unittest.TestCase):
    def test_garbage_may_end_with_any_code_and_print_any_outcome(self):
        for code in (0, 1, 124, 130):
            self.assertEqual(verdict(EXCHANGED, code, *EXCHANGED.lines), GARBAGE)
        # In the last line garbage has overwritten the end of a printed string
        for came in ("denied", "no instruction", "wrong", "no instructi\ufffd$PLAINTEXT"):
            self.assertEqual(verdict(EXCHANGED, 0, *EXCHANGED.lines, f"pages exchanged: {came}"), GARBAGE)

    def test_plaintext_is_reported_with_any_exit_code(self):
        for code in (0, 124, 130):
            self.assertEqual(verdict(EXCHANGED, code, *EXCHANGED.lines, "pages exchanged: PLAINTEXT"), PLAINTEXT)

    def test_an_attack_that_did_not_run_has_no_verdict(self):
        for lines in ([], [*EXCHANGED.lines, "pages exchanged: unharmed"], ["another line", *EXCHANGED.lines]):
            self.assertRegex(verdict(EXCHANGED, 0, *lines), "^exit code 0")

    def test_a_refused_attack_prints_its_lines_and_exits_with_0(self):
        self.assertEqual(verdict(READ, 0, *READ.lines), REFUSED)
        for code, lines in [(1, READ.lines), (0, READ.lines[:-1]), (0, [*READ.lines, "registers: read"])]:
            self.assertRegex(verdict(READ, code, *lines), "^exit code")


if __name__ == "__main__":
    unittest.main()
