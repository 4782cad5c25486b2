"""Chooses where the hint of a load stands: at the load, or earlier in its basic block.

The engine makes the pad when the hint comes, while the core goes on. Besides, a hint between an earlier load and the first use of its result costs
no cycle. `blocks` finds the places that are right, Planner takes the one with which the block ends first, by the model of `timing`. Where a block is a
whole loop, the hint may stand in the iteration before; another one before the loop serves the first iteration.
"""

import collections

import numpy

from . import pruning
from .allocation import Early
from .blocks import LIMIT, Blocks, Walk, ordinal
from .contract import OFFSET_UNIT, PENDING_HINTS
from .timing import LEAD, Timing

COLLISIONS = 1 / 32         # most loads whose slot another one may take


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
        return float((mine == other).sum()) / total, float(((mine - other) % PENDING_HINTS == 0).sum()) / total


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


def grown(program, allocation):
    """{(section, offset): registers} of increments in the middle of functions."""
    found = collections.defaultdict(set)
    for place, register in allocation.increments.items():
        if place.kind != "entry":
            spot = (program.accesses if place.kind == "before" else program.points)[place.number]
            found[spot.section.index, spot.offset].add(register)
    return found
