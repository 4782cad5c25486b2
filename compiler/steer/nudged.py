"""Stores whose hints need an address that is no multiple of 4 bytes from the base: the base is moved for one instruction.

                            addi a4, a4, -3
    sb a5, 0(a4)            hint -4(a4)             names the block of a4 - 7
                            sb   a5, 3(a4)
                            addi a4, a4, 3
"""

from .instructions import REGISTERS

INSTRUCTIONS = 3            # beside the store
FARTHEST = 3
# Code that takes an interrupt, and the linker, rely on these
FIXED = {REGISTERS.index(name) for name in ("zero", "sp", "gp", "tp")}
STORE = 0x23


def nudgeable(access, by):
    """True if the store can move its base by so many bytes. It must not store its own base, and its displacement must fit."""
    if access.late or access.size != 4 or access.base in FIXED or not -2048 <= access.displacement - by < 2048:
        return False
    word = _word(access)
    return word & 0x7f == STORE and word >> 20 & 31 != access.base


def move(access, by):
    """The base for the hint and the store is `by` bytes higher. Changes the store; returns the words before the hint and behind the store."""
    displacement = access.displacement - by & 0xfff
    word = _word(access) & ~0xfe000f80 | displacement >> 5 << 25 | (displacement & 31) << 7
    data = bytearray(access.section.data)
    data[access.offset:access.offset + 4] = word.to_bytes(4, "little")
    access.section.data = bytes(data)
    return add_immediate(access.base, by), add_immediate(access.base, -by)


def add_immediate(register, value=0):
    """addi with one register for both operands."""
    return (value & 0xfff) << 20 | register << 15 | register << 7 | 0x13


def _word(access):
    return int.from_bytes(access.section.data[access.offset:access.offset + 4], "little")
