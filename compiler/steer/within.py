"""Step 2, within a function: the stores that can share the register which the function increments at its entry."""

import numpy

from .allocation import entry, times
from .newness import is_first


def repeats(values, store, place):
    """How many writes of a store go to a block that it wrote since the last increment at the place."""
    mine = values.write_accesses == store
    epochs = numpy.searchsorted(times(values, place), values.write_times[mine], side="right")
    return int((~is_first(epochs, values.write_blocks[mine])).sum())


def shareable(program, values, matched):
    """{function: [stores]}: matched stores that write each block at most once in an invocation."""
    found = {}
    for store in sorted(set(matched.values())):
        function = program.accesses[store].function
        if function.can_increment and not repeats(values, store, entry(function.index)):
            found.setdefault(function.index, []).append(store)
    return found
