"""Step 1: match loads with stores by the profile."""

import numpy

from .contract import offset_units


def pairs(values):
    """{load: {store: reads}}. The image counts as store -1."""
    stores = numpy.where(values.sources >= 0, values.write_accesses[values.sources] if len(values.write_accesses) else -1, -1)
    keys, counts = numpy.unique(values.read_accesses.astype(numpy.int64) << 32 | stores + 1, return_counts=True)
    found = {}
    for key, count in zip(keys.tolist(), counts.tolist()):
        found.setdefault(key >> 32, {})[(key & 0xffffffff) - 1] = count
    return found


def match(found, hintable):
    """{load: store}: for each load its most beneficial store. A load that mostly reads the image needs no hint, because no hint means
    the image. `hintable` are the accesses that can have a hint."""
    matched = {}
    for load, stores in found.items():
        best = max(stores, key=lambda store: (stores[store], -store))
        if best >= 0 and load in hintable and best in hintable:
            matched[load] = best
    return matched


def hintable(program):
    """Loads and stores whose address fits a hint. Where the linker fills the offset in, it is looked at after linking."""
    return {access.index for access in program.accesses
            if access.kind != "atomic" and (access.late or offset_units(access.displacement) is not None)}
