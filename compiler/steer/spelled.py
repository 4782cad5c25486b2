"""Accesses whose final offset does not fit a hint. Where the compiler wrote address and access as a pair, the address is spelled out.

    auipc a5, %pcrel_hi(x)              auipc a5, %pcrel_hi(x)
    ld    a0, %pcrel_lo(pair)(a5)       addi  a5, a5, %pcrel_lo(pair)
                                        hint  0(a5)
                                        ld    a0, 0(a5)

The register holds no more than half an address between the two, so nothing else can need it.
"""

from . import relocations
from .objects import STT_SECTION
from .program import is_internal

PAIR_BYTES = 4
INSERTED_BYTES = 8          # addi and hint


def spellable(program, number):
    """True for the second instruction of a pair that is reached only from the first, and that shares the first with no other access."""
    access = program.accesses[number]
    code, section = program.object, access.section
    pair = access.offset - PAIR_BYTES
    lows = [entry for entry in section.relocations if entry.kind in relocations.PCREL_LOWS
            for symbol in [code.symbols[entry.symbol]] if (symbol.section, symbol.value) == (section.index, pair)]
    if len(lows) != 1 or lows[0].offset != access.offset or pair < access.function.start:
        return False
    if access.kind == "store" and int.from_bytes(section.data[access.offset:access.offset + 4], "little") >> 20 & 31 == access.base:
        return False
    return not _is_target(code, section, access.offset)


def _is_target(code, section, offset):
    """A label that something other than a debugger may use."""
    return any(symbol.section == section.index and symbol.value == offset and symbol.kind != STT_SECTION
               and (number in code.used_symbols or not is_internal(symbol.name)) for number, symbol in enumerate(code.symbols))


def take(access):
    """The relocations of an access, to be moved after insertion."""
    return [entry for entry in access.section.relocations if entry.offset == access.offset]


def move(entries):
    """Relocations of an access to its addi."""
    for entry in entries:
        entry.offset -= INSERTED_BYTES
        if entry.kind == relocations.PCREL_LO12_S:
            entry.kind = relocations.PCREL_LO12_I
