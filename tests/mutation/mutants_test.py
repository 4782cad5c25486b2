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
from hauberk.mutation import campaign, equivalence, schemata, simulator, verilog
from hauberk.mutation.suites import Run, Suites

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

    def test_nothing_is_late_without_a_clock_and_what_is_not_read_is_no_choice(self):
        module = MODULE.replace("  input         clock,", "  input         tick,").replace("posedge clock", "posedge tick").replace(": expected", ": 32'bx")
        self.assertEqual({mutant.kind for mutant in self.mutants} - {mutant.kind for mutant in verilog.mutants(module)}, {"late", "choice"})

    def test_a_mutant_is_found_again_after_changes_elsewhere(self):
        moved = MODULE.replace("Group_3", "Group").replace(":12:", ":99:").replace("  reg  [31:0]", "  reg other;\n  reg  [31:0]")
        self.assertEqual(set(verilog.mutants(moved)), set(self.mutants))
        self.assertNotEqual(set(verilog.mutants(MODULE.replace("same | reset", "same"))), set(self.mutants))

    def test_numbers_and_comments_of_firtool_do_not_matter(self):
        def renamed(name, comment):
            return set(verilog.mutants(re.sub(r"\bsame\b", name, MODULE).replace("expected;", "expected" + comment + ";", 1)))
        self.assertEqual(renamed("_GEN_8", ""), renamed("_GEN", ""))
        self.assertEqual(renamed("_hits_T_24", "\n    // B.scala:2\n"), renamed("_hits_T_3", ""))
        self.assertNotEqual(renamed("io_in_1", ""), renamed("io_in_2", ""))


