"""Tests of python/hauberk/mutation/monitor.py and host.py: each kind of mutant of the microcode, and suites that are not there."""

import os
import tempfile
import unittest
import unittest.mock
from pathlib import Path

from hauberk.mutation import campaign, host, monitor

TOP = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
SOURCE = """#define MOST 7  // of 9
// A comment with 5 < 6
static bool is_there(const uint64_t *words, unsigned count) {
  _Static_assert(MOST < 8, "few");
  uint64_t found = 0;
  for (unsigned i = 0; i < count; i++) found |= words[i] & MASK;
  if (!found || count > MOST) return false;
  stop();
  flush();
  memcpy(to, words, count);
  clear(sizeof found);
  while (!is_done()) {
  }
  if (found == 5) error = forget();
  return error ? TEE_INVALID : 0;
}
"""
ASSEMBLY = """  .globl go_on
go_on:                        # as whose frame a0 is
  csrw mscratch, a0
1:
  .irp n, 1, 3, 31
  ld x\\n, 8*\\n(sp)
  .endr
  mret  # to the supervisor
"""


class Mutants(unittest.TestCase):
    def setUp(self):
        self.mutants = monitor.mutants("pages.c", SOURCE)

    def of(self, kind):
        return [(mutant.before, mutant.after) for mutant in self.mutants if mutant.kind == kind]

    def test_each_kind_changes_one_thing(self):
        self.assertEqual(self.of("check"), [("(!found || count > MOST)", "(1)"), ("(!found || count > MOST)", "(0)"), ("(!is_done())", "(0)"),
                                            ("(found == 5)", "(1)"), ("(found == 5)", "(0)"), ("error", "1"), ("error", "0")])
        self.assertEqual(self.of("joined"), [("!found || count > MOST", "(!found)"), ("!found || count > MOST", "(count > MOST)")])
        self.assertEqual(self.of("opposite"), [("!found", "!!(found)"), ("false", "true")])
        self.assertEqual(self.of("limit"), [("i < count", "(i) <= (count)"), ("count > MOST", "(count) >= (MOST)")])
        self.assertEqual(self.of("shorter"), [("i < count", "i < count - 1"), ("count", "(count) / 2"), ("sizeof found", "(sizeof found / 2)")])
        self.assertEqual(self.of("operand"), [("found |= words[i] & MASK", "found = words[i] & MASK"), ("words[i] & MASK", "(words[i])"), ("words[i] & MASK", "(MASK)")])
        self.assertEqual(self.of("number"), [("MOST: 7", "(7 + 1)"), *[(number, f"({number} + 1)") for number in ("0", "0", "5", "0")]])
        self.assertEqual([before for before, _ in self.of("skipped")], ["stop();", "flush();", "memcpy(to, words, count);", "clear(sizeof found);", "error = forget();"])
        self.assertEqual(self.of("swapped")[0], ("stop(); flush();", "flush(); stop();"))
        self.assertEqual(self.of("result"), [("error ? TEE_INVALID : 0", "0")])

    def test_a_mutant_has_its_place_and_is_found_again(self):
        moved = "// more\n" + SOURCE.replace("clear(sizeof found);", "clear();")
        for mutant in self.mutants:
            self.assertRegex(mutant.place, r"^microcode/pages\.c:\d+$")
            self.assertNotEqual(monitor.changed("pages.c", SOURCE, mutant), SOURCE)
            self.assertEqual(monitor.changed("pages.c", moved, mutant) is None, "sizeof" in mutant.before or "clear" in mutant.before, mutant)
        limit = next(mutant for mutant in self.mutants if mutant.before == "count > MOST")
        self.assertEqual((limit.module, limit.place), ("pages.c:is_there", "microcode/pages.c:7"))
        self.assertIn("if (!found || (count) >= (MOST)) return false;", monitor.changed("pages.c", SOURCE, limit))

    def test_instructions_and_registers_are_left_out_of_assembly(self):
        mutants = monitor.mutants("entry.S", ASSEMBLY)
        self.assertEqual([(mutant.kind, mutant.before, mutant.module) for mutant in mutants],
                         [("skipped", "csrw mscratch, a0", "entry.S:go_on"), *[("register", f"{number} of 1, 3, 31", "entry.S:go_on") for number in (1, 3, 31)],
                          ("skipped", "ld x\\n, 8*\\n(sp)", "entry.S:go_on"), ("skipped", "mret", "entry.S:go_on")])
        self.assertIn("  .irp n, 1, 31\n", monitor.changed("entry.S", ASSEMBLY, mutants[2]))
        self.assertIn("  # to the supervisor", monitor.changed("entry.S", ASSEMBLY, mutants[-1]))

    def test_each_source_has_mutants_and_a_suite(self):
        for path in monitor.sources(TOP):
            mutants = monitor.mutants(path.name, path.read_text())
            self.assertTrue(mutants, path)
            self.assertTrue(set(host.suites_of(mutants[0])) <= set(host.SUITES))


class Judgement(unittest.TestCase):
    """What a suite says, with a folder of make's in the place of the tests."""

    def judged(self, run, built="true", seconds=20):
        with tempfile.TemporaryDirectory(prefix="hauberk-mutants-") as top:
            for folder in ("microcode", "tests/contexts/host", "tests/build/host", "try"):
                os.makedirs(os.path.join(top, folder))
            Path(top, "microcode", "pages.c").write_text(SOURCE)
            mutant = monitor.mutants("pages.c", SOURCE)[3]
            Path(top, "tests", "contexts", "host", "Makefile").write_text(f"$(BUILD)/cases:\n\t@{built}\nrun-cases:\n\t@{run}\n")
            row = campaign.tried(mutant, [{"library": "monitor", "suite": "cases", "seconds": 1}], host.HostTests(top), os.path.join(top, "try"), 10)
            self.assertEqual(Path(top, "microcode", "pages.c").read_text(), SOURCE)
            return row["outcome"], row["test"]

    def test_what_passes_survives_and_what_fails_is_named(self):
        self.assertEqual(self.judged("echo ok a page is cleared"), ("survived", ""))
        self.assertEqual(self.judged("echo FAILED a page is cleared; exit 1"), ("noticed", "a page is cleared"))
        self.assertEqual(self.judged("echo machine mode writes where memory says; exit 1"), ("noticed", "machine mode writes where memory says"))
        self.assertEqual(self.judged("kill -9 $$$$"), ("noticed", ""))

    def test_the_tests_see_the_mutant(self):
        self.assertEqual(self.judged("grep -q 'if (0) return false' $(MICROCODE)/pages.c || exit 1"), ("noticed", ""))
        self.assertEqual(self.judged("grep -q 'for (unsigned i = 0' $(MICROCODE)/pages.c || exit 1"), ("survived", ""))

    def test_what_does_not_compile_and_what_hangs_are_told_apart(self):
        self.assertEqual(self.judged("false", built="false"), ("not built", ""))
        with unittest.mock.patch.object(campaign, "LONGER", 0.5), unittest.mock.patch.object(campaign, "SLOWER", 0):
            self.assertEqual(self.judged("sleep 100"), ("noticed by time", ""))


if __name__ == "__main__":
    unittest.main()
