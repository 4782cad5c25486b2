"""Chooses the offsets of hints. A hint's offset is in units of 4 bytes, and only its block matters.

Loads are rounded as their addresses suit: down with an aligned base, to the nearest with a pointer to bytes.

A store that fills a block in several steps writes it several times, and a pair is used once: the last step would get the global counter. An offset
that is lower by nearly a block makes the hints of all steps but the last name the block before, where they do nothing; for descending addresses it
is higher. Stores of 1 and 2 bytes may have to move their base for that.
"""

import numpy

from .contract import OFFSET_BITS, OFFSET_UNIT
from .newness import is_first
from .nudged import INSTRUCTIONS, nudgeable

LIMIT = 1 << OFFSET_BITS - 1


def aim(program, values, hardware, steps=True):
    """({access: units} where that is not the displacement rounded down, {store: bytes that its base moves}).

    Notes in the values which hints then miss their block, and which are longer. Without `steps` every hint names its own access's block: a
    cache writes a block back once, however often it is stored to.
    """
    chosen, nudges = {}, {}
    writes, reads = _by_access(values.write_accesses), _by_access(values.read_accesses)
    served = _by_access(values.write_accesses[values.sources[values.unknown]], values.unknown)
    for access in program.accesses:
        if access.kind == "store" and access.index in served and not access.late and steps:
            mine, addresses, hits = writes[access.index], values.write_addresses, values.write_hits
            options = _rounded(access, hardware.block) + _nudged(access, hardware.block)
            worth = lambda aimed: hardware.cipher * _served(values, access, mine, served[access.index], aimed)
        elif access.displacement and access.displacement % OFFSET_UNIT and not access.late and access.index in reads.keys() | writes.keys():
            is_load = access.kind == "load"
            mine = (reads if is_load else writes)[access.index]
            addresses, hits = (values.read_addresses, values.read_hits) if is_load else (values.write_addresses, values.write_hits)
            options = _rounded(access, OFFSET_UNIT)
            worth = lambda aimed: hardware.cipher * int(aimed.sum())
        else:
            continue
        if not options:
            continue
        found = addresses[mine].astype(numpy.int64) - access.displacement
        aims = [(found + by + OFFSET_UNIT * units) // hardware.block == (found + access.displacement) // hardware.block for units, by in options]
        cost = hardware.hint * (INSTRUCTIONS - 1) * len(mine)
        best = max(range(len(options)), key=lambda number: (worth(aims[number]) - (cost if options[number][1] else 0), -number))
        hits[mine] = aims[best]
        units, by = options[best]
        if units != access.displacement // OFFSET_UNIT:
            chosen[access.index] = units
        if by:
            nudges[access.index] = by
            values.hint_lengths[access.index] = INSTRUCTIONS
    return chosen, nudges


def _rounded(access, reach):
    """[(units, 0)] within so many bytes of the displacement, the nearest to rounding down first."""
    down = access.displacement // OFFSET_UNIT
    steps = range(-(reach // OFFSET_UNIT), reach // OFFSET_UNIT + 1)
    return [(down + step, 0) for step in sorted(steps, key=abs)
            if -LIMIT <= down + step < LIMIT and abs(OFFSET_UNIT * (down + step) - access.displacement) < reach]


def _nudged(access, block):
    """[(units, bytes that the base moves)] that aim at the last step of a block, ascending and descending."""
    found = []
    for target in (access.displacement + access.width - block, access.displacement + block - access.width):
        # The base moves away from the block, and the units go the rest of the way
        by = target % OFFSET_UNIT if target > access.displacement else -(-target % OFFSET_UNIT)
        units = (target - by) // OFFSET_UNIT
        if by and -LIMIT <= units < LIMIT and nudgeable(access, by):
            found.append((units, by))
    return found


def _served(values, access, mine, reads, aimed):
    """Reads of the store's values that could be right, with a register that never grows or grows at the function's entry."""
    hit = numpy.flatnonzero(aimed)
    blocks = values.write_blocks[mine[hit]]
    position = numpy.searchsorted(mine, values.sources[reads])
    best = 0
    for grown in (numpy.empty(0, dtype=numpy.int64), values.entry_times(access.function.index)):
        epochs = numpy.searchsorted(grown, values.write_times[mine], side="right")
        useful = numpy.zeros(len(mine), dtype=bool)
        useful[hit[is_first(epochs[hit], blocks)]] = True
        clean = numpy.searchsorted(grown, values.read_times[reads], side="right") == epochs[position]
        best = max(best, int((useful[position] & clean).sum()))
    return best


def _by_access(accesses, numbers=None):
    """{access: positions in order}."""
    order = numpy.argsort(accesses, kind="stable")
    borders = numpy.flatnonzero(numpy.diff(accesses[order])) + 1
    return {int(accesses[group[0]]): group if numbers is None else numbers[group] for group in numpy.split(order, borders) if len(group)}
