"""Tests of scripts/comparisons."""

import collections
import importlib.machinery
import importlib.util
import os
import sys
import unittest

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.append(os.path.join(TOP, "scripts"))
loader = importlib.machinery.SourceFileLoader("comparisons", os.path.join(TOP, "scripts", "comparisons"))
spec = importlib.util.spec_from_loader("comparisons", loader)
comparisons = importlib.util.module_from_spec(spec)
loader.exec_module(comparisons)

LOWERED = """
    %1 = comb.icmp bin eq %a, %b : i64 loc(#loc3)
    %2 = comb.icmp bin ne %a, %c0_i64 : i64 loc(#loc1)
    %3 = comb.icmp bin ult %c, %d : i11 loc(#loc1)
    %5 = comb.icmp ne %e, %f {sv.namehint = "_T_5"} : i128 loc(#loc1)
    %4 = comb.icmp bin eq %c, %d : i32 loc(#loc2)
#loc1 = loc("Guard.scala":10:5)
#loc2 = loc("RocketCore.scala":7:1)
#loc3 = loc(fused[#loc1, #loc2])
"""
OWN = {"Guard.scala"}
FOUND = collections.Counter([("Guard.scala", "eq", 64, "a signal"), ("Guard.scala", "ne", 64, "a constant"), ("Guard.scala", "ne", 128, "a signal")])


class Comparisons(unittest.TestCase):
    def test_finds_wide_comparisons_of_our_sources(self):
        self.assertEqual(comparisons.comparisons(LOWERED, OWN), FOUND)

    def test_a_form_that_is_not_known_is_refused(self):
        with self.assertRaisesRegex(SystemExit, "another form"):
            comparisons.comparisons(LOWERED.replace(" : i11", " : !hw.int<11>"), OWN)

    def differences(self, lowered):
        listed = comparisons.read(comparisons.table({"FooConfig": comparisons.comparisons(LOWERED, OWN)}))
        return comparisons.differences(listed, {"FooConfig": comparisons.comparisons(lowered, OWN)})

    def test_the_same_hardware_has_no_differences(self):
        self.assertEqual(self.differences(LOWERED), [])

    def test_a_narrower_comparison_is_noticed(self):
        wrong = self.differences(LOWERED.replace("eq %a, %b : i64", "eq %a1, %b1 : i32"))
        self.assertEqual(wrong, ["Guard.scala compares 32 bits (eq) with a signal 1 times in FooConfig, and 0 times in tests/comparisons.csv",
                                 "Guard.scala compares 64 bits (eq) with a signal 0 times in FooConfig, and 1 times in tests/comparisons.csv"])

    def test_a_comparison_that_is_gone_is_noticed(self):
        self.assertEqual(len(self.differences(LOWERED.replace("comb.icmp bin ne", "comb.and"))), 1)

    def test_a_configuration_that_is_not_listed_is_noticed(self):
        self.assertEqual(len(comparisons.differences({}, {"FooConfig": FOUND})), 3)


if __name__ == "__main__":
    unittest.main()
