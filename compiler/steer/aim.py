"""Rounds the offsets of hints. A hint's offset is in units of 4 bytes, and only its block matters.

An access through an aligned base is best rounded down; one through a pointer to bytes is best rounded to the nearest. The profile decides.
"""

import numpy

from .contract import OFFSET_UNIT, offset_units


def aim(program, values, block):
    """{access: units} for displacements that are no multiple of a unit. Notes in the values which hints then miss their block."""
    chosen = {}
    for access in program.accesses:
        if access.kind == "atomic" or access.late or access.displacement % OFFSET_UNIT == 0:
            continue
        down = offset_units(access.displacement)
        if down is None:
            continue
        is_write = access.kind == "store"
        mine = numpy.flatnonzero((values.write_accesses if is_write else values.read_accesses) == access.index)
        if not len(mine):
            continue
        addresses = (values.write_addresses if is_write else values.read_addresses)[mine].astype(numpy.int64)
        options = [units for units in (down, offset_units(access.displacement + OFFSET_UNIT - 1)) if units is not None]
        hits = [(addresses - access.displacement + OFFSET_UNIT * units) // block == addresses // block for units in options]
        best = max(range(len(options)), key=lambda number: (hits[number].sum(), -number))
        chosen[access.index] = options[best]
        (values.write_hits if is_write else values.read_hits)[mine] = hits[best]
    return chosen
