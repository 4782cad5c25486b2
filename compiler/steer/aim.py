"""Chooses the offsets of hints. A hint's offset is in units of 4 bytes, and only its block matters.

Loads are rounded as their addresses suit: down with an aligned base, to the nearest with a pointer to bytes.

A store that fills a block in several steps writes it several times, and a pair is used once: the last step would get the global counter. An offset
of some units less makes the hints of all steps but the last name the block before, where they do nothing; for descending addresses it is more.
"""

import numpy

from .contract import OFFSET_BITS, OFFSET_UNIT
from .newness import is_first

LIMIT = 1 << OFFSET_BITS - 1


def aim(program, values, block):
    """{access: units} where that is not the displacement rounded down. Notes in the values which hints then miss their block."""
    chosen = {}
    writes, reads = _by_access(values.write_accesses), _by_access(values.read_accesses)
    sourced = numpy.flatnonzero(values.sources >= 0)
    served = _by_access(values.write_accesses[values.sources[sourced]], sourced)
    for access in program.accesses:
        if access.kind == "store" and access.index in served and not access.late:
            mine, addresses, hits = writes[access.index], values.write_addresses, values.write_hits
            worth = lambda aimed: _served(values, access, mine, served[access.index], aimed)
        elif access.kind == "load" and access.index in reads and not access.late and access.displacement % OFFSET_UNIT:
            mine, addresses, hits = reads[access.index], values.read_addresses, values.read_hits
            worth = lambda aimed: int(aimed.sum())
        else:
            continue
        options = _options(access, block if access.kind == "store" else OFFSET_UNIT)
        if options:
            found = addresses[mine].astype(numpy.int64)
            aims = [(found - access.displacement + OFFSET_UNIT * units) // block == found // block for units in options]
            best = max(range(len(options)), key=lambda number: (worth(aims[number]), -number))
            hits[mine] = aims[best]
            if options[best] != access.displacement // OFFSET_UNIT:
                chosen[access.index] = options[best]
    return chosen


def _options(access, reach):
    """Units within so many bytes of the displacement, the nearest to rounding down first."""
    down = access.displacement // OFFSET_UNIT
    steps = range(-(reach // OFFSET_UNIT), reach // OFFSET_UNIT + 1)
    return [down + step for step in sorted(steps, key=abs)
            if -LIMIT <= down + step < LIMIT and abs(OFFSET_UNIT * (down + step) - access.displacement) < max(reach, OFFSET_UNIT)]


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
