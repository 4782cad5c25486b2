"""Folders of invented runs, of which no figure was measured, and the command line on them."""

import contextlib
import io
import json
import os
import shutil
import tempfile
import unittest

from hauberk.study.__main__ import main

NO_TRAFFIC = {"data_reads": 0, "data_writes": 0, "metadata_reads": 0, "metadata_writes": 0}
TIMING = {"latency": 80, "cycles_per_beat": 5, "bus_bytes": 8, "outstanding": 8, "write_queue": 0}


class StudyTest(unittest.TestCase):
    """`self.folder` is removed behind the test; `self.out` in it holds results."""
    maxDiff = None

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="hauberk-study-")
        self.addCleanup(shutil.rmtree, self.folder)
        self.out = os.path.join(self.folder, "out")

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", newline="") as file:
            file.write(text)
        return path

    def read(self, *names):
        with open(os.path.join(self.folder, *names)) as file:
            return file.read()

    def load(self, *names):
        return json.loads(self.read(*names))

    def change(self, name, **fields):
        """Sets fields of a JSON file; a name with __ is one of an object in it."""
        found = self.load(name)
        for key, value in fields.items():
            *outer, last = key.split("__")
            (found[outer[0]] if outer else found)[last] = value
        self.write(name, json.dumps(found))

    def replace(self, name, old, new):
        with open(os.path.join(self.folder, name), newline="") as file:
            text = file.read()
        self.assertIn(old, text)
        self.write(name, text.replace(old, new, 1))

    def remove(self, name):
        os.remove(os.path.join(self.folder, name))

    def invent(self, where, config, program, uart, protected, check=None, dram=None, **more):
        """A run in out/runs/WHERE."""
        dram = {**TIMING, **NO_TRAFFIC, **(dram or {})}
        run = {"config": config, "program": program, "exit_code": 0, "cycles": 2000, "initialisation_cycles": 614400 if protected else 0, "wall_seconds": 2.5,
               "cpu_seconds": 2.0, "dram": dram, "counter_cache": {"hits": 90 if protected else 0, "misses": 10 if protected else 0}, **more}
        check = check or {"protected": protected, "plaintext_words_in_dram": 0 if protected else 77, "dram_check": "pass"}
        for name, text in (("run.json", json.dumps(run)), ("check.json", json.dumps(check)), ("uart.log", uart)):
            self.write(f"out/runs/{where}/{name}", text)

    def study(self, *arguments):
        """(exit code, standard output, standard error) of the command."""
        with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(io.StringIO()) as errors:
            code = main(list(arguments))
        return code, out.getvalue(), errors.getvalue()

    def report(self, plan, *arguments):
        return self.study("report", plan, "--out", self.out, *arguments)

    def assert_fails(self, done, sentence):
        """A run is not as it should be: one sentence, exit code 1, and a report all the same."""
        code, _, errors = done
        self.assertEqual(code, 1, errors)
        self.assertEqual(len(errors.splitlines()), 1, errors)
        self.assertIn(sentence, errors)
        self.assertTrue(self.read("out", "summary.md"))

    def assert_refused(self, done, sentence):
        """Bad input: one sentence and exit code 2."""
        code, _, errors = done
        self.assertEqual(code, 2, errors)
        self.assertEqual(len(errors.splitlines()), 1, errors)
        self.assertIn(sentence, errors)
