"""The microcode's messages against attest.py, which is written on another library: random keys, programs and texts, and forgeries.

Runs in the environment of attest/requirements.txt; tests/scripts/messages_test.py starts it.
"""

import os
import random
import subprocess
import sys
import unittest

TOP = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "..", ".."))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(TOP, "scripts"))
import attest

NATIVE = os.path.join(TOP, "tests", "build", "messages", "native")
INVALID, FORGED = "-1", "-9"
ROUNDS = 60


class Messages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.random = random.Random(32)
        cls.native = subprocess.Popen([NATIVE], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    @classmethod
    def tearDownClass(cls):
        cls.native.stdin.close()
        if cls.native.wait() != 0:
            raise AssertionError(f"the native program ended with {cls.native.returncode}")

    def ask(self, what, *arguments):
        words = [argument.hex() or "-" if isinstance(argument, bytes) else str(argument) for argument in arguments]
        self.native.stdin.write(" ".join([what, *words]) + "\n")
        self.native.stdin.flush()
        return self.native.stdout.readline().strip()

    def draw(self, count):
        return self.random.randbytes(count)

    def processor(self):
        secret = self.draw(32)
        return secret, attest.key_of(secret).public_key()

    def test_public_keys(self):
        for _ in range(ROUNDS):
            secret, key = self.processor()
            self.assertEqual(self.ask("key", secret), attest.point_of(key).hex())

    def test_signatures(self):
        for size in [*range(20), 63, 64, 65, 4096, 65536, *(self.random.randrange(5000) for _ in range(ROUNDS))]:
            (secret, key), program, message = self.processor(), self.draw(32), self.draw(size)
            signature = bytes.fromhex(self.ask("sign", secret, program, message))
            attest.check(key, program, message, signature)
            with self.assertRaises(attest.Refused):
                attest.check(key, program, message + b"\0", signature)
            # No other number is drawn for the same message
            self.assertEqual(self.ask("sign", secret, program, message), signature.hex())
        self.assertEqual(self.ask("sign", secret, program, self.draw(65537)), INVALID)

    def decrypt(self, secret, program, encrypted):
        return self.ask("decrypt", secret, program, encrypted, len(encrypted) - 64 - 16)

    def test_secrets(self):
        for size in [*range(34), 255, 256, *(self.random.randrange(257) for _ in range(ROUNDS))]:
            (secret, key), program, text = self.processor(), self.draw(32), self.draw(size)
            self.assertEqual(self.decrypt(secret, program, attest.encrypt(key, program, text)), text.hex())

    def test_forged_secrets(self):
        secret, key = self.processor()
        program, text = self.draw(32), self.draw(33)
        encrypted = attest.encrypt(key, program, text)
        for bit in [0, 255, 256, 511, 512, 775, 776, 903, *self.random.sample(range(8 * len(encrypted)), ROUNDS)]:
            forged = bytearray(encrypted)
            forged[bit // 8] ^= 1 << bit % 8
            self.assertEqual(self.decrypt(secret, program, bytes(forged)), FORGED, bit)
        for point in bytes(64), b"\xff" * 64, attest.point_of(key):
            self.assertEqual(self.decrypt(secret, program, point + encrypted[64:]), FORGED)
        for bit in range(0, 256, 17):
            other = bytearray(program)
            other[bit // 8] ^= 1 << bit % 8
            self.assertEqual(self.decrypt(secret, bytes(other), encrypted), FORGED)
        self.assertEqual(self.decrypt(self.draw(32), program, encrypted), FORGED)
        self.assertEqual(self.decrypt(secret, program, encrypted[:-1]), FORGED)
        self.assertEqual(self.decrypt(secret, program, encrypted), text.hex())
        self.assertEqual(self.ask("decrypt", secret, program, encrypted, 257), INVALID)


if __name__ == "__main__":
    unittest.main()
