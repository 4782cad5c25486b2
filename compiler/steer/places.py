"""Candidates of the measured allocation: stores that are read often, and places where a register could grow for them."""

import numpy

from .allocation import before, entry

MOST_STORES = 400
MOST_ENTRIES = 72
MOST_BEFORE = 32


def candidate_stores(values, hintable):
    """The stores whose values are read most, as an array of access numbers."""
    sources = values.sources[values.sources >= 0]
    if not len(sources):
        return numpy.empty(0, dtype=numpy.int64)
    reads = numpy.bincount(values.write_accesses[sources])
    order = numpy.argsort(-reads, kind="stable")[:MOST_STORES]
    return numpy.array([store for store in order.tolist() if reads[store] and store in hintable], dtype=numpy.int64)


def candidate_places(program, values, stores, calls):
    """Entries of the functions of these stores and of their callers, and the places before the hottest stores.

    An entry is the paper's place. A caller's entry suits a helper that fills the caller's data. The place before a store suits a variable
    that is written again and again in one invocation.
    """
    weight = {}
    sources = values.sources[values.sources >= 0]
    reads = numpy.bincount(values.write_accesses[sources], minlength=int(stores.max(initial=0)) + 1)
    for store in stores.tolist():
        own = program.accesses[store].function.index
        weight[own] = weight.get(own, 0) + int(reads[store])
    total = dict(weight)
    for function in program.functions:
        if len(values.entry_times(function.index)):
            below = sum(weight.get(callee, 0) for callee in calls.reached(function.index))
            # Own stores count first: most values belong to the function that writes them
            total[function.index] = total.get(function.index, 0) + below / 4
    usable = [function for function in total if program.functions[function].can_increment and len(values.entry_times(function)) and total[function]]
    usable.sort(key=lambda function: (-total[function], function))
    return [entry(function) for function in usable[:MOST_ENTRIES]] + [before(store) for store in stores.tolist()[:MOST_BEFORE]]
