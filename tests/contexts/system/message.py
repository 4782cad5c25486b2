#!/usr/bin/python3
"""message.py PROGRAM SECRET OUT: what a processor with this secret decrypts for the test's program, and the same for a program that differs."""

import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "scripts"))
import attest

# As user.h has them
START, SEGMENTS = 0x40000000, ((1, 1), (2, 1), (3, 1), (4, 7))
TEXT = b"a secret of 33 bytes, for one pro"


def program_hash(path):
    with open(path, "rb") as file:
        return attest.program_hash(START, START, SEGMENTS, file.read().ljust(2 << 12, b"\0"))


def main(program, secret, out):
    key = attest.key_of(bytes.fromhex(secret)).public_key()
    right = program_hash(program)
    with open(out, "wb") as file:
        for number, one in enumerate((right, right[:-1] + bytes([right[-1] ^ 0x80]))):
            # The same in each build
            file.write(attest.encrypt(key, one, TEXT, attest.key_of(bytes([number]))))


if __name__ == "__main__":
    main(*sys.argv[1:])
