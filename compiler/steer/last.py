"""Which reads are right without a hint: the hardware expects the last pair at the block's place, and otherwise that of the image.

A block takes its place when it is written, and when it is read after a write.
"""

import numpy


def places(blocks, entries):
    """The place of each block: its number, folded."""
    bits = entries.bit_length() - 1
    rest, found = blocks.astype(numpy.int64), numpy.zeros(len(blocks), dtype=numpy.int64)
    while rest.any():
        found ^= rest & (entries - 1)
        rest = rest >> bits
    return found


def last_before(keys, marked):
    """For each event the last marked event of its key before it, -1 if there is none."""
    order = numpy.argsort(keys, kind="stable")
    sorted_keys, positions = keys[order], numpy.arange(len(order))
    # Positions in the order of keys of the last mark up to each event, and so before the next one
    last = numpy.maximum.accumulate(numpy.where(marked[order], positions, -1))
    before = numpy.concatenate([[-1], last[:-1]]) if len(order) else last
    has = before >= numpy.searchsorted(sorted_keys, sorted_keys)
    found = numpy.full(len(order), -1, dtype=numpy.int64)
    found[order[has]] = order[before[has]]
    return found


def last_writes(keys, writes):
    """For each event the number of the last write of its key before it, -1 if there is none. `writes` says which events are writes."""
    before = last_before(keys, writes)
    return numpy.where(before >= 0, (numpy.cumsum(writes) - 1)[before], -1)


def known(blocks, writes, sources, entries):
    """For each event whether a read there needs no hint. `sources` are the last writes of its block, `entries` those of the table, 0 for none."""
    found = sources < 0
    if entries and len(blocks):
        before = last_before(places(blocks, entries), writes | (sources >= 0))
        found |= (before >= 0) & (blocks[before] == blocks)
    return found
