"""hauberk-attest hash gives H(Prog) of docs/contexts.md, put together here from what objcopy takes out of the file; what is no program is refused."""

import hashlib
import os
import struct
import subprocess
import tempfile
import unittest

TOP = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
CROSS = os.environ.get("LINUX_CROSS", "riscv64-linux-gnu-")
PAGE = 4096
PRIVATE = """#include "inside.h"
TEE_PRIVATE static uint64_t words[600] = {7, 8};
TEE_PRIVATE_FUNCTION static uint64_t twice(uint64_t a) { return 2 * a + words[1]; }
int64_t tee_main(uint64_t a0, uint64_t a1, uint64_t a2, uint64_t a3, uint64_t a4, uint64_t a5) {
  return tee_set_key((uint8_t *)(a0 + a1 + a2 + a3 + a4 + a5)) + (int64_t)twice(words[a0]);
}
"""


class TeeImage(unittest.TestCase):
    def setUp(self):
        made = tempfile.TemporaryDirectory(prefix="hauberk test ")
        self.addCleanup(made.cleanup)
        self.folder = made.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def build(self, name, source, *flags):
        with open(self.path(f"{name}.c"), "w") as file:
            file.write(source)
        library = os.path.join(TOP, "libhauberk")
        subprocess.run([f"{CROSS}gcc", "-O2", "-march=rv64gc", "-mabi=lp64d", "-mno-relax", "-ffreestanding", "-fno-pic", "-static", "-nostdlib",
                        "-Wl,--build-id=none", "-Wl,--no-warn-rwx-segments", f"-I{library}", f"-I{TOP}/microcode", "-T", f"{library}/inside.ld",
                        f"{library}/inside.S", self.path(f"{name}.c"), *flags, "-o", self.path(name)], check=True)
        return self.path(name)

    def attest(self, *arguments):
        return subprocess.run([os.path.join(TOP, "scripts", "hauberk-attest"), *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def hash(self, path):
        return self.attest("hash", path)

    def pages(self, path, *sections):
        subprocess.run([f"{CROSS}objcopy", "-O", "binary", *(word for section in sections for word in ("-j", section)), path, self.path("binary")], check=True)
        with open(self.path("binary"), "rb") as file:
            return file.read()

    def expect(self, path, segments):
        pages = self.pages(path, ".text", ".private_text", ".private_data", ".data")
        self.assertEqual(len(pages), PAGE * sum(count for kind, count in segments if kind in (1, 2, 5, 6)))
        layout = struct.pack("<3Q", 0x40000000, 0x40000000, len(segments)) + b"".join(struct.pack("<2Q", *segment) for segment in segments)
        self.assertEqual(self.hash(path).stdout.strip(), hashlib.sha256(b"Haubtee1" + layout + pages).hexdigest())

    # covers: monitor.images
    def test_code_data_and_what_is_cleared(self):
        source = "#include <stdint.h>\nlong words[600] = {1, 2, 3}, more[3000];\nint64_t tee_main(void) { return words[more[5]]; }\n"
        self.expect(self.build("data", source), [(1, 1), (2, 2), (3, 10), (4, 7)])

    def test_no_data_and_more_than_two_mebibytes(self):
        source = "#include <stdint.h>\nchar much[2 << 20];\nint64_t tee_main(void) { return much[5]; }\n"
        self.expect(self.build("large", source), [(1, 1), (3, 516), (4, 8)])

    def test_private_parts_are_encrypted_page_by_page(self):
        path, sealed, key = self.build("private", PRIVATE), self.path("sealed"), self.path("key")
        refused = self.hash(path)
        self.assertEqual((refused.returncode, refused.stdout.count("\n")), (1, 1), refused.stdout)
        self.assertIn("private parts that are not encrypted", refused.stdout)
        done = self.attest("seal", path, "--out", sealed, "--key", key)
        self.assertEqual(done.returncode, 0, done.stdout)
        self.expect(sealed, [(1, 1), (5, 1), (6, 2), (3, 4), (4, 7)])
        sections = ".private_text", ".private_data"
        plain, encrypted = self.pages(path, *sections), self.pages(sealed, *sections)
        with open(key, "rb") as file:
            secret = file.read().hex()
        # Behind the first two instructions is the digest of the key
        opened, closed = (self.pages(one, ".text", ".data") for one in (path, sealed))
        digest = hashlib.sha256(bytes.fromhex(secret)).digest()
        self.assertEqual((opened[:8] + digest + opened[40:], opened[8:40]), (closed, bytes(32)))
        # By another implementation
        for at in range(0, len(plain), PAGE):
            counter = b"Haub" + (0x40001000 + at).to_bytes(8, "big") + bytes(4)
            page = subprocess.run(["openssl", "enc", "-d", "-aes-128-ctr", "-nopad", "-K", secret, "-iv", counter.hex()],
                                  input=encrypted[at:at + PAGE], stdout=subprocess.PIPE, check=True).stdout
            self.assertEqual(page, plain[at:at + PAGE])
            self.assertNotEqual(page, encrypted[at:at + PAGE])

    def test_what_cannot_be_sealed_is_refused(self):
        path, sealed, key = self.build("private", PRIVATE), self.path("sealed"), self.path("key")

        def refused(sentence, program):
            done = self.attest("seal", program, "--out", self.path("other"), "--key", self.path("other.key"))
            self.assertEqual((done.returncode, done.stdout.count("\n")), (1, 1), done.stdout)
            self.assertIn(sentence, done.stdout)
            self.assertFalse(os.path.exists(self.path("other")) or os.path.exists(self.path("other.key")))
        self.assertEqual(self.attest("seal", path, "--out", sealed, "--key", key).returncode, 0)
        refused("is sealed already", sealed)
        refused("has no private parts", self.build("open", "#include <stdint.h>\nint64_t tee_main(void) { return 5; }\n"))
        refused("cannot read", self.path("missing"))
        with open(key, "rb") as file:
            secret = file.read()
        again = self.attest("seal", path, "--out", self.path("new"), "--key", key)
        self.assertEqual((again.returncode, os.path.exists(self.path("new"))), (1, False), again.stdout)
        with open(key, "rb") as file:
            self.assertEqual(file.read(), secret)
        again = self.attest("seal", path, "--out", sealed, "--key", self.path("new.key"))
        self.assertEqual((again.returncode, os.path.exists(self.path("new.key"))), (1, False), again.stdout)
        refused("sections for debugging", self.build("debugged", PRIVATE, "-g"))

    def test_what_is_no_program_is_refused(self):
        def refused(path, sentence):
            done = self.hash(path)
            self.assertEqual((done.returncode, done.stdout.count("\n")), (1, 1), done.stdout)
            self.assertIn(sentence, done.stdout)
        refused(self.path("missing"), "cannot read")
        refused(os.path.join(TOP, "README.md"), "no ELF file")
        refused("/bin/true", "no program for a secure context")
        large = self.build("larger", "#include <stdint.h>\nchar much[21 << 20];\nint64_t tee_main(void) { return much[5]; }\n")
        refused(large, "no place in page tables")


if __name__ == "__main__":
    unittest.main()
