"""Gives the stores of a register ids. Stores share one where the hardware can still tell their pairs to be new."""

import numpy

from .allocation import all_times
from .contract import IDS
from .newness import is_new, positions

MOST_WRITES = 400_000       # of the stores of an id, unless a store is worth more time
WORTH_IT = 0.01             # of all reads


class Writes:
    """The writes of a register's stores, in order, and how many reads each serves before the register grows again."""

    def __init__(self, values, stores, places, pairs):
        grown = all_times(values, places)
        known = numpy.zeros(int(values.write_accesses.max(initial=0)) + 1, dtype=bool)
        known[list(stores)] = True
        mine = numpy.flatnonzero(known[values.write_accesses] & values.write_hits)
        self.stores = values.write_accesses[mine]
        self.epochs = numpy.searchsorted(grown, values.write_times[mine], side="right")
        self.blocks = values.write_blocks[mine]
        self.within = positions(self.epochs) < pairs
        self.served = _served(values, grown)[mine]
        self.reads = len(values.read_times)

    def of(self, store):
        return numpy.flatnonzero(self.stores == store)

    def served_by(self, chosen):
        """How many reads the writes at these positions serve under one id."""
        new = is_new(self.epochs[chosen], self.blocks[chosen], self.within[chosen])
        return int(self.served[chosen[new]].sum())


def _served(values, grown):
    read = numpy.flatnonzero(~values.known & values.read_hits)
    sources = values.sources[read]
    clean = (numpy.searchsorted(grown, values.read_times[read], side="right")
             == numpy.searchsorted(grown, values.write_times[sources], side="right"))
    return numpy.bincount(sources[clean], minlength=len(values.write_times))


class Group:
    """The stores of one id."""

    def __init__(self, register, number):
        self.register, self.number = register, number
        self.stores, self.positions, self.served = [], numpy.empty(0, dtype=numpy.int64), 0


class Groups:
    """Ids as they are given out. `rights` is {(load, store): right reads under an id of the store's own}."""

    def __init__(self, registers, budget, rights):
        self.registers, self.budget, self.rights = registers, budget, rights
        self.groups, self.writes, self.totals = [], {}, {}
        self.readers, self.benefit = {}, {}
        for (load, store), count in rights.items():
            self.readers.setdefault(store, []).append(load)
            self.benefit[store] = self.benefit.get(store, 0) + count

    def add_register(self, writes, register):
        self.writes[register] = writes

    def fill(self, registers):
        """Places the stores in order of benefit. `registers` is {store: register}."""
        for store in sorted(self.benefit, key=lambda store: (-self.benefit[store], store)):
            if self.benefit[store] > 0:
                self._add(store, registers[store])

    def _add(self, store, register):
        """Puts a store where it saves most. A new id must save more than an id in use."""
        writes = self.writes[register]
        mine = writes.of(store)
        alone = writes.served_by(mine)
        fresh = Group(register, sum(group.register == register for group in self.groups))
        options = [(self._saved(store, group) - lost, group, together, served) for group in self.groups if group.register == register
                   for lost, together, served in [self._lost(store, group, mine, alone)] if lost is not None]
        if len(self.groups) < self.budget and (fresh.number + 1) * self.registers <= IDS:
            options.append((self._saved(store, fresh), fresh, mine, alone))
        saved, group, group_positions, served = max(options, key=lambda option: option[0], default=(0, None, None, None))
        if saved <= 0:
            return
        if group is fresh:
            self.groups.append(fresh)
        group.stores.append(store)
        group.positions, group.served = group_positions, served
        for load in self.readers[store]:
            totals = self.totals.setdefault(load, {})
            totals[group] = totals.get(group, 0) + self.rights[load, store]

    def _lost(self, store, group, mine, alone):
        """(right reads lost by sharing the id, positions together, reads served together)."""
        writes = self.writes[group.register]
        if len(mine) + len(group.positions) > MOST_WRITES and self.benefit[store] < WORTH_IT * writes.reads:
            return None, None, None
        together = numpy.sort(numpy.concatenate((group.positions, mine)))
        served = writes.served_by(together)
        return group.served + alone - served, together, served

    def _saved(self, store, group):
        """More right reads if each load expects the id that suits it best."""
        more = 0
        for load in self.readers[store]:
            totals = self.totals.get(load, {})
            before = max(totals.values(), default=0)
            more += max(before, totals.get(group, 0) + self.rights[load, store]) - before
        return more

    def ids(self):
        """{store: id}: id k * registers + r is group k of register r."""
        return {store: group.number * self.registers + group.register for group in self.groups for store in group.stores}
