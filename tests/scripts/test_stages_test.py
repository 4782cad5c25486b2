"""Results of tests that are kept: what a stage depends on, and what not."""

import os
import re
import sys
import tempfile
import unittest
import unittest.mock

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(TOP, "scripts"))
import test_stages
import tree


def stage(name):
    return next(stage for stage in test_stages.STAGES if stage.name == name)


class Needs(unittest.TestCase):
    def kept_but(self, name):
        """Stages that are run again after a change of this file."""
        self.assertTrue(os.path.exists(os.path.join(TOP, name)), name)
        return {stage.name for stage in test_stages.STAGES if stage.needs is None or stage.needs(name) or test_stages.FOR_ALL.match(name)}

    def test_pages_need_what_reads_them(self):
        always = {stage.name for stage in test_stages.STAGES if stage.needs is None}
        self.assertEqual(always, {"format", "sources", "docs", "scripts", "formats"})
        self.assertEqual(self.kept_but("docs/engine.md"), always)
        self.assertEqual(self.kept_but("README.md"), always)

    def test_pages_that_tests_read(self):
        """A suite that opens a page has it among what it depends on."""
        for folder, names in ("generators/memory/", {"chisel-6.7.0-memory", "chisel-3.2.6"}), ("src/", {"rocket"}):
            for name in tree.walked(TOP):
                if name.startswith(folder) and "/test/" in name and name.endswith(".scala"):
                    with open(os.path.join(TOP, name)) as file:
                        for page in set(re.findall(r'Paths\.get\("(docs/[\w-]+\.md)"', file.read())):
                            self.assertLessEqual(names, self.kept_but(page), name)

    def test_generators(self):
        again = self.kept_but("generators/bus/src/main/scala/hauberk/bus/MaskArray.scala")
        self.assertIn("chisel-6.7.0-bus", again)
        self.assertLessEqual({"rocket", "simulator", "attack", "chisel-3.2.6", "chisel-7.14.0"}, again)
        self.assertNotIn("chisel-6.7.0-memory", again)
        of_crypto = self.kept_but("generators/crypto/src/main/scala/hauberk/crypto/SubBytes.scala")
        self.assertLessEqual({f"chisel-6.7.0-{library}" for library in test_stages.LIBRARIES}, of_crypto)

    def test_all_stages_need_the_build(self):
        for name in "build.sbt", "project/plugins.sbt", "scripts/test_stages.py":
            self.assertEqual(self.kept_but(name), {stage.name for stage in test_stages.STAGES})

    def test_harness_and_programs(self):
        for name in "sims/verilator/Makefile", "tests/Makefile", "microcode/enter.c", "bootrom/bootrom.S":
            self.assertLessEqual({"simulator", "linux", "sealed", "rocket"}, self.kept_but(name))

    def test_place_does_not_count(self):
        """Commands name files below the tree."""
        for stage in test_stages.STAGES:
            if stage.needs:
                self.assertFalse([part for part in stage.placeless() if TOP in part], stage.name)

    def test_a_change_while_a_stage_runs_was_not_tested(self):
        with tempfile.TemporaryDirectory() as folder, unittest.mock.patch.object(test_stages, "TOP", folder):
            def stage():
                return test_stages.Stage("name", "lane", ["true"], needs=lambda name: name == "source")

            def write(text):
                with open(os.path.join(folder, "source"), "w") as file:
                    file.write(text)

            write("before")
            running = stage()
            key = running.key
            write("meanwhile")
            self.assertEqual(running.key, key)
            self.assertNotEqual(stage().key, key)
            write("before")
            self.assertEqual(stage().key, key)


if __name__ == "__main__":
    unittest.main()
