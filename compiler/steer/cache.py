"""A data cache between the program and memory: which events of a trace reach memory.

The cache writes back and allocates on writes, and replaces the line that was used least recently. A write-back counts as a write by the last store
to the line.
"""

import collections

from .errors import SteerError
from .trace import Trace

CLEAN = -1


class Cache:
    """`sets` of {block: last store or CLEAN}, the least recently used line first."""

    def __init__(self, size, ways, block):
        if size % (ways * block):
            raise SteerError(f"a cache of {size} bytes cannot have {ways} ways of {block}-byte lines: change --cache or --ways")
        self.ways, self.block = ways, block
        self.sets = [collections.OrderedDict() for _ in range(size // (ways * block))]

    def access(self, event, address):
        """The events at memory that an access causes."""
        block = address // self.block
        lines = self.sets[block % len(self.sets)]
        is_write = event & 1
        caused = []
        if block in lines:
            lines.move_to_end(block)
        else:
            if len(lines) == self.ways:
                victim, store = lines.popitem(last=False)
                if store != CLEAN:
                    caused.append((store, victim * self.block))
            lines[block] = CLEAN
            caused.append((event & ~1, address))
        if is_write:
            lines[block] = event
        return caused


def filtered(trace, size, ways, block):
    """(the trace that memory sees, (accesses, their times there) of the program). Entries and points stay."""
    cache = Cache(size, ways, block)
    who, where = [], []
    accesses, performed = [], []
    for event, address in zip(trace.who.tolist(), trace.where.tolist()):
        if event < 0:
            who.append(event)
            where.append(address)
        else:
            accesses.append(event >> 1)
            performed.append(len(who))
            for caused, place in cache.access(event, address):
                who.append(caused)
                where.append(place)
    return Trace(who, where), (accesses, performed)
