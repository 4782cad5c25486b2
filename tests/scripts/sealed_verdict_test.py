"""What came of an attack on sealed code, told from what its run printed: scripts/sealed.py."""

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
    def test_garbage_ends_as_it_likes(self):
        for code in (0, 1, 124, 130):
            self.assertEqual(verdict(EXCHANGED, code, *EXCHANGED.lines), GARBAGE)
        # The last overwrote the words that are printed, and left those behind them
        for came in ("denied", "no instruction", "wrong", "no instructi\ufffd$PLAINTEXT"):
            self.assertEqual(verdict(EXCHANGED, 0, *EXCHANGED.lines, f"pages exchanged: {came}"), GARBAGE)

    def test_plaintext_is_told_however_the_run_ends(self):
        for code in (0, 124, 130):
            self.assertEqual(verdict(EXCHANGED, code, *EXCHANGED.lines, "pages exchanged: PLAINTEXT"), PLAINTEXT)

    def test_what_was_not_carried_out_is_no_verdict(self):
        for lines in ([], [*EXCHANGED.lines, "pages exchanged: unharmed"], ["another line", *EXCHANGED.lines]):
            self.assertRegex(verdict(EXCHANGED, 0, *lines), "^exit code 0")

    def test_what_is_refused_ends_well(self):
        self.assertEqual(verdict(READ, 0, *READ.lines), REFUSED)
        for code, lines in [(1, READ.lines), (0, READ.lines[:-1]), (0, [*READ.lines, "registers: read"])]:
            self.assertRegex(verdict(READ, code, *lines), "^exit code")


if __name__ == "__main__":
    unittest.main()
