"""Tests of python/hauberk/mutation: each kind of mutant, and a campaign on suites that are not there."""

import collections
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
import unittest.mock
from pathlib import Path

from hauberk import table
from hauberk.mutation import campaign, simulator, verilog
from hauberk.mutation.suites import Suites

TOP = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
AT = "// generators/bus/src/main/scala/hauberk/bus/Group.scala:%d:5, :9:{7,9}"
MODULE = f"""module Group_3(	// generators/bus/src/main/scala/hauberk/bus/Group.scala:3:7
  input         clock,	{AT % 3}
                reset,	{AT % 3}
                io_corrupt,	{AT % 4}
  input  [31:0] io_tag,	{AT % 5}
  output        io_ok	{AT % 6}
);

  reg  [31:0] expected;	{AT % 7}
  wire        same = io_tag == expected;	{AT % 8}
  wire        foreign = same & ~io_corrupt;	// src/main/scala/chisel3/util/Mux.scala:50:70
  `ifndef SYNTHESIS	{AT % 9}
    always @(posedge clock) begin	{AT % 9}
      if (~reset & ~(same | io_corrupt))	{AT % 9}
        $fatal;	{AT % 9}
    end // always @(posedge)
  `endif // not def SYNTHESIS
  always @(posedge clock) begin
    if (reset)
      expected <= 32'h0;	{AT % 7}
    else if (io_corrupt)	{AT % 10}
      expected <= io_tag < 32'h9 ? io_tag : expected;	{AT % 11}
  end // always @(posedge)
  `ifdef ENABLE_INITIAL_REG_	{AT % 3}
    initial begin
      expected = {{32{{~reset}}}};	{AT % 7}
    end // initial
  `endif // ENABLE_INITIAL_REG_
  assign io_ok = (same | reset) & ~io_corrupt;	{AT % 12}
endmodule
"""


