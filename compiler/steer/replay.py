"""Predicts the hardware: replays the profile under an allocation, by the rules of the contract."""

import numpy

from .allocation import all_times
from .newness import is_new, positions

GLOBAL = -1


class Pairs:
    """The pair of each write: its id (GLOBAL: the global counter) and the value of the id's register."""

    def __init__(self, values, allocation, hardware):
        self.allocation = allocation
        self.ids = numpy.full(len(values.write_times), GLOBAL, dtype=numpy.int64)
        self.epochs = numpy.zeros(len(values.write_times), dtype=numpy.int64)
        hinted = numpy.where(values.write_hits, _table(allocation.stores, values.write_accesses)[values.write_accesses], GLOBAL)
        self.increments = {}
        for register in allocation.used_registers():
            self.increments[register] = all_times(values, allocation.places(register))
            mine = numpy.flatnonzero((hinted >= 0) & (hinted % allocation.registers == register))
            epochs = numpy.searchsorted(self.increments[register], values.write_times[mine], side="right")
            within = positions(epochs) < hardware.pairs
            for identifier in numpy.unique(hinted[mine]):
                chosen = hinted[mine] == identifier
                new = is_new(epochs[chosen], values.write_blocks[mine[chosen]], within[chosen])
                self.ids[mine[chosen][new]] = identifier
                self.epochs[mine[chosen][new]] = epochs[chosen][new]

    def current(self, values):
        """The id that each read must name to be right, GLOBAL if there is none."""
        found = numpy.full(len(values.read_times), GLOBAL, dtype=numpy.int64)
        written = values.sources >= 0
        sources = values.sources[written]
        found[written] = self.ids[sources]
        for register, increments in self.increments.items():
            mine = numpy.flatnonzero((found >= 0) & (found % self.allocation.registers == register))
            now = numpy.searchsorted(increments, values.read_times[mine], side="right")
            found[mine[now != self.epochs[values.sources[mine]]]] = GLOBAL
        return found


class Outcome:
    """How many reads have a right hint, a wrong one or none. `rights` counts the right ones of each load."""

    def __init__(self, values, allocation, hardware):
        size = int(values.read_accesses.max(initial=-1)) + 1
        expected = numpy.where(values.read_hits, _table(allocation.loads, values.read_accesses)[values.read_accesses], GLOBAL)
        pairs = Pairs(values, allocation, hardware)
        needed = pairs.current(values)
        self.is_right = (expected >= 0) & (needed == expected)
        self.rights = numpy.bincount(values.read_accesses[self.is_right], minlength=size)
        self.total = len(values.read_times)
        self.right = int(self.is_right.sum())
        self.wrong = int((expected >= 0).sum()) - self.right
        self.not_applied = self.total - self.right - self.wrong
        self.global_writes = int((pairs.ids == GLOBAL).sum())
        self.largest_register = max((len(grown) for grown in pairs.increments.values()), default=0)
        # Right without a hint
        self.known_not_applied = int(((expected < 0) & values.known).sum())
        self.known_hinted = int(((expected >= 0) & values.known).sum())


def _table(chosen, accesses):
    """{access: id} as an array over access numbers."""
    table = numpy.full(int(accesses.max(initial=-1)) + 1, GLOBAL, dtype=numpy.int64)
    for access, identifier in chosen.items():
        if access < len(table):
            table[access] = identifier
    return table
