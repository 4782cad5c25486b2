"""Gives each store a register, so that the values that a load reads come from one register."""

import numpy

from .certainty import of_set


def table(signatures, sets, certainty):
    """{(load, store position): [right reads under each register]}."""
    found = {}
    rights = [signatures.rights(chosen) * signatures.counts * of_set(certainty, chosen)[signatures.store] for chosen in sets]
    for row, key in enumerate(zip(signatures.load.tolist(), signatures.store.tolist())):
        counts = found.setdefault(key, [0] * len(sets))
        for register, right in enumerate(rights):
            counts[register] += float(right[row])
    return found


def assign(rights, growth):
    """{store position: register}: first the register that suits the store, then moves that suit its loads."""
    if not growth.sets:
        return {}
    gains = numpy.array(growth.values)
    chosen = {store: int(gains[:, store].argmax()) for store in range(gains.shape[1]) if gains[:, store].max() > 0}
    readers, read = {}, {}
    for (load, store), counts in rights.items():
        if max(counts):
            readers.setdefault(store, []).append(load)
            read.setdefault(load, []).append(store)

    def served(load):
        """Right reads of a load under the register that suits it best."""
        totals = {}
        for store in read[load]:
            register = chosen.get(store)
            if register is not None:
                totals[register] = totals.get(register, 0) + rights[load, store][register]
        return max(totals.values(), default=0)

    moved = True
    while moved:
        moved = False
        for store in sorted(readers):
            best, kept = None, chosen.get(store)
            for register in [kept, *range(len(growth.sets))]:
                chosen[store] = register
                total = sum(served(load) for load in readers[store])
                if best is None or total > best[0]:
                    best = total, register
            chosen[store] = best[1]
            moved |= best[1] != kept
    return {store: register for store, register in chosen.items() if register is not None}
