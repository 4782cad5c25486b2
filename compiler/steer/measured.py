"""The measured allocation: the paper's steps with predictions of the profile in place of static rules."""

from . import assignment, certainty, grouping, matching, places, pruning
from .allocation import Allocation
from .calls import Calls
from .growth import Growth
from .signatures import Signatures

# The choice of places is greedy, and fewer candidates sometimes lead it further
SHARES_OF_PLACES = (1, 1 / 4)


def allocate(program, values, hardware):
    hintable = matching.hintable(program)
    stores = places.candidate_stores(values, hintable)
    candidates = places.candidate_places(program, values, stores, Calls(program))
    signatures = Signatures(values, stores, candidates)
    sure = certainty.certainty(values, stores, signatures.times, hardware.pairs)
    executed = values.hint_instructions(int(stores.max(initial=0)) + 1)
    growth = Growth(signatures, executed[stores], [len(grown) for grown in signatures.times], sure, hardware)
    found = []
    for share in SHARES_OF_PLACES:
        sets = growth.run(range(int(share * len(candidates))))
        found.append(_completed(values, hardware, hintable, growth, sets))
    return max(found, key=lambda allocation: pruning.cycles(values, allocation, hardware))


def _completed(values, hardware, hintable, growth, sets):
    """The allocation whose registers grow at these places."""
    signatures = growth.signatures
    stores, candidates = signatures.stores, signatures.places
    rights = assignment.table(signatures, sets, growth.certainty)
    chosen = assignment.assign(rights, growth)
    own = {(load, int(stores[store])): counts[chosen[store]] for (load, store), counts in rights.items() if store in chosen}
    registers = {int(stores[store]): register for store, register in chosen.items()}
    groups = grouping.Groups(hardware.registers, hardware.ids, own)
    for register, numbers in enumerate(sets):
        mine = [store for store, number in registers.items() if number == register]
        groups.add_register(grouping.Writes(values, mine, [candidates[number] for number in numbers], hardware.pairs), register)
    groups.fill(registers)
    increments = {candidates[number]: register for register, numbers in enumerate(sets) for number in numbers}
    allocation = Allocation(hardware.registers, groups.ids(), {}, increments)
    return pruning.settle(values, allocation, hintable, hardware)
