"""Which registers an instruction reads and writes, from its encoding. Numbers 32 to 63 are the floating-point registers."""

import collections

SP = 2
FLOAT = 32

# `addition`: (source register, immediate) if the instruction writes just their sum
Operands = collections.namedtuple("Operands", "reads writes addition", defaults=(None,))

# Encodings of RV64GC by opcode: registers that are written, and read
_RD, _RS1, _RS2 = 7, 15, 20
_FORMS = {0x37: ("x", ""), 0x17: ("x", ""), 0x6f: ("x", ""), 0x67: ("x", "x"), 0x03: ("x", "x"), 0x07: ("f", "x"), 0x13: ("x", "x"),
          0x1b: ("x", "x"), 0x33: ("x", "xx"), 0x3b: ("x", "xx"), 0x23: ("", "xx"), 0x27: ("", "xf"), 0x63: ("", "xx"),
          0x43: ("f", "fff"), 0x47: ("f", "fff"), 0x4b: ("f", "fff"), 0x4f: ("f", "fff")}
_OP_FP = 0x53
_INTEGER_RESULTS, _INTEGER_SOURCES = {0b10100, 0b11000, 0b11100}, {0b11010, 0b11110}     # funct5


def operands(data):
    """Of the instruction in these bytes. None for what the compiler does not look into: system instructions, fences, atomics, unknown ones."""
    word = int.from_bytes(data, "little")
    return _compressed(word) if len(data) == 2 else _full(word)


def _full(word):
    opcode, funct3 = word & 0x7f, word >> 12 & 7
    if opcode == _OP_FP:
        funct5 = word >> 27
        form = "x" if funct5 in _INTEGER_RESULTS else "f", ("x" if funct5 in _INTEGER_SOURCES else "f") + "f"
    elif opcode in _FORMS:
        form = _FORMS[opcode]
    else:
        return None
    fields = [word >> at & 31 for at in (_RS1, _RS2, 27)]
    rd, rs1 = word >> _RD & 31, fields[0]
    addition = (rs1, _signed(word >> 20, 12)) if opcode == 0x13 and funct3 == 0 else None
    return _made([(kind, number) for kind, number in zip(form[1], fields)], [(kind, rd) for kind in form[0]], addition)


def _compressed(word):
    quadrant, funct3 = word & 3, word >> 13
    rd, rs2 = word >> 7 & 31, word >> 2 & 31
    short1, short2 = 8 + (word >> 7 & 7), 8 + (word >> 2 & 7)
    immediate = _signed(word >> 7 & 32 | word >> 2 & 31, 6)
    if quadrant == 0:
        if funct3 == 0:
            offset = word >> 7 & 0x30 | word >> 1 & 0x3c0 | word >> 4 & 4 | word >> 2 & 8
            return _made([("x", SP)], [("x", short2)], (SP, offset)) if offset else None
        if funct3 == 4:
            return None
        value = ("f" if funct3 in (1, 5) else "x", short2)
        return _made([("x", short1)], [value]) if funct3 < 4 else _made([("x", short1), value], [])
    if quadrant == 1:
        if funct3 == 3 and rd == SP:
            return _made([("x", SP)], [("x", SP)], (SP, _signed(word >> 3 & 0x200 | word >> 2 & 0x10 | word << 1 & 0x40 | word << 4 & 0x180
                                                                 | word << 3 & 0x20, 10)))
        if funct3 in (0, 1):
            return _made([("x", rd)], [("x", rd)], (rd, immediate) if funct3 == 0 else None)
        if funct3 in (2, 3):
            return _made([], [("x", rd)])
        if funct3 == 4:
            return _made([("x", short1)] + [("x", short2)] * (word >> 10 & 3 == 3), [("x", short1)])
        return _made([("x", short1)] * (funct3 != 5), [])
    if funct3 == 0:
        return _made([("x", rd)], [("x", rd)])
    if funct3 < 4:
        return _made([("x", SP)], [("f" if funct3 == 1 else "x", rd)])
    if funct3 > 4:
        return _made([("x", SP), ("f" if funct3 == 5 else "x", rs2)], [])
    if rs2 == 0:                # a jump, or ebreak
        return _made([("x", rd)], [("x", 1)] if word >> 12 & 1 else []) if rd else None
    if word >> 12 & 1:
        return _made([("x", rd), ("x", rs2)], [("x", rd)])
    return _made([("x", rs2)], [("x", rd)], (rs2, 0))


def _made(reads, writes, addition=None):
    found = [frozenset(number + (FLOAT if kind == "f" else 0) for kind, number in chosen if kind == "f" or number) for chosen in (reads, writes)]
    return Operands(*found, addition if addition and addition[0] else None)


def _signed(value, bits):
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> bits - 1 else value
