"""Allocations as JSON, with the names of functions, so that a build can be repeated without its profile."""

import json

from .blocks import Blocks, is_spot
from .allocation import Allocation, Early, before, entry, point
from .contract import IDS, check_register
from .errors import SteerError
from .nudged import FARTHEST, nudgeable
from .spelled import spellable


def to_json(program, allocation):
    def names(chosen):
        return {str(program.accesses[number]): identifier for number, identifier in sorted(chosen.items())}

    increments = {}
    for place, register in sorted(allocation.increments.items()):
        increments[name_of(program, place)] = register
    used = {number: units for number, units in allocation.units.items() if number in allocation.stores or number in allocation.loads}
    return {"registers": allocation.registers, "stores": names(allocation.stores), "loads": names(allocation.loads), "increments": increments,
            "offsets": names(used),
            "nudges": names({number: by for number, by in allocation.nudges.items() if number in allocation.stores}),
            "early": {str(program.accesses[number]): list(found[:3]) + ([list(found.first[:3])] if found.first else [])
                      for number, found in sorted(allocation.early.items()) if number in allocation.loads},
            "spelled": sorted(str(program.accesses[number]) for number in allocation.spelled
                              if number in allocation.stores or number in allocation.loads)}


def name_of(program, place):
    named = {"entry": program.functions, "before": program.accesses, "point": program.points}[place.kind]
    return f"{place.kind} {named[place.number]}"


def load(path, program, hintable):
    """The allocation in a report, or in a file of its own."""
    try:
        with open(path) as file:
            found = json.load(file)
        found = found.get("allocation", found)
        return _resolved(program, hintable, found)
    except OSError as error:
        raise SteerError(f"the allocation {path} cannot be read: {error.strerror}") from error
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise SteerError(f"{path} is no allocation: name a report of hauberk-steer build") from error


def all_places(program):
    return ([entry(function.index) for function in program.functions if function.can_increment]
            + [before(access.index) for access in program.accesses] + [point(found.index) for found in program.points])


def _resolved(program, hintable, found):
    accesses = {str(access): access for access in program.accesses}
    places = {name_of(program, place): place for place in all_places(program)}
    allocation = Allocation(found["registers"])
    for kind, chosen in (("store", allocation.stores), ("load", allocation.loads)):
        for name, identifier in found[kind + "s"].items():
            access = accesses.get(name)
            if access is None or access.kind != kind or access.index not in hintable:
                raise SteerError(f"the allocation is of another program: this one has no {kind} {name} that can have a hint")
            if not 0 <= identifier < IDS:
                raise SteerError(f"counter id {identifier} does not exist: ids are 0 to {IDS - 1}")
            chosen[access.index] = identifier
    for name, units in found["offsets"].items():
        allocation.units[accesses[name].index] = units
    for name, by in found["nudges"].items():
        if not abs(by) <= FARTHEST or not nudgeable(accesses[name], by):
            raise SteerError(f"the allocation is of another program: {name} cannot move its base by {by} bytes")
        allocation.nudges[accesses[name].index] = by
    blocks = Blocks(program) if found.get("early") else None
    for name, (number, base, units, *first) in found.get("early", {}).items():
        spot = Early(number, base, units, Early(*first[0]) if first else None)
        if not is_spot(blocks, accesses[name], spot):
            raise SteerError(f"the allocation is of another program: the hint of {name} cannot stand before instruction {number}")
        allocation.early[accesses[name].index] = spot
    for name in found["spelled"]:
        if not spellable(program, accesses[name].index):
            raise SteerError(f"the allocation is of another program: {name} is not the second instruction of a pair")
        allocation.spelled.add(accesses[name].index)
    for name, register in found["increments"].items():
        check_register(register, found["registers"])
        if name not in places:
            raise SteerError(f"the allocation is of another program: this one has no place {name}")
        allocation.increments[places[name]] = register
    return allocation
