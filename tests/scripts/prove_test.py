"""Tests of scripts/prove."""

import importlib.machinery
import importlib.util
import os
import sys
import tempfile
import unittest

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.append(os.path.join(TOP, "scripts"))
loader = importlib.machinery.SourceFileLoader("prove", os.path.join(TOP, "scripts", "prove"))
prove = importlib.util.module_from_spec(importlib.util.spec_from_loader("prove", loader))
loader.exec_module(prove)

PASSED = ['<testcase name="(j) without bound: two ports" time="2.04"/>', '<testcase name="(j) mutant: a deaf port" time="1"/>']
BOUNDED = '<testcase name="(a) 18 cycles: a core" time="5"/>'
TIMED_OUT = '<testcase name="(b) without bound: a store" time="900"><failure message="Undecided did not equal Proved&#10;more"/></testcase>'
MISSED = '<testcase name="(j) mutant: a port that knows all"><failure message="Proved did not equal Refuted"/></testcase>'


class Prove(unittest.TestCase):
    def rows(self, *cases):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "TEST-Proof.xml")
            with open(path, "w") as file:
                file.write("<testsuite>" + "".join(cases) + "</testsuite>")
            return list(prove.rows([path]))

    def complaints(self, *cases):
        found = self.rows(*cases)
        return list(prove.complaints(found, prove.summary(found)))

    def test_a_proof_is_a_row_with_the_mutants_of_its_property(self):
        self.assertEqual(prove.summary(self.rows(*PASSED, BOUNDED)), [
            {"property": "a", "design": "a core", "proved": "18 cycles", "seconds": 5.0, "mutants": 0, "refuted": 0},
            {"property": "j", "design": "two ports", "proved": "without bound", "seconds": 2.0, "mutants": 1, "refuted": 1}])
        self.assertEqual(self.complaints(*PASSED), [])

    def test_a_proof_that_times_out_is_not_proved(self):
        proofs = prove.summary(self.rows(*PASSED, TIMED_OUT))
        self.assertEqual(proofs[0]["proved"], "not proved: Undecided did not equal Proved")
        self.assertEqual(prove.count_unbounded(proofs), (1, 2))
        self.assertIn("(b) without bound: a store: Undecided did not equal Proved", self.complaints(*PASSED, TIMED_OUT))

    def test_a_bounded_proof_is_not_without_bound(self):
        self.assertEqual(prove.count_unbounded(prove.summary(self.rows(*PASSED, BOUNDED))), (1, 2))

    def test_a_mutant_that_is_not_refuted_or_not_there_fails(self):
        self.assertEqual(self.complaints(*PASSED, MISSED), ["(j) mutant: a port that knows all: Proved did not equal Refuted"])
        self.assertEqual(self.complaints(BOUNDED), ["(a) no mutant was refuted"])
        self.assertEqual(self.complaints(), ["no proof ran"])

    def test_a_test_that_is_no_proof_is_refused(self):
        with self.assertRaisesRegex(SystemExit, "no proof: sum"):
            self.rows('<testcase name="sum"/>')


if __name__ == "__main__":
    unittest.main()
