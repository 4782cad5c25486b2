"""Allocations as JSON, with the names of functions, so that a build can be repeated without its profile."""

import json

from .allocation import Allocation, Place
from .contract import IDS, check_register
from .errors import SteerError


def to_json(program, allocation):
    def names(chosen):
        return {str(program.accesses[number]): identifier for number, identifier in sorted(chosen.items())}

    increments = {}
    for place, register in sorted(allocation.increments.items()):
        name = program.functions[place.number].name if place.kind == "entry" else str(program.accesses[place.number])
        increments[f"{place.kind} {name}"] = register
    return {"registers": allocation.registers, "stores": names(allocation.stores), "loads": names(allocation.loads), "increments": increments}


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


def _resolved(program, hintable, found):
    accesses = {str(access): access for access in program.accesses}
    functions = {function.name: function.index for function in program.functions if function.can_increment}
    allocation = Allocation(found["registers"])
    for kind, chosen in (("store", allocation.stores), ("load", allocation.loads)):
        for name, identifier in found[kind + "s"].items():
            access = accesses.get(name)
            if access is None or access.kind != kind or access.index not in hintable:
                raise SteerError(f"the allocation is of another program: this one has no {kind} {name} that can have a hint")
            if not 0 <= identifier < IDS:
                raise SteerError(f"counter id {identifier} does not exist: ids are 0 to {IDS - 1}")
            chosen[access.index] = identifier
    for name, register in found["increments"].items():
        check_register(register, found["registers"])
        kind, _, rest = name.partition(" ")
        number = functions.get(rest) if kind == "entry" else accesses[rest].index if rest in accesses else None
        if kind not in ("entry", "before") or number is None:
            raise SteerError(f"the allocation is of another program: this one has no place {name}")
        allocation.increments[Place(kind, number)] = register
    return allocation
