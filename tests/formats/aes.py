"""AES-128 under a key, the AES inputs of docs/formats.md, and what is derived from a key."""

import functools

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

import field

PAD, VECTOR, TAG, IMAGE_TAG, LINE_MAC, POINTS, TWEAK, LINE_HASH, ELEMENT = range(1, 10)
ENGINE_UNITS, SPILLED_UNITS = 1 << 40, 1 << 48


def aes_input(domain, engine=0, index=0, counter=0, number=0):
    fields = (domain, 1), (engine, 1), (index, 5), (counter, 8), (number, 1)
    return b"".join(value.to_bytes(size, "big") for value, size in fields)


def upper(block):
    """The upper half of an AES block, as a number."""
    return int.from_bytes(block[:8], "big")


def xor(left, right):
    return (int.from_bytes(left, "big") ^ int.from_bytes(right, "big")).to_bytes(len(left), "big")


class Key:
    def __init__(self, raw):
        self.raw = raw
        self.encrypt = Cipher(algorithms.AES(raw), modes.ECB()).encryptor().update

    @functools.cached_property
    def points(self):
        halves = self.encrypt(aes_input(POINTS))
        return field.Point(int.from_bytes(halves[:8], "big")), field.Point(int.from_bytes(halves[8:], "big"))

    @functools.cached_property
    def tweak_key(self):
        return self.encrypt(aes_input(TWEAK))

    def upper(self, *fields):
        return upper(self.encrypt(aes_input(*fields)))

    def wide(self, domain, words):
        """AES of a domain and the wide hash of words, of 120 bits."""
        first, second = (point.hash(words) for point in self.points)
        return self.encrypt(bytes([domain]) + first.to_bytes(8, "big") + (second % (1 << 56)).to_bytes(7, "big"))

    def pad(self, engine, block, counter, size):
        inputs = (aes_input(PAD, engine, block, counter, number) for number in range((size + 15) // 16))
        return self.encrypt(b"".join(inputs))[:size]

    def cbc(self, engine, block, counter):
        vector = self.encrypt(aes_input(VECTOR, engine, block, counter))
        return Cipher(algorithms.AES(self.raw), modes.CBC(vector))

    def xts(self, unit):
        return Cipher(algorithms.AES(self.raw + self.tweak_key), modes.XTS(unit.to_bytes(16, "little")))
