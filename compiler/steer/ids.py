"""Step 4: ids for the stores of each register. Functions that share a register share its ids."""

from .contract import IDS


def slots(registers, stores, benefit):
    """{(register, slot): [stores]}: the k-th most beneficial store of each function on a register has slot k."""
    found = {}
    for function, register in registers.items():
        for slot, store in enumerate(sorted(stores[function], key=lambda store: (-benefit[store], store))):
            found.setdefault((register, slot), []).append(store)
    return found


def assign(found, benefit, registers, budget):
    """{store: id} under a budget of ids. Slots of low benefit are left out, and their stores use the global counter.

    Id i belongs to register i mod `registers`, so slot k of register r is id k * registers + r.
    """
    ranked = sorted(found, key=lambda key: (-sum(benefit[store] for store in found[key]), key))
    kept = [key for key in ranked if key[1] * registers + key[0] < IDS][:budget]
    taken, ids = {}, {}
    for register, slot in sorted(kept):
        number = taken.get(register, 0)
        taken[register] = number + 1
        for store in found[register, slot]:
            ids[store] = number * registers + register
    return ids
