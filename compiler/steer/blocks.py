"""The basic blocks of a program, and the places in them where the hint of a load is right."""

import collections

from . import relocations
from .contract import OFFSET_BITS
from .objects import SHF_ALLOC
from .operands import operands
from .program import is_internal

FARTHEST = 32               # instructions between hint and load
LIMIT = 1 << OFFSET_BITS - 1


class Blocks:
    """The basic blocks of a program. For each load: its block and its place there."""

    def __init__(self, program):
        self.program = program
        self.targets = collections.defaultdict(collections.Counter)     # {section: {offset: references}}
        self.fixed = collections.defaultdict(set)                       # offsets of instructions that the linker completes or removes
        self.padding = collections.defaultdict(set)
        self._read_relocations()
        self.transfers = {}
        self.of = {}
        for function in program.functions:
            for block in self._split(function):
                for position, line in enumerate(block.lines):
                    if line.access is not None:
                        self.of[line.access.index] = block, position

    def _read_relocations(self):
        code = self.program.object
        for section in code.sections:
            if not section.header[2] & SHF_ALLOC:
                continue
            for entry in section.relocations:
                if entry.kind == relocations.ALIGN:
                    self.padding[section.index] |= set(range(entry.offset, entry.offset + entry.addend))
                elif entry.kind != relocations.RELAX:
                    self.fixed[section.index].add(entry.offset)
                    if entry.kind not in relocations.PCREL_LOWS:
                        symbol = code.symbols[entry.symbol]
                        self.targets[symbol.section][symbol.value + entry.addend] += 1
        for symbol in code.symbols:
            if not is_internal(symbol.name):
                self.targets[symbol.section][symbol.value] += 1

    def _split(self, function):
        section, accesses = function.section.index, {access.offset: access for access in function.accesses}
        named = {symbol.value for symbol in self.program.object.symbols_of[section] if not is_internal(symbol.name)}
        jumps = {entry.offset: self.program.object.symbols[entry.symbol] for entry in function.section.relocations
                 if entry.kind in relocations.TRANSFERS and not entry.addend}
        block, before = None, None
        for instruction in function.instructions:
            offset = instruction.offset
            found = operands(function.section.data[offset:offset + instruction.size])
            simple = instruction.kind in ("plain", "load", "store") and found is not None and offset not in self.padding[section]
            if (block is None or offset in self.targets[section] or before is None or before.offset + before.size != offset):
                if block is not None:
                    yield block
                block = Block(function, before.kind if before is not None and before.offset + before.size == offset else None)
            if simple or instruction.kind == "branch" and found is not None:
                block.lines.append(Line(offset, instruction, found, accesses.get(offset), offset in self.fixed[section]))
            if not simple:
                target = jumps.get(offset)
                if (instruction.kind == "branch" and block.lines and target is not None and target.section == section
                        and target.value == block.lines[0].offset and offset > target.value and target.value not in named
                        and self.targets[section][target.value] == 1):
                    block.loops = True
                yield block
                block = None
            before = instruction
        if block is not None:
            yield block


class Block:
    """`way_in`: the kind of instruction in front of it. `loops`: it ends with a branch to its start, the only one there."""

    def __init__(self, function, way_in):
        self.function, self.way_in = function, way_in
        self.lines, self.loops = [], False


Line = collections.namedtuple("Line", "offset instruction operands access fixed")
# In front of the line of that position: the base and the displacement of the load's address there, and what it moves over
Spot = collections.namedtuple("Spot", "position base displacement first")


class Walk:
    """Goes up from a load. `stops` is {offset: registers that grow there}."""

    def __init__(self, blocks, may_cross, stops):
        self.blocks, self.may_cross, self.stops = blocks, may_cross, stops

    def spots(self, access, register=None):
        """Right places for the hint, the nearest first. Those in the iteration before have `first`, the spot in front of the loop."""
        block, position = self.blocks.of.get(access.index, (None, None))
        if block is None or access.late or access.kind != "load" or access.base == 0:
            return
        spot = Spot(position, access.base, access.displacement, None)
        if self._grows(block, position, register):
            return
        while spot.position > 0:
            spot = self._above(access, block, spot, register)
            if spot is None or position - spot.position > FARTHEST:
                return
            yield spot
        if not block.loops or block.way_in not in ("plain", "load", "store", "branch"):
            return
        first = spot
        spot = Spot(len(block.lines), spot.base, spot.displacement, first)
        while spot.position > position + 1:
            spot = self._above(access, block, spot, register)
            if spot is None or position + len(block.lines) - spot.position > FARTHEST:
                return
            yield spot

    def _above(self, access, block, spot, register):
        line = block.lines[spot.position - 1]
        base, displacement = spot.base, spot.displacement
        if base in line.operands.writes:
            if line.operands.addition is None or line.fixed:
                return None
            base, by = line.operands.addition
            displacement += by
        if line.access is not None and not self.may_cross(line.access, access):
            return None
        if self._grows(block, spot.position - 1, register):
            return None
        return Spot(spot.position - 1, base, displacement, spot.first)

    def _grows(self, block, position, register):
        return register is not None and register in self.stops.get((block.function.section.index, block.lines[position].offset), ())


def ordinal(block, spot):
    """The number in its function of the instruction behind the hint."""
    return block.function.instructions.index(block.lines[spot.position].instruction)


def is_spot(blocks, access, early):
    """True if the access's hint can stand there, whatever the profile is."""
    def fits(spot, found):
        return (ordinal(block, spot), spot.base) == (found.ordinal, found.base) and -LIMIT <= found.units < LIMIT

    block = blocks.of[access.index][0] if access.index in blocks.of else None
    return any(fits(spot, early) and (spot.first is None) == (early.first is None) and (early.first is None or fits(spot.first, early.first))
               for spot in Walk(blocks, lambda passed, mine: True, {}).spots(access))
