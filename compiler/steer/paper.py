"""The paper's algorithm, steps 1 to 4: each store has an id of its own in its function, and registers grow at function entries."""

from . import across, ids, matching, registers, within
from .allocation import Allocation, entry


class Plan:
    """What steps 1 and 2 find: matches, stores that can share within a function, and functions that can share."""

    def __init__(self, program, values):
        self.found = matching.pairs(values)
        self.matched = matching.match(self.found, matching.hintable(program))
        self.stores = within.shareable(program, values, self.matched)
        self.sharing = across.Sharing(program, self.matched, self.stores)
        self.benefit = {}
        for load, store in self.matched.items():
            self.benefit[store] = self.benefit.get(store, 0) + self.found[load][store]


def allocate(program, values, hardware):
    plan = Plan(program, values)
    priority = registers.priorities(plan.found, plan.matched, plan.stores)
    chosen = registers.allocate(priority, plan.sharing.share, hardware.registers)
    assigned = ids.assign(ids.slots(chosen, plan.stores, plan.benefit), plan.benefit, hardware.registers, hardware.ids)
    loads = {load: assigned[store] for load, store in plan.matched.items() if store in assigned}
    allocation = Allocation(hardware.registers, assigned, loads, {entry(function): register for function, register in chosen.items()})
    allocation.drop_unused()
    return allocation