class Mutants(unittest.TestCase):
    def setUp(self):
        self.mutants = verilog.mutants(MODULE)

    def of(self, kind):
        return [(mutant.before, mutant.after, mutant.place.rpartition(":")[2]) for mutant in self.mutants if mutant.kind == kind]

    def line(self, kind, number=0):
        """The changed lines of the module."""
        mutant = [mutant for mutant in self.mutants if mutant.kind == kind][number]
        before = MODULE.splitlines()
        return [line.partition("\t")[0].strip() for line in verilog.changed(MODULE, mutant).splitlines() if line not in before]

    def test_each_kind_changes_one_thing(self):
        self.assertEqual(self.of("condition"), [("(same | reset) & ~io_corrupt", "(same | reset)", "12"), ("(same | reset) & ~io_corrupt", "(~io_corrupt)", "12"),
                                                ("same | reset", "(same)", "12"), ("same | reset", "(reset)", "12")])
        self.assertEqual(self.of("inverted"), [("~io_corrupt", "(io_corrupt)", "12")])
        self.assertEqual(self.of("always"), [("io_corrupt", "1'h1", "10")])
        self.assertEqual(self.of("bound"), [("io_tag < 32'h9", "((io_tag) <= (32'h9))", "11")])
        self.assertEqual([after for _, after, _ in self.of("choice")], ["(io_tag)", "(expected)"])
        self.assertEqual(self.line("kept", 1), ["expected <= expected;"])

    def test_a_narrower_comparison_ignores_one_bit(self):
        (changed,) = self.line("narrow")
        mask = int(changed.partition("32'h")[2].partition(")")[0], 16)
        self.assertEqual(bin(mask).count("1"), 31)
        self.assertIn("((io_tag) ^ (expected))", changed)

    def test_a_late_condition_is_a_register(self):
        self.assertEqual(self.line("late"), ["reg same_late;", "always @(posedge clock) same_late <= io_tag == expected;", "wire        same = same_late;"])

    def test_an_ignored_input_is_ignored_wherever_it_is_read(self):
        self.assertEqual(self.line("ignored"), ["wire        foreign = same & ~1'h0;", "else if (1'h0)", "assign io_ok = (same | reset) & ~1'h0;"])

    def test_neither_assertions_nor_initial_values_nor_foreign_sources_have_mutants(self):
        self.assertEqual({mutant.place.rpartition(":")[2] for mutant in self.mutants} & {"9", "50"}, set())
        self.assertFalse([mutant for mutant in self.mutants if "32{" in mutant.before])

    def test_every_mutant_is_verilog(self):
        with tempfile.TemporaryDirectory(prefix="hauberk-mutants-") as folder:
            for at, mutant in enumerate(self.mutants):
                path = os.path.join(folder, f"Group_3_{at}.sv")
                with open(path, "w") as file:
                    file.write(verilog.changed(MODULE, mutant))
                done = subprocess.run(["verilator", "--lint-only", "-Wno-fatal", "-Wno-DECLFILENAME", path], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
                self.assertEqual(done.returncode, 0, f"{mutant}: {done.stdout}")

    def test_a_mutant_is_found_again_after_changes_elsewhere(self):
        moved = MODULE.replace("Group_3", "Group").replace(":12:", ":99:").replace("  reg  [31:0]", "  reg other;\n  reg  [31:0]")
        for mutant in self.mutants:
            self.assertIsNotNone(verilog.changed(moved, mutant))
        self.assertIsNone(verilog.changed(MODULE.replace("same | reset", "same"), next(mutant for mutant in self.mutants if mutant.before == "same | reset")))


class Simulator(unittest.TestCase):
    def setUp(self):
        made = tempfile.TemporaryDirectory(prefix="hauberk-mutants-")
        self.addCleanup(made.cleanup)
        self.folder = made.name
        self.group, self.other = self.sources = [os.path.join(self.folder, name) for name in ("Group_3.sv", "Other.sv")]
        for path in self.sources:
            Path(path).write_text(MODULE.replace("Group_3", Path(path).stem))

    def test_modules_are_noted_once(self):
        for _ in range(2):
            self.assertIsNone(simulator.main(self.folder, *self.sources))
        self.assertEqual(len(os.listdir(os.path.join(self.folder, "modules"))), 2)

    def test_a_mutant_is_in_its_module_only(self):
        mutant = verilog.mutants(MODULE)[0]
        Path(self.folder, "mutant.json").write_text(json.dumps(campaign.identity(mutant)))
        self.assertEqual(simulator.main(self.folder, *self.sources), simulator.MUTATED)
        self.assertEqual(Path(self.group).read_text(), verilog.changed(MODULE, mutant))
        self.assertEqual(Path(self.other).read_text(), MODULE.replace("Group_3", "Other"))
        self.assertTrue(os.path.exists(os.path.join(self.folder, "mutated")))

    def test_a_file_of_several_modules_has_the_mutant_in_each_that_is_of_its_source(self):
        mutant = verilog.mutants(MODULE)[0]
        Path(self.folder, "mutant.json").write_text(json.dumps(campaign.identity(mutant)))
        parts = [MODULE, MODULE.replace("Group_3", "Group"), MODULE.replace("Group_3", "Other")]
        Path(self.group).write_text("".join(parts))
        self.assertEqual(simulator.main(self.folder, self.group), simulator.MUTATED)
        self.assertEqual(Path(self.group).read_text(), "".join([*(verilog.changed(part, mutant) for part in parts[:2]), parts[2]]))


class Invented:
    """Suites that end as they are told, and say whether they have simulated the mutant."""

    def __init__(self, **outcomes):
        self.outcomes, self.ran = outcomes, []

    def run(self, library, suite, folder, seconds):
        self.ran.append(suite)
        outcome, *marks = self.outcomes[suite].split("/")
        for mark in marks:
            Path(folder, mark).touch()
        return 2, outcome, "a test" if outcome == "failed" else ""


class Campaign(unittest.TestCase):
    def tried(self, seconds=None, most=100, **outcomes):
        runner = Invented(**outcomes)
        suites = [{"library": "bus", "suite": name, "seconds": (seconds or {}).get(name, 10)} for name in outcomes]
        with tempfile.TemporaryDirectory(prefix="hauberk-mutants-") as folder:
            return campaign.tried(verilog.mutants(MODULE)[0], suites, runner, os.path.join(folder, "try"), most), runner.ran

    def test_the_suite_of_the_source_is_first_then_the_quickest(self):
        row, ran = self.tried({"Slow": 20}, Slow="passed", Quick="passed/mutated", GroupSpec="passed")
        self.assertEqual((row["outcome"], ran), ("survived", ["GroupSpec", "Quick", "Slow"]))

    def test_the_first_failure_ends_it(self):
        row, ran = self.tried(GroupSpec="failed/mutated", Quick="passed")
        self.assertEqual((row["outcome"], row["library"], row["suite"], row["test"], ran), ("noticed", "bus", "GroupSpec", "a test", ["GroupSpec"]))

    def test_a_suite_that_hangs_and_a_mutant_that_is_no_verilog_are_told_apart(self):
        self.assertEqual(self.tried(GroupSpec="slow/mutated")[0]["outcome"], "noticed by time")
        self.assertEqual(self.tried(GroupSpec="failed/mutated/not-built")[0]["outcome"], "not built")

    def test_a_mutant_that_nothing_simulates_is_absent(self):
        for said in ("passed", "failed", "slow"):
            self.assertEqual(self.tried(GroupSpec=said)[0]["outcome"], "absent")

    def test_what_would_take_too_long_is_not_tried(self):
        row, ran = self.tried({"Slow": 90}, 95, Quick="passed/mutated", Slow="failed/mutated")
        self.assertEqual((row["outcome"], ran), ("survived", ["Quick"]))

    def test_a_source_is_known_by_its_name_alone(self):
        short = re.sub(r"generators/\S+/", "", MODULE)
        self.assertEqual([(mutant, mutant.place) for mutant in verilog.mutants(short)], [(mutant, mutant.place) for mutant in verilog.mutants(MODULE)])

    def test_the_table_is_read_as_it_was_written(self):
        row, _ = self.tried(GroupSpec="failed/mutated")
        (again,) = table.read(campaign.report([row]))
        self.assertEqual(again, {name: str(value) for name, value in row.items()})
        self.assertEqual(campaign.mutant_of(again), verilog.mutants(MODULE)[0])

    def test_a_choice_has_every_source_and_many_kinds(self):
        other = verilog.mutants(MODULE.replace("Group", "Frame"))
        chosen = campaign.chosen([*verilog.mutants(MODULE), *other], 10)
        self.assertEqual(collections.Counter(mutant.module for mutant in chosen), {"Group": 5, "Frame": 5})
        self.assertEqual(len({mutant.kind for mutant in chosen if mutant.module == "Group"}), 5)
        self.assertEqual(chosen, campaign.chosen([*other, *verilog.mutants(MODULE)], 10))

    def test_all_comparisons_and_limits_are_among_them(self):
        mutants = verilog.mutants(MODULE)
        whole = {mutant for mutant in mutants if mutant.kind in campaign.WHOLE}
        self.assertTrue(whole)
        self.assertLessEqual(whole, set(campaign.chosen(mutants, 2 * len(whole))))
        self.assertEqual(len(campaign.chosen(mutants, 2 * len(whole))), 2 * len(whole))


class Judgement(unittest.TestCase):
    """What a suite's output says, with a program in Java's place."""

    def judged(self, script, seconds=20):
        with tempfile.TemporaryDirectory(prefix="hauberk-mutants-") as folder:
            java = os.path.join(folder, "bin", "java")
            os.makedirs(os.path.dirname(java))
            Path(java).write_text("#!/bin/sh\n" + script)
            os.chmod(java, 0o755)
            runner = Suites(TOP, {"bus": "classes"}, sys.executable)
            runner.environment["PATH"] = os.pathsep.join([os.path.dirname(java), runner.environment["PATH"]])
            with unittest.mock.patch.dict(os.environ, PATH=runner.environment["PATH"]):
                return runner.run("bus", "GroupSpec", folder, seconds)[1:]

    def test_a_suite_that_passes(self):
        self.assertEqual(self.judged("echo 'Tests: succeeded 3, failed 0, canceled 0'"), ("passed", ""))

    def test_no_tests_and_no_suite(self):
        self.assertEqual(self.judged("echo 'Tests: succeeded 0, failed 0, canceled 0'"), ("empty", ""))
        self.assertEqual(self.judged("echo '*** RUN ABORTED ***'; echo 'One or more requested classes are not Suites:  GroupSpec'"), ("empty", ""))

    def test_the_first_failure_ends_it(self):
        self.assertEqual(self.judged("echo '- a page is erased *** FAILED *** (2 seconds)'; sleep 100"), ("failed", "a page is erased"))

    def test_a_crash_is_a_failure_and_one_that_hangs_is_slow(self):
        self.assertEqual(self.judged("exit 1"), ("failed", ""))
        self.assertEqual(self.judged("sleep 100", seconds=0.5), ("slow", ""))


class Command(unittest.TestCase):
    def test_bad_input_is_refused(self):
        for given, said in ((["banana"], "there is no library banana: name some of"), (["--of", "0"], "at least 1"),
                            (["memory", "--files", "Frame"], "there is no source file Frame.scala"),
                            (["bus", "--files", "Frame", "--record"], "leave out --kinds and --files"),
                            *([] if os.path.exists(os.path.join(TOP, "tests", "mutants.csv")) else [(["--sample", "3"], "no campaign is recorded")])):
            done = subprocess.run([sys.executable, os.path.join(TOP, "scripts", "mutate"), *given], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            self.assertEqual(done.returncode, 1)
            self.assertIn(said, done.stdout)


if __name__ == "__main__":
    unittest.main()
