"""Gives multiplexers a branch that Verilator counts, for tests/coverage/verilator: python -m hauberk.coverage.simulator SOURCES"""

import re
import sys
from pathlib import Path

from pyslang import ast

from hauberk.mutation.verilog import CHECKS, PLACES, own_place, span, visited

LOCALS = re.compile(r"\bautomatic logic\s*(?:\[[^\]]*\]\s*)*(\w+)")
NAMES = re.compile(r"(?<![\w'])[A-Za-z_]\w*")
MULTIPLEXER = "begin end else begin end\t//"


def marked(text):
    """The text with an `if` for each condition of a multiplexer, on lines of their own before the end of each module, behind which stand their places."""
    finder = visited(text, Finder(text))
    for end, lines in sorted(finder.lines.items(), reverse=True):
        text = text[:end] + "".join(lines) + text[end:]
    return text


class Finder:
    def __init__(self, text):
        self.text, self.lines, self.end, self.event = text, {}, None, None
        self.local = set(LOCALS.findall(text))
        self.checks = [match.span() for match in CHECKS.finditer(text)]

    def __call__(self, node):
        if isinstance(node, ast.InstanceBodySymbol):
            self.end = self.text.index("\nendmodule", node.location.offset) + 1
            self.event = "posedge clock" if any(port.name == "clock" for port in node.portList) else "*"
        elif isinstance(node, ast.ProceduralBlockSymbol) and node.procedureKind == ast.ProceduralBlockKind.Initial:
            return ast.VisitAction.Skip
        elif isinstance(node, ast.ConditionalExpression):
            self.add(node.conditions[0].expr)
        return ast.VisitAction.Advance

    def add(self, condition):
        start, end = span(condition)
        what = " ".join(self.text[start:end].split())
        if not own_place(self.text, start) or any(begin <= start < end for begin, end in self.checks):
            return
        # A name that is local to a block cannot be read from outside
        line = f"  always @({self.event}) if ({what}) {MULTIPLEXER} {PLACES.search(self.text, start)[1]}\n"
        lines = self.lines.setdefault(self.end, [])
        if line not in lines and not self.local & set(NAMES.findall(what)):
            lines.append(line)


if __name__ == "__main__":
    for path in Path(sys.argv[1]).glob("*.sv"):
        path.write_text(marked(path.read_text()))
