"""Which hinted writes get their pair: the hardware's rule that a pair must be new for its block."""

import numpy


def is_first(epochs, blocks):
    """For each write in order: nothing was written to its block since the last increment."""
    keys = epochs.astype(numpy.int64) << 32 | blocks.astype(numpy.int64)
    first = numpy.zeros(len(keys), dtype=bool)
    first[numpy.unique(keys, return_index=True)[1]] = True
    return first


def is_new(epochs, blocks, within_filter):
    """For the writes under one id, in order. `within_filter`: the filter still tells this write's pair from all others of its epoch.

    A write is new if it is the first since the increment, lies above or below all of them, or is unknown to the filter.
    """
    if not len(epochs):
        return numpy.zeros(0, dtype=bool)
    high = epochs.astype(numpy.int64) << 32
    above, below = high | blocks.astype(numpy.int64), high | (0xffffffff - blocks.astype(numpy.int64))
    outside = numpy.ones(len(epochs), dtype=bool)
    outside[1:] = above[1:] > numpy.maximum.accumulate(above)[:-1]
    outside[1:] |= below[1:] > numpy.maximum.accumulate(below)[:-1]
    return outside | is_first(epochs, blocks) & within_filter


def positions(epochs):
    """How many writes came before in the same epoch, for writes in order."""
    if not len(epochs):
        return numpy.zeros(0, dtype=numpy.int64)
    starts = numpy.flatnonzero(numpy.concatenate(([True], epochs[1:] != epochs[:-1])))
    lengths = numpy.diff(numpy.append(starts, len(epochs)))
    return numpy.arange(len(epochs)) - numpy.repeat(starts, lengths)
