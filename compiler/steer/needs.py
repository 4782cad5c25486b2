"""Tables 2 and 3 of the paper: registers and ids that cover a share of the loads, with and without sharing."""

import collections

from . import ids, registers

THRESHOLDS = (100, 99, 98)

# across: sharing within and across functions; within: within functions only; none: a register and an id for each store
Needs = collections.namedtuple("Needs", "registers_across registers_within registers_none ids_across ids_none")


def needs(plan, threshold):
    """What the most beneficial stores need that together pass `threshold` percent of the values."""
    benefit = {store: plan.benefit[store] for mine in plan.stores.values() for store in mine}
    chosen, left = set(), sum(benefit.values()) * threshold
    for store in sorted(benefit, key=lambda store: (-benefit[store], store)):
        if left <= 0:
            break
        chosen.add(store)
        left -= 100 * benefit[store]
    stores = {function: [store for store in mine if store in chosen] for function, mine in plan.stores.items()}
    stores = {function: mine for function, mine in stores.items() if mine}
    priority = {function: sum(benefit[store] for store in mine) for function, mine in stores.items()}
    shared = registers.allocate(priority, plan.sharing.share)
    return Needs(len(set(shared.values())), len(stores), len(chosen), len(ids.slots(shared, stores, benefit)), len(chosen))


def table(plan):
    return {threshold: needs(plan, threshold)._asdict() for threshold in THRESHOLDS}
