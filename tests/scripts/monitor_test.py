"""The microcode of secure contexts on this machine: against a model of its chip (tests/contexts/host), and its assembly on QEMU (tests/contexts/assembly)."""

import os
import subprocess
import unittest

TOP = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))


class Monitor(unittest.TestCase):
    def succeed(self, folder, target):
        done = subprocess.run(["make", "--no-print-directory", "-C", os.path.join(TOP, "tests", "contexts", folder), target], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True)
        self.assertEqual(done.returncode, 0, done.stdout)
        return done.stdout

    # covers: monitor.rules, monitor.erase
    def test_each_rule_of_the_microcode_holds_alone(self):
        said = self.succeed("host", "run-cases")
        self.assertNotIn("FAILED", said)
        self.assertIn("ok a tag of which any bit is another is refused", said)

    # covers: monitor.harts
    def test_harts_leave_memory_before_others_may_change_it_and_stop_with_empty_caches(self):
        self.succeed("host", "run-harts")

    # covers: monitor.lies
    def test_memory_that_lies_makes_machine_mode_access_nothing_else(self):
        self.assertIn("0 writes where memory says, 0 pages released, 0 without an end, 0 others", self.succeed("host", "run-fuzz"))

    # covers: monitor.registers
    def test_registers_are_kept_and_cleared_and_copies_are_made_as_the_program(self):
        self.succeed("assembly", "run")


if __name__ == "__main__":
    unittest.main()
