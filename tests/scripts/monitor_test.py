"""The microcode of secure contexts on this machine, against a model of its chip whose memory lies (tests/contexts/host)."""

import os
import subprocess
import unittest

TOP = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
LIES = 5000


class Monitor(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        subprocess.run(["make", "--no-print-directory", "-C", os.path.join(TOP, "tests", "contexts", "host")], check=True)

    def succeed(self, program, *arguments):
        done = subprocess.run([os.path.join(TOP, "tests", "build", "host", program), *map(str, arguments)], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True)
        self.assertEqual(done.returncode, 0, done.stdout)
        return done.stdout

    # covers: monitor.lies
    def test_memory_that_lies_makes_machine_mode_access_nothing_else(self):
        self.assertIn("0 writes where memory says, 0 pages released, 0 without an end, 0 others", self.succeed("fuzz", 1, LIES))

    # covers: monitor.erase
    def test_nothing_secret_stays_and_nothing_goes_on_after_an_alarm(self):
        self.assertNotIn("FAILED", self.succeed("orders"))

    # covers: monitor.harts
    def test_harts_leave_memory_before_others_may_change_it_and_stop_with_empty_caches(self):
        self.succeed("start")


if __name__ == "__main__":
    unittest.main()
