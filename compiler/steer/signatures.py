"""Reads that behave alike under every choice of places, counted together.

A read of a value is right if its register did not grow since the write, and if the write was new: the first of its store
to the block, or the register has grown since the store last wrote the block. Both are properties of single places, so reads of one store and
load with the same properties form one row.
"""

import numpy

from .allocation import times

MOST_READS = 1_500_000


class Signatures:
    """Rows with: store (position in `stores`), load, count; `unclean` and `dirty`, tables of rows and places; `first`."""

    def __init__(self, values, stores, places, most=MOST_READS):
        self.stores, self.places = stores, places
        position = numpy.full(int(max(values.write_accesses.max(initial=0), stores.max(initial=0))) + 1, -1, dtype=numpy.int64)
        position[stores] = numpy.arange(len(stores))
        self.times = [times(values, place) for place in places]
        reads = numpy.flatnonzero(~values.known & values.read_hits)
        reads = reads[values.write_hits[values.sources[reads]]]
        reads = reads[position[values.write_accesses[values.sources[reads]]] >= 0]
        stride = -(-len(reads) // most) or 1
        reads = reads[::stride]
        sources = values.sources[reads]
        owners = position[values.write_accesses[sources]]
        self.previous = earlier_writes(values)
        random = numpy.random.default_rng(31).integers(1, 1 << 63, 2 * len(places) + 3, dtype=numpy.uint64)
        keys = owners.astype(numpy.uint64) * random[-1] + values.read_accesses[reads].astype(numpy.uint64) * random[-2]
        keys += (self.previous[sources] < 0).astype(numpy.uint64) * random[-3]
        for number in range(len(places)):
            unclean, dirty = self._bits(values, number, reads, sources)
            keys += unclean * random[2 * number] + dirty * random[2 * number + 1]
        _, examples, counts = numpy.unique(keys, return_index=True, return_counts=True)
        self.counts = counts * stride
        self.store, self.load = owners[examples], values.read_accesses[reads[examples]]
        self.first = self.previous[sources[examples]] < 0
        columns = [self._bits(values, number, reads[examples], sources[examples]) for number in range(len(places))]
        shape = (len(places), len(examples))
        self.unclean = numpy.array([unclean for unclean, _ in columns], dtype=bool).reshape(shape)
        self.dirty = numpy.array([dirty for _, dirty in columns], dtype=bool).reshape(shape)

    def _bits(self, values, number, reads, sources):
        grown = self.times[number]
        wrote = numpy.searchsorted(grown, values.write_times[sources], side="right")
        unclean = numpy.searchsorted(grown, values.read_times[reads], side="right") != wrote
        earlier = self.previous[sources]
        dirty = (earlier >= 0) & (numpy.searchsorted(grown, values.write_times[earlier], side="right") != wrote)
        return unclean, dirty

    def rights(self, chosen):
        """Which rows are right with a register that grows at these places."""
        chosen = list(chosen)
        clean = ~self.unclean[chosen].any(axis=0)
        return clean & (self.first | self.dirty[chosen].any(axis=0))


def earlier_writes(values):
    """For each write with a hint the last one of the same store to the same block, -1 if there is none."""
    keys = values.write_accesses.astype(numpy.int64) << 32 | values.write_blocks.astype(numpy.int64)
    hits = numpy.flatnonzero(values.write_hits)
    order = hits[numpy.argsort(keys[hits], kind="stable")]
    found = numpy.full(len(keys), -1, dtype=numpy.int64)
    same = keys[order][1:] == keys[order][:-1]
    found[order[1:][same]] = order[:-1][same]
    return found
