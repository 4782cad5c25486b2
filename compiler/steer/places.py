"""Candidates of the measured allocation: stores that are read often, and places where a register could grow for them."""

import numpy

from .allocation import before, entry, point, times
from .signatures import Signatures

MOST_STORES = 400
MOST_BEFORE = 48            # places before stores
MOST_PLACES = 700           # that are tried on a sample of the reads
SAMPLE = 60_000
KEPT = 96


def candidate_stores(values, hintable):
    """The stores whose values are read most, as an array of access numbers."""
    sources = values.sources[values.unknown]
    if not len(sources):
        return numpy.empty(0, dtype=numpy.int64)
    reads = numpy.bincount(values.write_accesses[sources])
    order = numpy.argsort(-reads, kind="stable")[:MOST_STORES]
    return numpy.array([store for store in order.tolist() if reads[store] and store in hintable], dtype=numpy.int64)


def candidate_places(program, values, stores, calls):
    """Places that suit many values.

    The entry of a store's own function is the paper's place. The entry of a caller suits a helper that fills the caller's data; the place
    before a store suits a variable that is written again and again; the start of a loop suits what each turn writes once; and a call suits a
    recursion as a whole.
    """
    ranked = _ranked(program, values, stores, calls)
    sample = Signatures(values, stores, ranked, SAMPLE)
    never = _gains(sample, [])
    gains = numpy.array([numpy.maximum(0, _gains(sample, [number]) - never) for number in range(len(ranked))]).reshape(len(ranked), len(stores))
    # A place is kept for the stores that it suits best, and as a substitute for many
    best = numpy.where(gains == gains.max(axis=0, initial=0), gains, 0).sum(axis=1)
    score = best + gains.sum(axis=1) / 8
    order = numpy.argsort(-score, kind="stable")[:KEPT]
    return [ranked[number] for number in order.tolist() if score[number] > 0]


def _gains(signatures, chosen):
    return numpy.bincount(signatures.store, weights=signatures.rights(chosen) * signatures.counts, minlength=len(signatures.stores))


def _ranked(program, values, stores, calls):
    """All places of functions that have such stores or call them, those of the heaviest functions first."""
    sources = values.sources[values.unknown]
    reads = numpy.bincount(values.write_accesses[sources], minlength=int(stores.max(initial=0)) + 1)
    own = {}
    for store in stores.tolist():
        function = program.accesses[store].function.index
        own[function] = own.get(function, 0) + int(reads[store])
    weight = {function.index: own.get(function.index, 0) + sum(own.get(callee, 0) for callee in calls.reached(function.index)) / 4
              for function in program.functions}
    found = [(weight[function.index], entry(function.index)) for function in program.functions if function.can_increment]
    found += [(weight[spot.function.index], point(spot.index)) for spot in program.points]
    found = [(size, place) for size, place in found if size and len(times(values, place))]
    found.sort(key=lambda pair: (-pair[0], pair[1]))
    return [before(store) for store in stores.tolist()[:MOST_BEFORE]] + [place for _, place in found][:MOST_PLACES]
