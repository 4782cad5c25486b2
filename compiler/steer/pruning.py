"""The last word on every hint: each load expects the id that is right most often, and hints that cost more than they save go."""

import numpy

from .allocation import Allocation, times
from .replay import Outcome, Pairs


def settle(values, allocation, hintable, hardware):
    """Matches loads with ids by replay and removes what does not pay."""
    _match(values, allocation, hintable, hardware)
    drop_places(values, allocation, hardware)
    _match(values, allocation, hintable, hardware)
    drop_losers(values, allocation, hardware)
    drop_registers(values, allocation, hardware)
    return allocation


def _match(values, allocation, hintable, hardware):
    """Gives each load the id that is right most often, and leaves out single hints that do not pay, until nothing changes."""
    while True:
        before = len(allocation.stores), dict(allocation.loads)
        allocation.loads = _best_loads(values, Pairs(values, allocation, hardware).current(values), hintable, hardware)
        drop_stores(values, allocation, hardware)
        if (len(allocation.stores), allocation.loads) == before:
            return


def _best_loads(values, needed, hintable, hardware):
    executed, known = values.hint_instructions(), known_reads(values)
    has = (needed >= 0) & values.read_hits
    keys, counts = numpy.unique(values.read_accesses[has].astype(numpy.int64) << 8 | needed[has], return_counts=True)
    chosen, rights = {}, {}
    for key, count in zip(keys.tolist(), counts.tolist()):
        load = key >> 8
        if load in hintable and count > rights.get(load, 0):
            chosen[load], rights[load] = key & 0xff, count
    # Some of its reads are right without a hint
    return {load: identifier for load, identifier in chosen.items()
            if hardware.cipher * (rights[load] - int(known[load])) > hardware.hint * int(executed[load])}


def drop_stores(values, allocation, hardware):
    """Leaves out the hints of stores that serve too few reads."""
    outcome = Outcome(values, allocation, hardware)
    size = max(int(values.write_accesses.max(initial=-1)), max(allocation.stores, default=-1)) + 1
    served = numpy.bincount(values.write_accesses[values.sources[outcome.is_right]], minlength=size)
    executed = values.hint_instructions(size)
    allocation.stores = {store: identifier for store, identifier in allocation.stores.items()
                         if hardware.cipher * int(served[store]) > hardware.hint * int(executed[store])}
    allocation.drop_unused()


def drop_losers(values, allocation, hardware):
    """Leaves out loads that do not pay for their own hint and their share of the hints of the stores that they read, the worst first."""
    while True:
        net = shared_net(values, allocation, hardware)
        losers = sorted((saved, load) for load, saved in net.items() if saved < 0)
        if not losers:
            return
        for _, load in losers[:1 + len(losers) // 2]:
            del allocation.loads[load]
        allocation.drop_unused()
        drop_stores(values, allocation, hardware)


def shared_net(values, allocation, hardware):
    """{load: cycles saved}. The hints of a store are paid by the loads that it serves, in proportion."""
    outcome = Outcome(values, allocation, hardware)
    executed = values.hint_instructions(max([*allocation.stores, *allocation.loads, 0]) + 1)
    known = known_reads(values)
    net = {load: -hardware.hint * int(executed[load]) - hardware.cipher * int(known[load] if load < len(known) else 0) for load in allocation.loads}
    loads = values.read_accesses[outcome.is_right].astype(numpy.int64)
    stores = values.write_accesses[values.sources[outcome.is_right]]
    keys, counts = numpy.unique(loads << 32 | stores, return_counts=True)
    served = numpy.bincount(stores)
    for key, count in zip(keys.tolist(), counts.tolist()):
        load, store = key >> 32, key & 0xffffffff
        net[load] += hardware.cipher * count - hardware.hint * int(executed[store]) * count / int(served[store])
    return net


def drop_registers(values, allocation, hardware):
    """Leaves out registers whose increments cost more than all of their hints save."""
    total = cycles(values, allocation, hardware)
    for register in allocation.used_registers():
        kept = Allocation(allocation.registers, *({key: number for key, number in chosen.items() if number % allocation.registers != register}
                                                  for chosen in (allocation.stores, allocation.loads, allocation.increments)))
        if cycles(values, kept, hardware) > total:
            allocation.stores, allocation.loads, allocation.increments = kept.stores, kept.loads, kept.increments
            total = cycles(values, allocation, hardware)


def drop_places(values, allocation, hardware):
    """Leaves out increments that cost more than they save."""
    total = cycles(values, allocation, hardware)
    for place in sorted(allocation.increments, key=lambda place: (-len(times(values, place)), place)):
        register = allocation.increments.pop(place)
        less = cycles(values, allocation, hardware)
        if less >= total:
            total = less
        else:
            allocation.increments[place] = register


def fit(values, allocation, hardware, most):
    """Leaves out the loads that save least, until at most so many instructions are inserted."""
    while allocation.size() > most:
        saved = shared_net(values, allocation, hardware)
        ranked = sorted(saved, key=lambda load: (saved[load], load))
        # A load often takes its store along
        for load in ranked[:max(1, (allocation.size() - most) // 2)]:
            del allocation.loads[load]
        allocation.drop_unused()
        drop_stores(values, allocation, hardware)
    return allocation


def known_reads(values):
    """For each access: its reads that are right without a hint."""
    return numpy.bincount(values.read_accesses[values.known], minlength=int(values.read_accesses.max(initial=-1)) + 1)


def cycles(values, allocation, hardware):
    """Predicted cycles that an allocation saves against the global counter alone."""
    outcome = Outcome(values, allocation, hardware)
    executed = values.hint_instructions(max([*allocation.stores, *allocation.loads, 0]) + 1)
    hints = sum(int(executed[access]) for access in [*allocation.stores, *allocation.loads])
    grown = sum(len(times(values, place)) for place in allocation.increments)
    return hardware.cipher * (outcome.right - outcome.known_hinted) - hardware.hint * (hints + grown)
