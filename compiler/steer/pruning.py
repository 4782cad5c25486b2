"""The last word on every hint: each load expects the id that is right most often, and hints that cost more than they save go."""

import numpy

from .allocation import times
from .replay import Outcome, Pairs


def settle(values, allocation, hintable, hardware):
    """Matches loads with ids by replay and removes hints that do not pay, until nothing changes."""
    while True:
        before = len(allocation.stores), dict(allocation.loads)
        allocation.loads = _best_loads(values, Pairs(values, allocation, hardware).current(values), hintable, hardware)
        drop_stores(values, allocation, hardware)
        if (len(allocation.stores), allocation.loads) == before:
            return allocation


def _best_loads(values, needed, hintable, hardware):
    reads, image = read_counts(values)
    has = (needed >= 0) & values.read_hits
    keys, counts = numpy.unique(values.read_accesses[has].astype(numpy.int64) << 8 | needed[has], return_counts=True)
    chosen, rights = {}, {}
    for key, count in zip(keys.tolist(), counts.tolist()):
        load = key >> 8
        if load in hintable and count > rights.get(load, 0):
            chosen[load], rights[load] = key & 0xff, count
    # Without a hint the reads of the image are right
    return {load: identifier for load, identifier in chosen.items()
            if hardware.cipher * (rights[load] - int(image[load])) > hardware.hint * int(reads[load])}


def drop_stores(values, allocation, hardware):
    """Leaves out the hints of stores that serve too few reads."""
    outcome = Outcome(values, allocation, hardware)
    size = max(int(values.write_accesses.max(initial=-1)), max(allocation.stores, default=-1)) + 1
    served = numpy.bincount(values.write_accesses[values.sources[outcome.is_right]], minlength=size)
    executed = numpy.bincount(values.write_accesses, minlength=size)
    allocation.stores = {store: identifier for store, identifier in allocation.stores.items()
                         if hardware.cipher * int(served[store]) > hardware.hint * int(executed[store])}
    allocation.drop_unused()


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
        reads, image = read_counts(values)
        outcome = Outcome(values, allocation, hardware)
        saved = {load: hardware.cipher * int(outcome.rights[load] - image[load]) - hardware.hint * int(reads[load]) for load in allocation.loads}
        ranked = sorted(saved, key=lambda load: (saved[load], load))
        # A load often takes its store along
        for load in ranked[:max(1, (allocation.size() - most) // 2)]:
            del allocation.loads[load]
        allocation.drop_unused()
        drop_stores(values, allocation, hardware)
    return allocation


def read_counts(values):
    """For each access: its reads, and those of the image."""
    size = int(values.read_accesses.max(initial=-1)) + 1
    return numpy.bincount(values.read_accesses, minlength=size), numpy.bincount(values.read_accesses[values.sources < 0], minlength=size)


def cycles(values, allocation, hardware):
    """Predicted cycles that an allocation saves against the global counter alone."""
    outcome = Outcome(values, allocation, hardware)
    executed = numpy.bincount(values.write_accesses, minlength=max(allocation.stores, default=0) + 1)
    hints = outcome.right + outcome.wrong + sum(int(executed[store]) for store in allocation.stores)
    grown = sum(len(times(values, place)) for place in allocation.increments)
    return hardware.cipher * (outcome.right - outcome.image_lost) - hardware.hint * (hints + grown)
