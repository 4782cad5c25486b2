"""What happened in a profiled run, in order: reads and writes of memory, function entries and points."""

import numpy

from . import last


class Trace:
    """`who`: 2 * access + (1 for a write), -1 - 2 * function for an entry, or -2 - 2 * point. `where`: bytes from the start of DRAM."""

    def __init__(self, who, where):
        self.who, self.where = numpy.asarray(who, dtype=numpy.int32), numpy.asarray(where, dtype=numpy.uint32)

    def __len__(self):
        return len(self.who)


class Values:
    """Where the value of each read came from, for blocks of some bytes.

    Times are positions in the trace. For each read: its time, its access, its address, and the number of the write it
    reads, -1 for the image. For each write: its time, its access, its address and its block. `read_hits` and `write_hits`
    say whether a hint would name the right block. `performed` are (accesses, times) of what the program executed, if that is not the trace: with
    a cache, only some accesses reach memory. `known` says of each read whether it is right without a hint; `unknown` are the positions of the others.
    """

    def __init__(self, trace, block, performed=None, last_pairs=0):
        self.block = block
        moments = numpy.flatnonzero(trace.who >= 0)
        who, blocks = trace.who[moments], trace.where[moments] // block
        accesses, self.performed_times = (who >> 1, moments) if performed is None else map(numpy.asarray, performed)
        self.performed_accesses = accesses.astype(numpy.int64)
        self.hint_lengths = {}
        writes = who & 1 == 1
        self.write_times, self.write_accesses = moments[writes], who[writes] >> 1
        self.write_addresses, self.write_blocks = trace.where[moments][writes], blocks[writes]
        reads = ~writes
        self.read_times, self.read_accesses, self.read_addresses = moments[reads], who[reads] >> 1, trace.where[moments][reads]
        self.read_hits, self.write_hits = numpy.ones(len(self.read_times), dtype=bool), numpy.ones(len(self.write_times), dtype=bool)
        sources = last.last_writes(blocks, writes)
        self.sources, self.known = sources[reads], last.known(blocks, writes, sources, last_pairs)[reads]
        self.unknown = numpy.flatnonzero(~self.known)
        passed = numpy.flatnonzero(trace.who < 0)
        spots = -1 - trace.who[passed]
        order = numpy.argsort(spots, kind="stable")
        borders = numpy.flatnonzero(numpy.diff(spots[order])) + 1
        self.passed = {int(spots[group[0]]): passed[group] for group in numpy.split(order, borders) if len(group)}

    def hint_instructions(self, size=0):
        """How many instructions a hint at each access would execute. An atomic counts twice."""
        counts = numpy.bincount(self.performed_accesses, minlength=size)
        for access, length in self.hint_lengths.items():
            counts[access] *= length
        return counts

    def access_times(self, access):
        return self.performed_times[self.performed_accesses == access]

    def entry_times(self, function):
        return self.passed.get(2 * function, numpy.empty(0, dtype=numpy.int64))

    def point_times(self, point):
        return self.passed.get(2 * point + 1, numpy.empty(0, dtype=numpy.int64))
