#!/usr/bin/python3
"""message.py PROGRAM SECRET OUT: what a processor with this secret decrypts for the test's program, the same for a program that differs, and private pages."""

import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "scripts"))
import attest
from attest import PAGE

# As user.h has them
START, SEGMENTS = 0x40000000, ((1, 1), (2, 1), (3, 1), (4, 7))
TEXT = b"a secret of 33 bytes, for one pro"
# Behind these
PRIVATE, PRIVATE_AT = ((5, 1), (6, 1)), START + PAGE * sum(pages for _, pages in SEGMENTS)
PRIVATE_KEY = bytes(range(0x30, 0x40))
# addi a0, zero, 0x7b5; ret
PRIVATE_CODE = bytes.fromhex("1305507b67800000").ljust(PAGE, b"\0")
PRIVATE_DATA = b"".join(((word + 1) * 0x9E3779B97F4A7C15 % (1 << 64)).to_bytes(8, "little") for word in range(PAGE // 8))


def private_pages():
    return attest.crypt_pages(PRIVATE_KEY, PRIVATE_AT, PRIVATE_CODE + PRIVATE_DATA)


def program_hash(path, more=(), contents=b"", entry=START):
    with open(path, "rb") as file:
        return attest.program_hash(START, entry, SEGMENTS + more, file.read().ljust(2 * PAGE, b"\0") + contents)


def numbered(count):
    """Pages of large.c, behind those two of the program."""
    return b"".join((2 + i).to_bytes(8, "little").ljust(PAGE, b"\0") for i in range(count))


def hashes(path):
    """The hashes that the kernel shows, by their names."""
    return {"H(Prog)": program_hash(path), "H(Entry)": program_hash(path, entry=START + 16), "H(Private)": program_hash(path, PRIVATE, private_pages()),
            **{f"H(Large{count})": program_hash(path, ((2, count),), numbered(count)) for count in (14, 15, 46)}}


def main(program, secret, out):
    key = attest.key_of(bytes.fromhex(secret)).public_key()
    right = program_hash(program)
    with open(out, "wb") as file:
        for number, one in enumerate((right, right[:-1] + bytes([right[-1] ^ 0x80]))):
            # The same in each build
            file.write(attest.encrypt(key, one, TEXT, attest.key_of(bytes([number]))))
        file.write(private_pages())


if __name__ == "__main__":
    main(*sys.argv[1:])
