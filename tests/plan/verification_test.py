"""Tests of python/hauberk/verification and scripts/plan, on an invented plan."""

import os
import sys
import unittest

TOP = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
sys.path.insert(0, os.path.join(TOP, "python"))
from hauberk.verification import annotations, page, passed, plan
from hauberk.verification.evidence import Evidence, conditions, stage

PLAN = """
title: Locks
sources: locks/
features:
  - id: opens
    says: A lock opens
    in: [Lock.scala]
countermeasures:
  - id: compare
    says: Each bit of the key is compared
    in: [Lock.scala]
    attacks: {attack-locks: [A1]}
"""
FILES = ["locks/Lock.scala", "locks/Door.scala", "other/Lock.scala"]
SUITE = '''package hauberk.locks

abstract class LockSpec(n: Int) extends AnyFunSuite {
  // covers: locks.opens
  test("a lock opens") {}
  // covers: locks.compare
  test(
    s"$n bits: each bit is compared (${n / "ab".size} of them)"
  ) {}
}
class SmallSpec extends LockSpec(2)
class LargeSpec extends LockSpec(4)
class LargestSpec extends LargeSpec(8)
'''
PYTHON = '''class Doors(unittest.TestCase):
    # covers: locks.opens
    def test_open(self):
        pass
'''
UNITTEST = """test_open (tests.doors_test.Doors.test_open) ... ok
test_shut (tests.doors_test.Doors.test_shut) ... make: ok
a line
FAIL
test_late (__main__.Doors) ... skipped 'no time'
"""
JUNIT = """<testsuite name="hauberk.locks.SmallSpec"><testcase name="a lock opens" classname="hauberk.locks.SmallSpec"/>
<testcase name="2 bits: each bit is compared (1 of them)" classname="hauberk.locks.SmallSpec"><failure/></testcase></testsuite>"""


def ran(test, suite="hauberk.locks.SmallSpec", outcome="passed"):
    return {"suite": suite, "test": test, "outcome": outcome, "revision": "1"}


GOOD = [ran("a lock opens"), ran("2 bits: each bit is compared (1 of them)"), ran("4 bits: each bit is compared (2 of them)", "hauberk.locks.LargeSpec")]
NOTICED = {"place": "locks/Lock.scala:7", "outcome": "noticed"}


def covered(line=100, branch=100, toggle=100):
    return [{"file": "locks/Lock.scala", "kind": kind, "covered": str(count), "points": "100", "revision": "2"}
            for kind, count in (("line", line), ("branch", branch), ("toggle", toggle))]


class Invented(unittest.TestCase):
    def setUp(self):
        self.block = plan.block_of("locks", PLAN, FILES)
        self.annotations, self.children = annotations.of_sources({"locks/LockSpec.scala": SUITE})

    def evidence(self, tests=GOOD, mutants=(NOTICED,), coverage=None, attacks=None, sources=None):
        found, children = annotations.of_sources(sources) if sources else (self.annotations, self.children)
        return Evidence(found, children, list(tests), list(mutants), covered() if coverage is None else coverage,
                        {"attack-locks": {"A1": ["detected 9", ""]}} if attacks is None else attacks)

    def stage(self, **changed):
        return stage(conditions(self.block, self.evidence(**changed)))


class Annotations(Invented):
    def test_name_the_test_behind_them(self):
        self.assertEqual([(each.item, each.suite, each.shown) for each in self.annotations],
                         [("locks.opens", "hauberk.locks.LockSpec", "LockSpec: a lock opens"),
                          ("locks.compare", "hauberk.locks.LockSpec", "LockSpec: * bits: each bit is compared (* of them)")])

    def test_are_for_each_suite_that_extends_theirs(self):
        self.assertEqual(annotations.suites_of("hauberk.locks.LockSpec", self.children),
                         {f"hauberk.locks.{name}Spec" for name in ("Lock", "Small", "Large", "Largest")})

    def test_above_a_class_are_for_all_of_its_tests(self):
        found, _ = annotations.of_sources({"a.scala": "package p\n// covers: locks.opens\nclass ASpec extends B {\n"})
        self.assertEqual((found[0].suite, found[0].name), ("p.ASpec", ""))

    def test_of_python_name_their_function(self):
        found, _ = annotations.of_sources({"tests/doors_test.py": PYTHON})
        self.assertEqual((found[0].suite, found[0].shown), ("doors_test.Doors", "Doors: test_open"))

    def test_that_are_not_well_formed_or_above_nothing_are_refused(self):
        for text in ("// covers: locks\nopens, \n", "// covers: locks.opens locks.compare\ntest(\"a\")", "// covers: locks.opens\n"):
            with self.assertRaises(annotations.Malformed):
                annotations.of_sources({"a.scala": text})


class Plans(Invented):
    def test_have_each_item_covered_and_no_annotation_beside_them(self):
        self.assertEqual(plan.faults([self.block], self.annotations), [])
        missing = plan.faults([self.block], self.annotations[:1])
        self.assertEqual(missing, ["no test covers locks.compare: write `covers: locks.compare` above one"])
        beside, _ = annotations.of_sources({"a.scala": SUITE.replace("locks.compare", "locks.unknown")})
        self.assertIn("a.scala:6 covers locks.unknown, which is in no plan of tests/plan", plan.faults([self.block], beside))

    def test_are_refused_with_what_they_cannot_have(self):
        for old, new in (("Lock.scala", "Bolt.scala"), ("says: A lock opens", "said: A lock opens"), ("id: compare", "id: opens"), ("title", "name")):
            with self.assertRaises(plan.PlanError, msg=new):
                plan.block_of("locks", PLAN.replace(old, new), FILES)

    def test_have_the_files_of_their_folder(self):
        self.assertEqual(self.block.sources, ("locks/Door.scala", "locks/Lock.scala"))


