"""The numbers in a line of the counter array."""

from aes import ENGINE_UNITS, SPILLED_UNITS


def number(data):
    return int.from_bytes(data, "little")


def bits(value, width, count):
    """Fields of one width, from bit 0 on."""
    return [value >> width * i & (1 << width) - 1 for i in range(count)]


def plain(line, width, count):
    return bits(number(line), width, count)


def timestamps(payload):
    return bits(number(payload), 28, 16)


def split(payload):
    major = number(payload[:8]) % (1 << 58)
    return [major * 64 + minor for minor in bits(number(payload[8:56]), 6, 64)]


def spilled(key, engine, index, line):
    if not any(line):
        return [0] * 16
    unit = SPILLED_UNITS + engine * ENGINE_UNITS + index
    return bits(number(key.xts(unit).decryptor().update(line)), 32, 16)


def written(line):
    return bits(number(line), 1, 512)


def spill(key, engine, index, numbers):
    unit = SPILLED_UNITS + engine * ENGINE_UNITS + index
    return key.xts(unit).encryptor().update(b"".join(number.to_bytes(4, "little") for number in numbers))
