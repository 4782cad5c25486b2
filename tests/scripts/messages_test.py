"""Starts tests/contexts/messages/check.py, in its environment."""

import os
import subprocess
import sys
import unittest

TOP = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
MESSAGES = os.path.join(TOP, "tests", "contexts", "messages")
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(TOP, "scripts"))
import environment


class Messages(unittest.TestCase):
    def test_the_microcode_signs_and_decrypts_as_the_world_outside_does(self):
        subprocess.run(["make", "--no-print-directory", "-C", MESSAGES], check=True)
        python = environment.python("attest/requirements.txt", "what checks signatures")
        done = subprocess.run([python, os.path.join(MESSAGES, "check.py")], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.assertEqual(done.returncode, 0, done.stdout)
