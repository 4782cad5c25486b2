"""Points of coverage that Verilator counted, by their places in the Chisel sources, so that all simulators of a module count together.

    line    a line of Chisel from which procedural statements come
    branch  one way through an `if`, or one input of a multiplexer that is chosen
    toggle  one bit of a port, register or named wire that changes

Nothing is counted in initial values, assertions, and sources of others. Counting begins after reset, but for statements and their branches, which reset may
need.
"""

import re

from hauberk.coverage.simulator import MULTIPLEXER
from hauberk.mutation.verilog import CHECKS, PLACES, base, own_place

KINDS = ["line", "branch", "toggle"]
CONDITION = re.compile(r"\bif \((.*?)(?:\)(?: begin)?(?: end else begin end)?)?$")
SPAN = re.compile(r"(\d+)(?:-(\d+))?")


def merged(many):
    """A point is covered if it is in any of them."""
    found = {}
    for covered in many:
        for point, hit in covered.items():
            found[point] = found.get(point, False) or hit
    return found


def of_simulator(folder):
    """{(kind, place, what): whether it was covered}"""
    modules = {path.name: Module(path.read_text()) for path in folder.glob("*.sv")}
    found = {}
    for path in folder.glob("*.dat"):
        for file, key, count in counted(path):
            module = modules.get(file)
            for point in module.points(key, path.stem == "reset") if module else ():
                found[point] = found.get(point, False) or count > 0
    return found


def counted(path):
    """(source, what Verilator says of a point, count)"""
    with open(path, errors="replace") as file:
        for line in file:
            if line.startswith("C '"):
                key, count = line[3:].rsplit("' ", 1)
                key = dict(part.split("\2", 1) for part in key.split("\1") if "\2" in part)
                yield key["f"].rpartition("/")[2], key, int(count)


class Module:
    """The places of a file's lines."""

    def __init__(self, text):
        lines = text.split("\n")
        self.lines, self.places, place = [""] + lines, [None] * (len(lines) + 1), None
        for number in range(len(lines), 0, -1):
            if PLACES.search(lines[number - 1]):
                place = own_place(lines[number - 1])
            self.places[number] = place
        for match in CHECKS.finditer(text):
            begin = text.count("\n", 0, match.start()) + 1
            for number in range(begin, begin + match[0].count("\n") + 1):
                self.places[number] = None

    def points(self, key, in_reset):
        kind, _, module = key["page"].removeprefix("v_").partition("/")
        line = int(key["l"])
        place, multiplexer = self.places[line], MULTIPLEXER in self.lines[line]
        if kind == "toggle":
            signal = key["o"].partition("[")[0]
            if place and not in_reset and signal not in ("clock", "reset"):
                yield "toggle", place, f"{name(module)}.{key['o']}"
            return
        if kind == "branch" and place and not (multiplexer and in_reset):
            yield "branch", place, f"{condition(self.lines[line])} {key['o']}"
        for first, last in SPAN.findall(key.get("S", "")):
            for number in range(int(first), int(last or first) + 1):
                if self.places[number] and MULTIPLEXER not in self.lines[number]:
                    yield "line", self.places[number], ""


def name(module):
    """Of a module, without the numbers of its parameterization, or the size of a memory."""
    return re.sub(r"_\d+x\d+$", "", base(module))


def condition(line):
    """Of an `if`, without the numbers and widths that differ between parameterizations."""
    found = CONDITION.search(line.partition("\t//")[0])
    text = found[1] if found else ""
    return re.sub(r"\d+'", "'", re.sub(r"_GEN_\d+", "_GEN", text)).strip()
