"""The static program: functions, their instructions, every access to memory, and points where a register could grow.

A function reaches from its symbol to the next one. Accesses and points are named by their function and their ordinal there, which relaxation
and linking keep.
"""

import collections
import hashlib

from . import relocations
from .errors import SteerError
from .instructions import Disassembler
from .objects import STT_FUNC

ACCESSES = ("load", "store", "atomic")


class Access:
    """A load, a store or an atomic. `late`: the linker fills its offset in."""

    def __init__(self, index, function, ordinal, instruction, late):
        self.index, self.function, self.ordinal, self.late = index, function, ordinal, late
        self.offset, self.kind, self.size, self.width = instruction.offset, instruction.kind, instruction.size, instruction.width
        self.base, self.displacement = instruction.base, instruction.displacement

    @property
    def section(self):
        return self.function.section

    def __str__(self):
        return f"{self.function.name}+{self.ordinal}"


class Point:
    """The start of a loop, the way into it, or a call."""

    def __init__(self, index, function, ordinal, offset):
        self.index, self.function, self.ordinal, self.offset = index, function, ordinal, offset

    @property
    def section(self):
        return self.function.section

    def __str__(self):
        return f"{self.function.name}@{self.ordinal}"


class Function:
    def __init__(self, index, name, section, start, end):
        self.index, self.name, self.section, self.start, self.end = index, name, section, start, end
        self.instructions, self.accesses = [], []
        self.can_increment = True

    def __str__(self):
        return self.name


class Program:
    def __init__(self, code):
        self.object = code
        self.functions, self.accesses, self.points = [], [], []
        disassembler = Disassembler()
        seen = collections.Counter()
        for section in code.code():
            late = {entry.offset for entry in section.relocations if entry.kind in relocations.LATE_OFFSETS}
            targets = {entry.offset for entry in section.relocations if entry.kind in relocations.TRANSFERS}
            pinned = {symbol.value for entry in section.relocations if entry.kind in relocations.PCREL_LOWS
                      for symbol in [code.symbols[entry.symbol]] if not is_internal(symbol.name)}
            starts = entries(code, section)
            for (start, name), end in zip(starts, [start for start, _ in starts[1:]] + [len(section.data)]):
                seen[name] += 1
                function = Function(len(self.functions), name if seen[name] == 1 else f"{name}#{seen[name]}", section, start, end)
                # A symbol that relocations need exactly at its instruction cannot have an increment behind it
                function.can_increment = start not in pinned
                self.functions.append(function)
                self._read(function, disassembler, late, targets)
            self._find_points(section, self.functions[len(self.functions) - len(starts):])

    def _read(self, function, disassembler, late, targets):
        for start, end in instruction_ranges(self.object, function):
            function.instructions += disassembler.instructions(function.section.data, start, end)
        for instruction, follower in zip(function.instructions, [*function.instructions[1:], None]):
            if instruction.kind in ACCESSES:
                access = Access(len(self.accesses), function, len(function.accesses), instruction, instruction.offset in late)
                self.accesses.append(access)
                function.accesses.append(access)
            elif instruction.kind in ("branch", "jump") and instruction.offset not in targets and not is_over_jump(instruction, follower, targets):
                raise SteerError(f"{function.name} has branches without relocations: assemble it with relaxation")

    def _find_points(self, section, functions):
        """Targets of branches backwards, the instructions before them, and calls, in the functions of a section."""
        found, targets = {}, {entry.offset for entry in section.relocations if entry.kind in relocations.TRANSFERS}
        for entry in section.relocations:
            symbol = self.object.symbols[entry.symbol]
            target = symbol.value + entry.addend
            if entry.kind in relocations.CALLS:
                found[entry.offset] = entry.offset
            elif entry.kind in relocations.TRANSFERS and symbol.section == section.index and target <= entry.offset:
                found[target] = entry.offset
        for function in functions:
            boundaries = {instruction.offset for instruction in function.instructions}
            starts = {offset for offset, source in found.items() if offset in boundaries and source in boundaries}
            ways_in = {one.offset for one, other in zip(function.instructions, function.instructions[1:])
                       if other.offset in starts and one.kind in ("plain", "load", "store")}
            # Nothing comes between a branch and the jump that it leads over
            glued = {other.offset for one, other in zip(function.instructions, function.instructions[1:])
                     if one.offset not in targets and is_over_jump(one, other, targets)}
            for ordinal, offset in enumerate(sorted((starts | ways_in) - glued)):
                self.points.append(Point(len(self.points), function, ordinal, offset))

    def digest(self):
        """Of the code and its relocations. Data may differ, so that a profile of a small input serves a large one."""
        total = hashlib.sha256()
        sections = self.object.sections
        for section in self.object.code():
            total.update(f"{section.name} {len(section.data)} ".encode() + bytes(section.data))
            for entry in section.relocations:
                symbol = self.object.symbols[entry.symbol]
                name = symbol.name or (sections[symbol.section].name if symbol.section < len(sections) else "")
                # Where data lies changes with its size
                inside = symbol.section < len(sections) and sections[symbol.section].is_code
                total.update(f"{entry.offset} {entry.kind} {name} {symbol.value if inside else ''} {entry.addend} ".encode())
        return total.hexdigest()


def is_over_jump(instruction, follower, targets):
    """A far branch, as the assembler makes it: its inverse over a jump, which alone has a relocation."""
    return (instruction.kind == "branch" and follower is not None and follower.kind == "jump" and follower.offset in targets
            and instruction.displacement == instruction.size + follower.size)


def is_internal(name):
    """Labels of the assembler, and its marks between code and data."""
    return not name or name.startswith((".L", "$x", "$d"))


def entries(code, section):
    """[(offset, name)] of the functions of a section, in order. Hand-written code has labels without a type; inside of a typed function such
    a label is no entry of another."""
    found, inside = {0: section.name}, []
    symbols = [symbol for symbol in code.symbols_of[section.index] if not is_internal(symbol.name)]
    for symbol in symbols:
        if symbol.kind == STT_FUNC:
            found[symbol.value] = symbol.name
            inside.append((symbol.value, symbol.value + symbol.size))
    for symbol in symbols:
        if symbol.kind == 0 and not any(start <= symbol.value < end for start, end in inside):
            found[symbol.value] = symbol.name
    return sorted((offset, name) for offset, name in found.items() if offset < len(section.data))


def instruction_ranges(code, function):
    """The function without the data that the assembler marked in it."""
    marks = sorted((symbol.value, symbol.name.startswith("$d")) for symbol in code.symbols_of[function.section.index]
                   if symbol.name.startswith(("$d", "$x")))
    is_data = False
    at = function.start
    for offset, starts_data in marks:
        if offset >= function.end:
            break
        if offset > at:
            if not is_data:
                yield at, offset
            at = offset
        is_data = starts_data
    if not is_data and at < function.end:
        yield at, function.end
