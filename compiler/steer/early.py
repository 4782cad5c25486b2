"""Chooses where the hint of a load stands: at the load, or earlier in its basic block.

The engine makes the pad when the hint comes, while the core goes on. Besides, a hint between an earlier load and the first use of its result costs
no cycle. Walk looks for the places that are right, Planner takes the one with which the block ends first, by a model of the core. Where a block is a
whole loop, the hint may stand in the iteration before; another one before the loop serves the first iteration.
"""

import collections

import numpy

from . import pruning, relocations
from .allocation import Early
from .contract import OFFSET_BITS, OFFSET_UNIT
from .objects import SHF_ALLOC
from .operands import operands
from .program import is_internal

FARTHEST = 32               # instructions between hint and load
LIMIT = 1 << OFFSET_BITS - 1
SLOTS = 8                   # pending hints, direct-mapped by block
PADS = 4                    # that the engine keeps
COLLISIONS = 1 / 32         # most loads whose slot another one may take
# The core without a data cache: cycles of an access, cycles between two of them, accesses in flight
LATENCY, INTERVAL, IN_FLIGHT = 18, 4, 4
LEAD = 4                    # cycles that a hint must come before its load, so that the pad is never late


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


class Events:
    """What the profile says about two accesses."""

    def __init__(self, values):
        self.values = values
        self.times, self.blocks = {}, {}
        accesses = numpy.concatenate((values.read_accesses, values.write_accesses)).astype(numpy.int64)
        times = numpy.concatenate((values.read_times, values.write_times))
        blocks = numpy.concatenate((values.read_addresses.astype(numpy.int64) // values.block, values.write_blocks.astype(numpy.int64)))
        order = numpy.lexsort((times, accesses))
        accesses, times, blocks = accesses[order], times[order], blocks[order]
        for group in numpy.split(numpy.arange(len(order)), numpy.flatnonzero(numpy.diff(accesses)) + 1):
            if len(group):
                self.times[int(accesses[group[0]])], self.blocks[int(accesses[group[0]])] = times[group], blocks[group]
        self.known = {}

    def relation(self, passed, access):
        """(share of the access's executions whose block the passed one had just touched, share in which it had just used the hint's slot)."""
        key = passed.index, access.index
        if key not in self.known:
            self.known[key] = self._relation(*key)
        return self.known[key]

    def _relation(self, passed, access):
        if access not in self.times:
            return 1.0, 1.0
        if passed not in self.times:
            return 0.0, 0.0
        last = numpy.searchsorted(self.times[passed], self.times[access]) - 1
        mine, other = self.blocks[access][last >= 0], self.blocks[passed][last[last >= 0]]
        total = len(self.times[access])
        return float((mine == other).sum()) / total, float(((mine - other) % SLOTS == 0).sum()) / total


class Planner:
    """Places the load hints of allocations. Notes in the values which hints then name the right block."""

    def __init__(self, program, values, hardware):
        self.program, self.values, self.hardware = program, values, hardware
        self.blocks, self.events = Blocks(program), Events(values)
        self.hits, self.uses_loops = values.read_hits.copy(), True
        order = numpy.argsort(values.read_accesses, kind="stable")
        accesses = values.read_accesses[order]
        borders = numpy.flatnonzero(numpy.diff(accesses)) + 1
        self.reads = {int(accesses[group[0]]): order[group] for group in numpy.split(numpy.arange(len(order)), borders) if len(group)}

    def loops(self, allocation):
        """Predicted cycles that hints in the iteration before save."""
        return sum((LEAD - 1) * len(self.reads[number]) for number, found in allocation.early.items() if found.first and number in allocation.loads)

    def place(self, allocation):
        """Sets `early` of the allocation."""
        self.values.read_hits[:] = self.hits
        allocation.early = {}
        by_block = collections.defaultdict(list)
        for number in sorted(allocation.loads):
            if number in self.blocks.of and number in self.reads:
                by_block[id(self.blocks.of[number][0])].append(number)
        stops = grown(self.program, allocation)
        # The hint before a loop takes the room of another one
        least = min(pruning.shared_net(self.values, allocation, self.hardware).values(), default=0)
        self.in_loops = {number for number, mine in self.reads.items() if self.uses_loops and (LEAD - 1) * len(mine) > least}
        for numbers in by_block.values():
            block = self.blocks.of[numbers[0]][0]
            timing = Timing(block, {position: line.access.index for position, line in enumerate(block.lines) if line.access is not None
                                    and (line.access.index in allocation.loads or line.access.index in allocation.stores)})
            for number in numbers:
                self._place(allocation, stops, block, timing, number)

    def _place(self, allocation, stops, block, timing, number):
        access = self.program.accesses[number]
        walk = Walk(self.blocks, lambda passed, mine: self._may_cross(allocation, passed, mine), stops)
        best, least = None, timing.cycles()
        for spot in walk.spots(access, allocation.loads[number] % allocation.registers):
            if spot.first is not None and number not in self.in_loops:
                break
            there = self._aim(access, spot, allocation)
            first = None if spot.first is None else self._aim(access, spot.first, allocation)
            if there is None or spot.first is not None and first is None:
                continue
            timing.spots[number] = spot
            cycles = timing.cycles() if timing.pads_suffice() else None
            del timing.spots[number]
            if cycles is not None and cycles < least:
                best, least = (spot, there, first), cycles
        if best is None:
            return
        spot, (units, hits), first = best
        timing.spots[number] = spot
        self.values.read_hits[self.reads[number]] = hits
        allocation.early[number] = Early(ordinal(block, spot), spot.base, units,
                                         Early(ordinal(block, spot.first), spot.first.base, first[0]) if first else None)

    def _may_cross(self, allocation, passed, access):
        same_block, same_slot = self.events.relation(passed, access)
        near = passed.base == access.base and passed.base is not None and abs(passed.displacement - access.displacement) < self.hardware.block
        if same_block or near and not passed.late:
            return False
        return passed.index not in allocation.loads or same_slot <= COLLISIONS

    def _aim(self, access, spot, allocation):
        """(offset field, hits) for a hint at a spot, or None if it would miss more often than at the load."""
        return aimed(access, spot, allocation, self.values, self.hits, self.reads[access.index], self.hardware.block)


def aimed(access, spot, allocation, values, hits, mine, block):
    before = allocation.units.get(access.index, access.displacement // OFFSET_UNIT)
    by = spot.displacement - access.displacement
    if by % OFFSET_UNIT == 0:
        units = before + by // OFFSET_UNIT
        return (units, hits[mine]) if -LIMIT <= units < LIMIT else None
    down = spot.displacement // OFFSET_UNIT
    addresses = values.read_addresses[mine].astype(numpy.int64)
    found = []
    for units in (down, down + 1):
        if -LIMIT <= units < LIMIT:
            found.append((units, (addresses - spot.displacement + OFFSET_UNIT * units) // block == addresses // block))
    best = max(found, key=lambda option: int(option[1].sum()), default=None)
    return best if best is not None and best[1].sum() >= hits[mine].sum() else None


def ordinal(block, spot):
    """The number in its function of the instruction behind the hint."""
    return block.function.instructions.index(block.lines[spot.position].instruction)


def grown(program, allocation):
    """{(section, offset): registers} of increments in the middle of functions."""
    found = collections.defaultdict(set)
    for place, register in allocation.increments.items():
        if place.kind != "entry":
            spot = (program.accesses if place.kind == "before" else program.points)[place.number]
            found[spot.section.index, spot.offset].add(register)
    return found


def is_spot(blocks, access, early):
    """True if the access's hint can stand there, whatever the profile is."""
    def fits(spot, found):
        return (ordinal(block, spot), spot.base) == (found.ordinal, found.base) and -LIMIT <= found.units < LIMIT

    block = blocks.of[access.index][0] if access.index in blocks.of else None
    return any(fits(spot, early) and (spot.first is None) == (early.first is None) and (early.first is None or fits(spot.first, early.first))
               for spot in Walk(blocks, lambda passed, mine: True, {}).spots(access))


class Timing:
    """The block on the core: a hint is an instruction, a load goes on until its result is needed. `spots` are those of hints that have moved."""

    def __init__(self, block, hinted):
        self.block, self.hinted, self.spots = block, hinted, {}

    def _plan(self):
        """{position: [(load or None for a store, base)]} of hints."""
        plan = collections.defaultdict(list)
        for number, spot in self.spots.items():
            plan[spot.position].append((number, spot.base))
        for position, number in self.hinted.items():
            if number not in self.spots:
                access = self.block.lines[position].access
                plan[position].append((number if access.kind == "load" else None, access.base))
        return plan

    def _turns(self):
        return 2 if self.block.loops else 1

    def pads_suffice(self):
        """The engine still has the pad of each load when it comes."""
        plan, made, at = self._plan(), 0, {}
        for _ in range(self._turns()):
            for position in range(len(self.block.lines)):
                for number, _ in plan[position]:
                    if number is not None:
                        made += 1
                        at.setdefault(number, []).append(made)
                number = self.hinted.get(position)
                if number in at and self.block.lines[position].access.kind == "load":
                    waiting = at[number]
                    if waiting and made - waiting.pop(0) >= PADS:
                        return False
        return True

    def cycles(self):
        """(when all is done, when the last instruction leaves)."""
        plan, lines = self._plan(), self.block.lines
        ready, hints, flights = collections.defaultdict(int), {}, []
        now = 0
        for _ in range(self._turns()):
            for position, line in enumerate(lines):
                for number, base in plan[position]:
                    now = max(now, ready[base]) + 1
                    if number is not None:
                        hints[number] = now
                now = max([now, *(ready[register] for register in line.operands.reads | line.operands.writes)])
                if line.access is not None:
                    if len(flights) >= IN_FLIGHT:
                        now = max(now, flights[-IN_FLIGHT])
                    done = max(now + LATENCY, flights[-1] + INTERVAL if flights else 0)
                    if line.access.index in hints:
                        # The pad may be late
                        done += max(0, LEAD - (now - hints.pop(line.access.index) + 1))
                    flights.append(done)
                    for register in line.operands.writes:
                        ready[register] = done
                now += 1
        return max([now, *flights[-1:]]), now
