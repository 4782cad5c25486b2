"""Tests of python/hauberk/coverage, on an invented module and invented counts."""

import os
import sys
import tempfile
import unittest
from pathlib import Path

TOP = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
sys.path.insert(0, os.path.join(TOP, "python"))
from hauberk.coverage import points, report, simulator

FILE = "generators/bus/src/main/scala/hauberk/bus/Group.scala"
AT = f"\t// {FILE}:%d:5, :9:{{7,9}}"
MODULE = f"""module Group_3({AT % 3}
  input         clock,{AT % 3}
                reset,{AT % 3}
  input  [31:0] io_tag,{AT % 5}
  output [31:0] io_out{AT % 6}
);

  reg  [31:0] held;{AT % 7}
  wire        same = io_tag == held;{AT % 8}
  wire [31:0] other = same
    ? io_tag
    : held;{AT % 8}
  wire        foreign = same ? reset : ~reset;\t// src/main/scala/chisel3/util/Mux.scala:50:70
  `ifndef SYNTHESIS{AT % 9}
    always @(posedge clock) begin{AT % 9}
      if (~reset & same)
        $fatal;{AT % 9}
    end // always @(posedge)
  `endif // not def SYNTHESIS
  always @(posedge clock) begin{AT % 3}
    automatic logic [7:0][2:0] _GEN_4;{AT % 9}
    _GEN_4 = {{8{{io_tag[2:0]}}}};{AT % 9}
    if (reset){AT % 3}
      held <= 32'h0;{AT % 7}
    else if (same & ~(_GEN_4[1] == 3'h5)){AT % 10}
      held <= _GEN_4[0] == 3'h2 ? io_tag : other;{AT % 11}
  end // always @(posedge)
  assign io_out = (foreign & 1'h1 ? held : other) | (foreign & 1'h1 ? other : held);{AT % 12}
endmodule
"""


def line_of(text, needle):
    return text[:text.index(needle)].count("\n") + 1


class Multiplexers(unittest.TestCase):
    def setUp(self):
        self.text = simulator.marked(MODULE)
        self.added = [line.strip() for line in self.text.split("\n") if line not in MODULE.split("\n")]

    def test_get_a_branch_each_with_their_place(self):
        self.assertEqual(self.added, [f"always @(posedge clock) if ({condition}) begin end else begin end\t// {FILE}:{line}:5, :9:{{7,9}}"
                                      for condition, line in (("same", 8), ("foreign & 1'h1", 12))])

    def test_stay_as_they_are(self):
        self.assertEqual([line for line in self.text.split("\n") if line.strip() not in self.added], MODULE.split("\n"))

    def test_of_modules_without_a_clock_are_watched_too(self):
        text = simulator.marked(f"module M(\n  input a,\n  output b\n);\n  assign b = a ? 1'h0 : 1'h1;{AT % 4}\nendmodule\n")
        self.assertIn("always @(*) if (a) begin end else", text)


