"""Which reads are right without a hint: the hardware expects the last pair at the block's place, and otherwise that of the image."""

import numpy


def places(blocks, entries):
    """The place of each block: its number, folded."""
    bits = entries.bit_length() - 1
    rest, found = blocks.astype(numpy.int64), numpy.zeros(len(blocks), dtype=numpy.int64)
    while rest.any():
        found ^= rest & (entries - 1)
        rest = rest >> bits
    return found


def last_writes(keys, writes):
    """For each event the number of the last write of its key before it, -1 if there is none. `writes` says which events are writes."""
    numbers = numpy.cumsum(writes) - 1
    order = numpy.argsort(keys, kind="stable")
    is_start = numpy.ones(len(order), dtype=bool)
    is_start[1:] = keys[order][1:] != keys[order][:-1]
    starts = numpy.flatnonzero(is_start)
    # Positions in the order of keys of the last write so far, which counts only within the key
    position = numpy.where(writes[order], numpy.arange(len(order)), -1)
    last = numpy.maximum.accumulate(position)
    start_of = starts[numpy.cumsum(is_start) - 1] if len(order) else starts
    found = numpy.full(len(order), -1, dtype=numpy.int64)
    has = last >= start_of
    found[order[has]] = numbers[order[last[has]]]
    return found


def known(blocks, writes, sources, entries):
    """For each event whether a read there needs no hint. `sources` are the last writes of its block, `entries` those of the table, 0 for none."""
    found = sources < 0
    if entries:
        found |= (sources >= 0) & (last_writes(places(blocks, entries), writes) == sources)
    return found