class Simulators(unittest.TestCase):
    def setUp(self):
        made = tempfile.TemporaryDirectory(prefix="hauberk-mutants-")
        self.addCleanup(made.cleanup)
        self.addCleanup(os.chdir, os.getcwd())
        self.folder = made.name
        os.chdir(self.folder)
        self.mutants = verilog.mutants(MODULE)

    def put(self, names, mutants, texts=None):
        """What the simulator's verilator does; the sources afterwards."""
        for name, text in (texts or {name: MODULE.replace("Group_3", name) for name in names}).items():
            Path(name + ".sv").write_text(text)
        Path("mutants.json").write_text(json.dumps([campaign.identity(mutant) for mutant in mutants]))
        said = simulator.main(self.folder, *(name + ".sv" for name in names))
        return said, [Path(name + ".sv").read_text() for name in names]

    def test_modules_are_noted_once(self):
        for name in ("Group_3", "Other"):
            Path(name + ".sv").write_text(MODULE.replace("Group_3", name))
        for _ in range(2):
            self.assertIsNone(simulator.main(self.folder, "Group_3.sv", "Other.sv"))
        self.assertEqual(len(os.listdir("modules")), 2)

    def test_mutants_are_in_their_module_only(self):
        said, (group, other) = self.put(["Group_3", "Other"], self.mutants[:2])
        self.assertEqual(said, simulator.MUTATED)
        self.assertIn("hauberk_mutant == 2 ?", group)
        self.assertEqual(other, MODULE.replace("Group_3", "Other"))
        self.assertEqual([Path(name).read_text() for name in ("mutants", "present")], ["1\n2\n"] * 2)

    def test_a_simulator_without_a_place_for_them_is_as_it_was(self):
        self.assertEqual(self.put(["Other"], self.mutants), (0, [MODULE.replace("Group_3", "Other")]))
        self.assertEqual(Path("mutants").read_text(), "")

    def test_a_file_of_several_modules_has_them_in_each_that_is_of_the_source(self):
        _, (text,) = self.put(["top"], self.mutants, {"top": "".join([MODULE, MODULE.replace("Group_3", "Group"), MODULE.replace("Group_3", "Other")])})
        self.assertEqual([part.count("integer hauberk_mutant") for part in text.split("endmodule")[:3]], [1, 1, 0])

    def test_a_simulator_does_what_its_mutant_does_and_what_the_module_does_without_one(self):
        """Yosys finds the circuits equivalent: the text with all mutants, of which one is chosen, and the text with that one alone."""
        numbers = {mutant: number for number, mutant in enumerate(self.mutants, 1)}
        text, having = schemata.with_mutants(MODULE, numbers, "/nowhere")
        self.assertEqual(having, set(numbers.values()))
        for mutant, number in [(None, 0), *numbers.items()]:
            chosen = re.sub(r"\n  function .*?endfunction\n  integer hauberk_mutant = .*?;", f"\n  localparam hauberk_mutant = {number};", text, flags=re.S)
            alone = verilog.changed(MODULE, mutant) if mutant else MODULE
            Path("both.sv").write_text(alone.replace("module Group_3", "module alone") + chosen.replace("module Group_3", "module chosen"))
            script = ("read_verilog -sv -DSYNTHESIS both.sv; proc; async2sync; opt_clean; equiv_make alone chosen both; hierarchy -top both; opt_clean; "
                      "equiv_simple -undef; equiv_induct -undef; equiv_status -assert")
            done = subprocess.run(["yosys", "-q", "-p", script], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            self.assertEqual(done.returncode, 0, f"{mutant}: {done.stdout}")

    def test_all_of_it_is_verilog(self):
        _, _ = self.put(["Group_3"], self.mutants)
        done = subprocess.run(["verilator", "--lint-only", "-Wno-fatal", "-Wno-DECLFILENAME", "Group_3.sv"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.assertEqual(done.returncode, 0, done.stdout)


class Equivalence(unittest.TestCase):
    """A counter that never passes 9, beside a submodule, with a table of two dimensions and a variable of an always block."""

    MODULE = """module Count(
  input        clock,	{at}
               reset,	{at}
               io_step,	{at}
  input  [3:0] io_row,	{at}
  output [7:0] io_cell,	{at}
  output       io_full,	{at}
               io_out	{at}
);

  wire       _inner_io_ready;	{at}
  reg  [3:0] count;	{at}
  reg        unused;	{at}
  wire       full = count == 4'h9;	{at}
  wire [3:0][7:0] _GEN = {{{{8'h3}}, {{8'h4}}, {{8'h5}}, {{4'h0, count}}}};	{at}
  always @(posedge clock) begin
    automatic logic steps;	{at}
    steps = io_step & _inner_io_ready;	{at}
    if (reset) begin	{at}
      count <= 4'h0;	{at}
      unused <= 1'h0;	{at}
    end
    else begin	{at}
      unused <= full;	{at}
      if (steps)	{at}
        count <= count >= 4'h9 ? 4'h0 : count + 4'h1;	{at}
    end
  end // always @(posedge)
  Inner inner (	{at}
    .clock    (clock),
    .io_ready (_inner_io_ready),
    .io_count (count == 4'h3 ? count : 4'hF),	{at}
    .io_other (/* unused */)
  );	{at}
  assign io_cell = _GEN[io_row[1:0] ^ {{1'h0, full}}];	{at}
  assign io_full = full & count > 4'h8;	{at}
  assign io_out = full ? ~io_step : io_row[2];	{at}
endmodule
""".format(at=AT % 3)

    def proved(self):
        """Of each mutant, by kind and text before."""
        return {(mutant.kind, mutant.before, mutant.after): equivalence.proved("\n" + self.MODULE, mutant) for mutant in verilog.mutants(self.MODULE)}

    def test_what_changes_nothing_is_proved_and_nothing_else(self):
        proved = self.proved()
        self.assertGreater(len(proved), 15)
        nothing = {key for key, same in proved.items() if same}
        self.assertEqual(nothing, {("kept", "unused <= full", "unused <= unused"), ("kept", "unused <= 1'h0", "unused <= unused"),
                                   ("condition", "full & count > 4'h8", "(full)"),
                                   ("condition", "full & count > 4'h8", "(count > 4'h8)"), ("bound", "count > 4'h8", "((count) >= (4'h8))")})

    def test_what_yosys_cannot_read_is_not_proved(self):
        mutant = verilog.mutants(self.MODULE)[0]
        self.assertFalse(equivalence.proved(self.MODULE.replace("endmodule", "  covergroup broken; endgroup\nendmodule"), mutant))
        self.assertFalse(equivalence.proved(self.MODULE.replace("module Count", "module Other"), mutant))


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


class Told:
    """A suite that says of mutants what it is told, by the text before, each time that it runs."""

    def __init__(self, *runs):
        self.runs, self.tried = list(runs), []

    def __call__(self, folder):
        identities = json.loads(Path(folder, "mutants.json").read_text())
        self.tried.append([identity["before"] for identity in identities])
        run, present, noticed = self.runs.pop(0)(identities)
        Path(folder, "present").write_text("".join(f"{number}\n" for number in present))
        run.noticed = noticed
        if run.outcome == "not built":
            Path(folder, "not-built").touch()
        return run


class Judged(unittest.TestCase):
    """What comes of many mutants on one suite."""

    def judged(self, *runs):
        told = Told(*runs)
        mutants = verilog.mutants(MODULE)[:4]
        with tempfile.TemporaryDirectory(prefix="hauberk-mutants-") as folder:
            found = campaign.judged(mutants, told, folder)
        return [found[mutant] for mutant in mutants], [len(tried) for tried in told.tried]

    def test_each_has_its_outcome_and_the_time_of_its_test(self):
        run = Run("passed", built={"quick": 2000, "slow": 9000})
        found, _ = self.judged(lambda _: (run, {1, 2, 3}, {1: ("noticed", "slow"), 2: ("noticed by time", "quick")}))
        self.assertEqual(found, [("noticed", "slow", 9), ("noticed by time", "quick", 2), ("survived", "", 0), ("absent", "", 0)])

    def test_a_mutant_at_which_it_ends_is_noticed_by_time_and_the_others_are_tried_again(self):
        ended = Run("ended", test="quick", mutant=2, built={"quick": 2000})
        found, tried = self.judged(lambda _: (ended, {1, 2, 3, 4}, {1: ("noticed", "quick")}), lambda _: (Run("passed"), {1, 2}, {}))
        self.assertEqual([outcome for outcome, _, _ in found], ["noticed", "noticed by time", "survived", "survived"])
        self.assertEqual(tried, [4, 2])

    def test_a_mutant_that_is_not_built_is_found_by_halves(self):
        bad = verilog.mutants(MODULE)[2]

        def run(identities):
            if campaign.identity(bad) in identities:
                return Run("not built"), set(), {}
            return Run("passed"), set(range(1, 1 + len(identities))), {}
        found, tried = self.judged(*[run] * 9)
        self.assertEqual([outcome for outcome, _, _ in found], ["survived", "survived", "not built", "survived"])
        self.assertEqual(tried, [4, 2, 2, 1, 1])

    def test_a_suite_that_fails_without_a_mutant_is_no_judge(self):
        for run in (Run("failed", test="quick", message="false"), Run("ended")):
            with self.assertRaises(campaign.Unsound):
                self.judged(lambda _, run=run: (run, set(), {}))

    def test_the_quickest_test_that_notices_is_named(self):
        row = {"outcome": "absent", "library": "", "suite": "", "test": "", "seconds": 0}
        for suite, outcome, test, seconds in (("A", "survived", "", 0), ("B", "noticed", "slow", 9), ("C", "noticed by time", "stops", 1),
                                              ("D", "noticed", "quick", 2), ("E", "absent", "", 0), ("F", "noticed", "slower", 12)):
            campaign.hear(row, "bus", suite, outcome, test, seconds)
        self.assertEqual(row, {"outcome": "noticed", "library": "bus", "suite": "D", "test": "quick", "seconds": 2})

    def test_the_suite_of_the_source_is_first_then_all_others_in_time(self):
        suites = [{"suite": name, "seconds": seconds} for name, seconds in (("a.Slow", 90), ("a.Quick", 5), ("a.Medium", 20), ("a.GroupSpec", 10))]
        ordered = campaign.in_order(suites, verilog.mutants(MODULE)[0])
        self.assertEqual([suite["suite"] for suite in campaign.first(ordered)], ["a.GroupSpec"])
        self.assertEqual([suite["suite"] for suite in campaign.others(ordered, 40)], ["a.Quick", "a.Medium"])


class Suite(unittest.TestCase):
    """What a suite says, with a program in Java's place."""

    def run_of(self, *said, silent=20):
        with tempfile.TemporaryDirectory(prefix="hauberk-mutants-") as folder:
            java = os.path.join(folder, "bin", "java")
            os.makedirs(os.path.dirname(java))
            Path(java).write_text("#!/bin/sh\n" + "\n".join(said))
            os.chmod(java, 0o755)
            runner = Suites(TOP, {"bus": "classes"}, sys.executable)
            runner.environment["PATH"] = os.pathsep.join([os.path.dirname(java), runner.environment["PATH"]])
            with unittest.mock.patch.dict(os.environ, PATH=runner.environment["PATH"]):
                return runner.run("bus", "GroupSpec", folder, silent=silent)

    def line(self, *fields):
        return "printf 'repeated%s\\n' '" + "".join("\t" + field for field in fields) + "'"

    def test_a_suite_that_passes(self):
        run = self.run_of("echo noise", self.line("built", "a", "70"), self.line("trying", "1", "a"), self.line("noticed", "1", "a"), self.line("trying", "2", "a"),
                          self.line("slow", "2", "a"), self.line("passed", "80"))
        self.assertEqual((run.outcome, run.test, run.built, run.noticed, run.milliseconds),
                         ("passed", "", {"a": 70}, {1: ("noticed", "a"), 2: ("noticed by time", "a")}, 80))

    def test_no_tests_and_a_test_that_fails(self):
        self.assertEqual(self.run_of(self.line("empty")).outcome, "empty")
        run = self.run_of(self.line("built", "a", "70"), self.line("failed", "a", "1 is not 2"))
        self.assertEqual((run.outcome, run.test, run.message), ("failed", "a", "1 is not 2"))

    def test_a_crash_and_one_that_hangs_end_at_a_mutant_or_without(self):
        for end, silent in (("exit 1", 20), ("sleep 100", 0.5)):
            self.assertEqual(self.run_of(end, silent=silent).mutant, 0)
            run = self.run_of(self.line("built", "a", "70"), self.line("trying", "3", "a"), end, silent=silent)
            self.assertEqual((run.outcome, run.test, run.mutant), ("ended", "a", 3))


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
