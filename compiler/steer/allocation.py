"""What the compiler decides: which store writes under which id, which load expects it, and where registers grow."""

import collections

import numpy

# kind: "entry" of the function, "before" the access, or "point" of that number
Place = collections.namedtuple("Place", "kind number")
# A hint in front of that instruction of the load's function. If `first` is another, this one is for the next iteration, and `first` stands before
# the loop that starts at its instruction.
Early = collections.namedtuple("Early", "ordinal base units first", defaults=(None,))


def entry(function):
    return Place("entry", function)


def before(access):
    return Place("before", access)


def point(number):
    return Place("point", number)


class Allocation:
    """`stores` and `loads` are {access number: id}, `increments` is {place: register}. Id i belongs to register i mod `registers`.

    `units` is {access number: offset field} where that is not the displacement rounded down. `nudges` is {store number:
    bytes} where the base moves for the hint. `spelled` are accesses whose address is computed in front of the hint. `early` is {load: Early}.
    """

    def __init__(self, registers, stores=None, loads=None, increments=None):
        self.registers, self.units, self.nudges, self.spelled, self.early = registers, {}, {}, set(), {}
        self.stores, self.loads, self.increments = dict(stores or {}), dict(loads or {}), dict(increments or {})

    def size(self):
        """Instructions that are inserted."""
        return len(self.stores) + len(self.loads) + len(self.increments) + len(
            self.spelled & (self.stores.keys() | self.loads.keys())) + 2 * len(self.nudges.keys() & self.stores.keys())

    def used_ids(self):
        return sorted(set(self.stores.values()))

    def used_registers(self):
        return sorted({identifier % self.registers for identifier in self.stores.values()})

    def places(self, register):
        return [place for place, number in self.increments.items() if number == register]

    def drop_unused(self):
        """Hints whose counterpart is gone, and increments that no store needs."""
        read = set(self.loads.values())
        self.stores = {access: identifier for access, identifier in self.stores.items() if identifier in read}
        written = set(self.stores.values())
        self.loads = {access: identifier for access, identifier in self.loads.items() if identifier in written}
        used = set(self.used_registers())
        self.increments = {place: register for place, register in self.increments.items() if register in used}


def times(values, place):
    """When the increment of a place happens: at these times of the trace, before the event itself."""
    if place.kind == "entry":
        return values.entry_times(place.number)
    if place.kind == "point":
        return values.point_times(place.number)
    return values.access_times(place.number)


def all_times(values, places):
    """Of several places on one register, in order. Increments at one time still count each."""
    parts = [times(values, place) for place in places]
    return numpy.sort(numpy.concatenate(parts)) if parts else numpy.empty(0, dtype=numpy.int64)