class Points(unittest.TestCase):
    """Of a simulator's folder. `counts` are (kind, line, what, lines that it stands for, count)."""

    def of(self, **files):
        with tempfile.TemporaryDirectory() as folder:
            text = simulator.marked(MODULE)
            Path(folder, "Group_3.sv").write_text(text)
            for name, counts in files.items():
                lines = []
                for kind, at, what, spans, count in counts:
                    fields = {"f": "../primary-sources/Group_3.sv", "l": str(line_of(text, at)), "page": f"v_{kind}/Group_3", "o": what,
                              "S": ",".join(str(line_of(text, span)) for span in spans)}
                    lines.append("C '" + "".join(f"\1{key}\2{value}" for key, value in fields.items()) + f"' {count}\n")
                Path(folder, name + ".dat").write_text("# SystemC::Coverage-3\n" + "".join(lines))
            return points.of_simulator(Path(folder))

    def test_are_known_by_place_whatever_differs_between_parameterizations(self):
        self.assertEqual(self.of(run=[("branch", "else if (same", "if", ["held <= _GEN_4"], 2), ("toggle", "reg  [31:0] held", "held[3]", [], 0)]),
                         {("branch", f"{FILE}:10", "same & ~(_GEN[1] == 'h5) if"): True, ("line", f"{FILE}:11", ""): True,
                          ("toggle", f"{FILE}:7", "Group.held[3]"): False})

    def test_of_memories_are_known_whatever_their_size(self):
        self.assertEqual(points.name("table_4096x64"), points.name("table_4x16_1"))

    def test_of_multiplexers_are_branches_and_no_lines(self):
        self.assertEqual(self.of(run=[("branch", "if (same) begin end", "else", ["if (same) begin end"], 0), ("line", "always @(posedge clock) if (same)", "block", [], 9)]),
                         {("branch", f"{FILE}:8", "same else"): False})

    def test_of_reset_are_statements_alone(self):
        reset = [("branch", "if (reset)", "if", ["held <= 32'h0"], 1), ("branch", "if (same) begin end", "if", [], 1), ("toggle", "reg  [31:0] held", "held[3]", [], 1)]
        self.assertEqual(self.of(reset=reset), {("branch", f"{FILE}:3", "reset if"): True, ("line", f"{FILE}:7", ""): True})
        after = [(*count[:4], 0) for count in reset]
        self.assertEqual(set(self.of(reset=reset, run=after).values()), {True, False})
        self.assertFalse(self.of(reset=reset, run=after)["toggle", f"{FILE}:7", "Group.held[3]"])

    def test_leave_out_assertions_clock_and_reset_and_the_sources_of_others(self):
        self.assertEqual(self.of(run=[("branch", "if (~reset & same)", "if", ["$fatal"], 1), ("toggle", "  input         clock", "clock[0]", [], 1),
                                      ("toggle", "reset,", "reset[0]", [], 1), ("toggle", "wire        foreign", "foreign[0]", [], 1)]), {})

    def test_are_covered_if_any_run_covers_them(self):
        held = ("toggle", "reg  [31:0] held", "held[3]", [])
        for first, second in ((0, 5), (5, 0)):
            self.assertEqual(self.of(one=[(*held, first)], two=[(*held, second)]), {("toggle", f"{FILE}:7", "Group.held[3]"): True})

    def test_are_covered_if_any_simulator_covers_them(self):
        self.assertEqual(points.merged([{"a": False, "b": False}, {"a": True}, {"a": False}]), {"a": True, "b": False})


class Report(unittest.TestCase):
    covered = {("line", "g/A.scala:2", ""): True, ("line", "g/A.scala:10", ""): False, ("line", "g/A.scala:9", ""): False, ("toggle", "g/A.scala:3", "A.x[1]"): False,
               ("toggle", "g/A.scala:3", "A.x[0]"): True, ("line", "g/B.scala:1", ""): True}
    exclusion = {"file": "g/A.scala", "kind": "toggle", "point": r"A\.x\[\d+\]", "reason": "always 0"}

    def test_counts_by_file_and_kind(self):
        self.assertEqual([tuple(row.values()) for row in report.shares(self.covered, set(), "1")],
                         [("g/A.scala", "line", 1, 3, 0, "1"), ("g/A.scala", "toggle", 1, 2, 0, "1"), ("g/B.scala", "line", 1, 1, 0, "1")])

    def test_leaves_out_holes_that_are_excluded_and_no_covered_points(self):
        out = report.excluded(self.covered, [self.exclusion])
        self.assertEqual(out, {("toggle", "g/A.scala:3", "A.x[1]")})
        self.assertIn(("g/A.scala", "toggle", 1, 1, 1, "1"), [tuple(row.values()) for row in report.shares(self.covered, out, "1")])
        self.assertEqual([row["place"] for row in report.holes(self.covered, out)], ["g/A.scala:9", "g/A.scala:10"])

    def test_refuses_exclusions_without_a_reason_and_of_nothing(self):
        for changed in ({"reason": ""}, {"point": r"A\.y.*"}, {"point": r"A\.x\[0\]"}, {"point": r"A\.x"}, {"kind": "line"}, {"file": "g/B.scala"}):
            with self.assertRaises(report.ReportError, msg=changed):
                report.excluded(self.covered, [{**self.exclusion, **changed}])

    def test_counts_a_module_that_no_suite_simulates(self):
        sources = {"g/A.scala": "class A extends Module {", "g/C.scala": "package g\n\nfinal class C(n: Int)\n    extends Module {", "g/D.scala": "case class D(n: Int)"}
        self.assertEqual(list(report.without_points(sources, self.covered)), [("line", "g/C.scala:3", "no suite simulates this module")])

    def test_keeps_points_in_a_file(self):
        with tempfile.TemporaryDirectory() as folder:
            report.save(Path(folder, "points.csv"), self.covered)
            self.assertEqual(report.load(Path(folder, "points.csv")), self.covered)


if __name__ == "__main__":
    unittest.main()
