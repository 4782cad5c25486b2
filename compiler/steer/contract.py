"""The contract between compiler and hardware: limits, pairs and instructions of steered counters.

Every other module takes these facts from here.
"""

import collections

from .errors import SteerError

IDS = 128                   # 7 bits of id in a pair
MOST_REGISTERS = 16
REGISTERS = 8               # defaults of the paper: N_C and N_K
BUDGET = 32
BLOCKS = (8, 16, 32)        # bytes: a word without data cache, or a cache line
LOAD, STORE = 0, 1
OPCODE = 0x0b               # custom-0
HINT, NEXT = 0b010, 0b000   # funct3
PENDING_HINTS = 8           # of each kind, direct-mapped by block
KEPT_PADS = 4               # made ahead
OFFSET_UNIT = 4             # bytes
OFFSET_BITS = 9
NOP = 0x00000013

# What the compiler knows of the hardware. `cipher`: cycles that a right hint hides; `hint`: cycles of a hint instruction; `pairs`: how many writes
# between two increments of a register its filter tells apart; `last`: entries of the table of last pairs, 0 for none.
Hardware = collections.namedtuple("Hardware", "registers ids block cipher hint pairs last", defaults=(REGISTERS, BUDGET, 8, 14, 1, 64, 0))


def check_hardware(hardware):
    """Refuses what no hardware of the contract has."""
    registers, ids, block = hardware.registers, hardware.ids, hardware.block
    if not 1 <= registers <= MOST_REGISTERS:
        raise SteerError(f"{registers} counter registers are asked for, but hardware has 1 to {MOST_REGISTERS}: change --registers")
    if not 1 <= ids <= IDS:
        raise SteerError(f"{ids} counter ids are asked for, but hardware has 1 to {IDS}: change --ids")
    if ids % registers:
        raise SteerError(f"{ids} ids cannot be divided among {registers} registers: make --ids a multiple of --registers")
    if hardware.last < 0 or hardware.last == 1 or hardware.last & hardware.last - 1:
        raise SteerError(f"a table of {hardware.last} last pairs is asked for, but it has a power of two of at least 2, or 0 for none: change --last-pairs")
    if block not in BLOCKS:
        raise SteerError(f"a block of {block} bytes is asked for, but hardware has blocks of {', '.join(map(str, BLOCKS))} bytes: change --block")


def check_register(register, registers):
    if not 0 <= register < registers:
        raise SteerError(f"counter register {register} does not exist: registers are 0 to {registers - 1}")


def register_of(identifier, registers):
    return identifier % registers


def offset_units(displacement):
    """Offset field of a hint, rounded down, or None where the field is too short."""
    units = displacement // OFFSET_UNIT
    limit = 1 << OFFSET_BITS - 1
    return units if -limit <= units < limit else None


def hint(kind, identifier, base, units):
    """The hint instruction, as a number of 32 bits."""
    if not 0 <= identifier < IDS:
        raise SteerError(f"counter id {identifier} does not exist: ids are 0 to {IDS - 1}")
    field = units & (1 << OFFSET_BITS) - 1
    return kind << 31 | identifier << 24 | (field >> 5) << 20 | base << 15 | HINT << 12 | (field & 31) << 7 | OPCODE


def increment(register):
    """The next instruction, as a number of 32 bits."""
    check_register(register, MOST_REGISTERS)
    return register << 20 | NEXT << 12 | OPCODE


def decode(word):
    """("hint", kind, id, base, units), ("next", register) or None."""
    if word & 0x7f != OPCODE:
        return None
    if word >> 12 & 7 == HINT:
        field = (word >> 20 & 15) << 5 | word >> 7 & 31
        units = field - (1 << OFFSET_BITS) if field >> OFFSET_BITS - 1 else field
        return "hint", word >> 31, word >> 24 & 127, word >> 15 & 31, units
    if word >> 25 == 0 and word >> 7 & 0xff == 0 and word >> 15 & 31 == 0:
        return "next", word >> 20 & 31
    return None