class Stages(Invented):
    def test_are_all_reached_with_all_evidence(self):
        self.assertEqual(self.stage(), "V2S")

    def test_need_a_test_of_each_feature_that_passed(self):
        self.assertEqual(self.stage(tests=GOOD[1:]), "none")
        self.assertEqual(self.stage(tests=[*GOOD[1:], ran("a lock opens", outcome="failed")]), "none")
        self.assertEqual(self.stage(tests=[*GOOD[1:], ran("a lock opens", outcome="skipped")]), "none")
        self.assertEqual(self.stage(tests=[*GOOD, ran("a lock opens", "hauberk.locks.LargeSpec", "failed")]), "none")

    def test_need_all_tests_to_pass(self):
        self.assertEqual(self.stage(tests=GOOD[:1]), "V1")

    def test_need_each_bound_of_coverage(self):
        self.assertEqual(self.stage(coverage=covered(95, 90, 85)), "V2S")
        for low in (covered(94), covered(95, 89), covered(95, 90, 84), covered()[:2], []):
            self.assertEqual(self.stage(coverage=low), "V1")

    def test_need_attacks_that_were_recorded_and_not_missed(self):
        for attacks in ({}, {"attack-locks": {}}, {"attack-locks": {"A1": ["detected 9", "detected 8, missed 1"]}}):
            self.assertEqual(self.stage(attacks=attacks), "V2")

    def test_need_mutants_that_are_noticed(self):
        survived = {**NOTICED, "outcome": "survived"}
        self.assertEqual(self.stage(mutants=[NOTICED] * 19 + [survived]), "V2S")
        self.assertEqual(self.stage(mutants=[NOTICED] * 18 + [survived]), "V2")
        self.assertEqual(self.stage(mutants=[]), "V2")
        self.assertEqual(self.stage(mutants=[{**NOTICED, "place": "other/Lock.scala:7"}]), "V2")
        self.assertEqual(self.stage(mutants=[NOTICED, {**NOTICED, "outcome": "not built"}]), "V2S")

    def test_notice_a_renamed_test(self):
        renamed = self.evidence(sources={"a.scala": SUITE.replace("a lock opens", "a lock is opened")}).renamed()
        self.assertEqual(len(renamed), 1)
        self.assertIn("a.scala:4: hauberk.locks.LockSpec ran without a test that has this name", renamed[0])
        self.assertEqual(self.evidence(tests=[]).renamed(), [])
        self.assertEqual(self.evidence(tests=[ran("a lock opens", outcome="skipped"), *GOOD[1:]]).renamed(), [])


class Reports(unittest.TestCase):
    def test_of_junit_have_each_test(self):
        self.assertEqual([row["outcome"] for row in passed.of_junit(JUNIT)], ["passed", "failed"])

    def test_of_unittest_have_the_outcome_behind_what_a_test_prints(self):
        self.assertEqual([tuple(row.values()) for row in passed.of_unittest(UNITTEST)],
                         [("doors_test.Doors", "test_open", "passed"), ("doors_test.Doors", "test_shut", "failed"), ("__main__.Doors", "test_late", "skipped")])

    def test_replace_those_of_the_same_suites(self):
        old = [ran("gone"), ran("stays", "another")]
        rows = passed.joined(old, [{"suite": "hauberk.locks.SmallSpec", "test": "new", "outcome": "passed"}], "2", lambda row: True)
        self.assertEqual([(row["test"], row["revision"]) for row in rows], [("stays", "1"), ("new", "2")])


class Pages(Invented):
    def test_show_evidence_and_the_lack_of_it(self):
        text = "<!-- plan locks -->\nold\n<!-- end -->\n<!-- plan stages -->\n<!-- end -->\n"
        shown = page.rendered(text, [self.block], self.evidence(tests=GOOD[:1], mutants=[], coverage=covered(94)))
        self.assertIn("Stage reached: **V1**. Tests recorded at 1. Coverage measured at 2.", shown)
        self.assertIn("| line coverage of at least 95 % | 94.0 % | **no** |", shown)
        self.assertIn("compared (* of them) (**not run**); `make attack`: A1 | not measured | 94 / 100 / 100 % |", shown)
        self.assertNotIn("old", shown)
        self.assertEqual(page.rendered(shown, [self.block], self.evidence(tests=GOOD[:1], mutants=[], coverage=covered(94))), shown)

    def test_name_the_tests_that_notice_narrower_comparisons(self):
        narrow = {"kind": "narrow", "suite": "hauberk.locks.SmallSpec", "test": "a bit", **NOTICED}
        rows = [narrow, {**narrow, "outcome": "survived", "test": ""}, {**narrow, "outcome": "equivalent", "test": ""}, {**narrow, "kind": "bound", "test": "another"}]
        listed = [{"file": "Lock.scala", "bits": bits} for bits in ("64", "128", "64")] + [{"file": "Door.scala", "bits": "12"}]
        shown = page.comparisons(Evidence([], {}, [], rows, [], {}, listed))
        self.assertIn("| Lock.scala | 64, 128 | 1 of 2 | SmallSpec: a bit |", shown)
        self.assertIn("| Door.scala | 12 | not tried |  |", shown)

    def test_round_no_share_up_to_its_bound(self):
        evidence = self.evidence(coverage=[{"file": "locks/Lock.scala", "kind": "line", "covered": "9499", "points": "10000", "revision": "2"}])
        self.assertIn(" 94.9 % ", page.stages([self.block], evidence))


if __name__ == "__main__":
    unittest.main()
