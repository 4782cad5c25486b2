"""How many of a store's new writes the hardware can tell to be new, where its register seldom grows.

Between two increments the filter knows only so many writes. Beyond that only ascending or descending blocks are known to be new.
"""

import numpy

from .newness import is_first, is_new, positions


def certainty(values, stores, grown, pairs):
    """Table of stores and places (the last column: a register that never grows) of shares from 0 to 1. `grown` are the times of each place."""
    table = numpy.ones((len(stores), len(grown) + 1))
    never = numpy.empty(0, dtype=numpy.int64)
    for row, store in enumerate(stores.tolist()):
        mine = numpy.flatnonzero((values.write_accesses == store) & values.write_hits)
        blocks, moments = values.write_blocks[mine], values.write_times[mine]
        for column, increments in enumerate([*grown, never]):
            if (len(increments) + 1) * pairs < len(mine):
                epochs = numpy.searchsorted(increments, moments, side="right")
                new = is_new(epochs, blocks, positions(epochs) < pairs)
                table[row, column] = new.sum() / max(1, is_first(epochs, blocks).sum())
    return table


def of_set(table, chosen):
    """Shares for a register that grows at several places: it grows at least as often as at each of them."""
    return table[:, list(chosen)].max(axis=1) if chosen else table[:, -1]
