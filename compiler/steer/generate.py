"""Step 5: puts hints before accesses and increments at their places."""

from . import nudged
from .contract import LOAD, STORE, hint, increment, offset_units
from .insertion import BEHIND, ENTRY, INSTRUCTION, LABEL, Insertion
from .linking import MARK
from .nudged import add_immediate
from .spelled import move, take


def words(program, allocation):
    """{section number: {offset: [(rank, word)]}} of an allocation. An increment before a store comes before the store's hint. Stores that move their
    base are changed."""
    found = {}
    for number, early in sorted(allocation.early.items()):
        if number in allocation.loads and number not in allocation.spelled:
            _hint_early(found, program.accesses[number], allocation.loads[number], early)
    for place, register in allocation.increments.items():
        if place.kind == "entry":
            function = program.functions[place.number]
            _insert(found, function.section, function.start, ENTRY, increment(register))
        else:
            spot = spot_of(program, place)
            _insert(found, spot.section, spot.offset, LABEL, increment(register))
    for kind, chosen in ((STORE, allocation.stores), (LOAD, allocation.loads)):
        for number, identifier in chosen.items():
            access = program.accesses[number]
            if number in allocation.spelled:
                _insert(found, access.section, access.offset, LABEL, add_immediate(access.base))
            if number in allocation.nudges and kind == STORE:
                first, last = nudged.move(access, allocation.nudges[number])
                _insert(found, access.section, access.offset, LABEL, first)
                _insert(found, access.section, access.offset + access.size, BEHIND, last)
            if kind == LOAD and number in allocation.early and number not in allocation.spelled:
                continue
            units = 0 if access.late else allocation.units.get(number, offset_units(access.displacement))
            _insert(found, access.section, access.offset, LABEL, hint(kind, identifier, access.base, units))
    return found


def _hint_early(found, access, identifier, early):
    """In front of all else that comes before an instruction. Jumps to the start of a loop come behind the hint that is before the loop."""
    for rank, spot in ((LABEL, early), (ENTRY, early.first)):
        if spot is not None:
            offset = access.function.instructions[spot.ordinal].offset
            _insert(found, access.section, offset, rank, hint(LOAD, identifier, spot.base, spot.units))


def spot_of(program, place):
    return (program.accesses if place.kind == "before" else program.points)[place.number]


def _insert(found, section, offset, rank, word):
    found.setdefault(section.index, {}).setdefault(offset, []).append((rank, word))


def rewrite(program, allocation):
    """Changes the program's object. Accesses whose offset the linker fills in get a mark; patching completes their hints."""
    insertion = Insertion(program.object, words(program, allocation))
    hinted = sorted({*allocation.stores, *allocation.loads})
    moving = [take(program.accesses[number]) for number in hinted if number in allocation.spelled]
    insertion.apply()
    for entries in moving:
        move(entries)
    for number in hinted:
        access = program.accesses[number]
        if access.late and number not in allocation.spelled:
            place = insertion.place(access.section.index, access.offset, INSTRUCTION)
            program.object.add_marker(f"{MARK}a{number}", access.section, place)
