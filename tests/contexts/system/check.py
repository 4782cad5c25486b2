"""check.py LOG: what the kernel's test showed is this processor's: H(Prog), its signature, and its key. Runs in the environment of attest/requirements.txt."""

import hashlib
import json
import os
import re
import sys

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.join(HERE, "..", "..", "..")
sys.path.insert(0, os.path.join(TOP, "scripts"))
import attest
import message

PROGRAM = os.path.join(TOP, "tests", "build", "context-program.bin")
MESSAGE = b"a message of a context, 59 bytes: not a multiple of eight.."


def main(log):
    with open(log, errors="replace") as file:
        shown = dict(re.findall(r"^(H\(\w+\)|signature|key) ([0-9a-f]+)\s*$", file.read(), re.M))
    with open(os.path.join(HERE, "..", "credentials.json")) as file:
        key = attest.key_of(bytes.fromhex(json.load(file)["contextSecret"])).public_key()
    hashes = message.hashes(PROGRAM)
    for name in shown.keys() - {"signature", "key"}:
        words = [int(shown[name][i:i + 16], 16).to_bytes(8, "little") for i in range(0, 64, 16)]
        assert b"".join(words) == hashes[name], f"{name} is another"
    if "signature" in shown:
        attest.check(key, hashes["H(Prog)"], MESSAGE, bytes.fromhex(shown["signature"]))
    if "key" in shown:
        assert bytes.fromhex(shown["key"]) == attest.point_of(key), "the key is another"
    with open(os.path.join(HERE, "program.c")) as file:
        named = re.search(r"digest\[TEE_DIGEST\] = \{([^}]*)\}", file.read())[1]
    assert bytes(int(byte, 16) for byte in named.split(",")) == hashlib.sha256(message.PRIVATE_KEY).digest(), "the digest in program.c is of another key"
    print(f"good: {', '.join(sorted(shown))}")


if __name__ == "__main__":
    main(*sys.argv[1:])
