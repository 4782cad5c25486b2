"""The memory formats of docs/formats.md, implemented from that page alone, on the cryptography package.

It shares no code with the generators or the tools, so that it is a third opinion on what DRAM holds. All byte strings are in the order of
addresses in memory.
"""

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

LINE = 64


def xor(a, b):
    return bytes(x ^ y for x, y in zip(a, b))


def number(data):
    return int.from_bytes(data, "little")


def aes_input(domain, engine, index, counter, aes_block):
    return bytes([domain, engine]) + index.to_bytes(5, "big") + counter.to_bytes(8, "big") + bytes([aes_block])


class Key:
    """AES-128 under one key, and the values derived from it."""

    def __init__(self, key):
        self.cipher = Cipher(algorithms.AES(key), modes.ECB())

    def encrypt(self, data):
        worker = self.cipher.encryptor()
        return worker.update(data) + worker.finalize()

    def decrypt(self, data):
        worker = self.cipher.decryptor()
        return worker.update(data) + worker.finalize()

    def derive(self, *fields):
        return self.encrypt(aes_input(*fields))

    def hash_points(self):
        points = self.derive(6, 0, 0, 0, 0)
        return int.from_bytes(points[:8], "big"), int.from_bytes(points[8:], "big")

    def tweak_key(self):
        return Key(self.derive(7, 0, 0, 0, 0))


def counter_mode(key, engine, block, counter, data):
    pad = b"".join(key.derive(1, engine, block, counter, aes_block) for aes_block in range(len(data) // 16))
    return xor(data, pad)


def cbc_encrypt(key, engine, block, counter, data):
    before, out = key.derive(2, engine, block, counter, 0), b""
    for at in range(0, len(data), 16):
        before = key.encrypt(xor(data[at:at + 16], before))
        out += before
    return out


def cbc_decrypt(key, engine, block, counter, data):
    return xor(key.decrypt(data), key.derive(2, engine, block, counter, 0) + data[:-16])


def xts(key, unit, data, encrypt):
    tweak, out = number(key.tweak_key().encrypt(unit.to_bytes(16, "little"))), b""
    for at in range(0, len(data), 16):
        mask = tweak.to_bytes(16, "little")
        out += xor((key.encrypt if encrypt else key.decrypt)(xor(data[at:at + 16], mask)), mask)
        tweak = (tweak << 1) ^ (0x87 | 1 << 128 if tweak >> 127 else 0)
    return out


def block_unit(engine, block):
    return engine << 40 | block


def spill_unit(engine, line):
    return 1 << 48 | engine << 40 | line


def multiply(a, b):
    """In GF(2^64) modulo x^64 + x^4 + x^3 + x + 1."""
    product = 0
    for bit in range(63, -1, -1):
        product = (product << 1) ^ (0x1b | 1 << 64 if product >> 63 else 0)
        if b >> bit & 1:
            product ^= a
    return product


def polynomial(words, point):
    total = 0
    for word in words:
        total = multiply(total ^ word, point)
    return total


def words(data):
    return [number(data[at:at + 8]) for at in range(0, len(data), 8)]


def wide_hash(values, key):
    first, second = key.hash_points()
    return polynomial(values, first).to_bytes(8, "big") + (polynomial(values, second) % (1 << 56)).to_bytes(7, "big")


def upper(block):
    return int.from_bytes(block[:8], "big")


def tag(key, domain, engine, block, counter, data):
    """Domain 3 with the counter of a written block; domain 4 with imageBlocks for a block of the image."""
    return (polynomial(words(data), key.hash_points()[0]) ^ upper(key.derive(domain, engine, block, counter, 0))) or 1


def line_mac(key, engine, level, line, parent, content):
    return polynomial(words(content[:56]), key.hash_points()[0]) ^ upper(key.derive(5, engine, line, parent, level))


def line_hash(key, level, line, content):
    return upper(key.encrypt(bytes([8]) + wide_hash([level << 56 | line] + words(content), key))) or 1


def log_element(key, block, data, version):
    return int.from_bytes(key.encrypt(bytes([9]) + wide_hash([block] + words(data) + [version], key)), "big")


def plain_counters(line, size):
    return [number(line[at:at + size]) for at in range(0, len(line), size)]


def per_address_counters(line):
    return [number(line) >> 28 * i & (1 << 28) - 1 for i in range(16)]


def split_counters(line):
    major = number(line[:8]) % (1 << 58)
    return [major << 6 | number(line[8:56]) >> 6 * i & 63 for i in range(64)]


def node_counters(line):
    return [number(line[7 * i:7 * i + 7]) for i in range(8)]


def to_bank(address, base, select_bits):
    """Byte number in its bank of a bus address."""
    kept = [bit for bit in range((address - base).bit_length()) if bit not in select_bits]
    return sum((address - base >> bit & 1) << place for place, bit in enumerate(kept))


def to_bus(local, base, select_bits, select):
    kept = [bit for bit in range(local.bit_length() + len(select_bits)) if bit not in select_bits]
    return base + select + sum((local >> place & 1) << bit for place, bit in enumerate(kept))


def layout(bank_bytes, counters_per_line=0, tags_per_line=0, versions_per_line=0, leaves=None, root_entries=512):
    """Bases and lines of the arrays of a bank: {"counters": (base, lines), ...}, and data bytes."""

    def lines(things, per_line):
        return -(-things // per_line) if per_line else 0

    def arrays(data_bytes):
        blocks = data_bytes // LINE
        found = [("counters", lines(blocks, counters_per_line)), ("versions", lines(blocks, versions_per_line)), ("tags", lines(blocks, tags_per_line))]
        below = dict(found)[leaves] if leaves else 0
        level = 1
        while below > root_entries:
            below = lines(below, 8)
            found.append((f"level {level}", below))
            level += 1
        return found

    for share in range(64, 0, -1):
        data_bytes = share * (bank_bytes // 64)
        found = arrays(data_bytes)
        if data_bytes + LINE * sum(count for _, count in found) <= bank_bytes:
            break
    places, at = {}, data_bytes
    for name, count in found:
        if count:
            places[name] = (at, count)
            at += LINE * count
    return data_bytes, places
