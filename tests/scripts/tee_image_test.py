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


class TeeImage(unittest.TestCase):
    def setUp(self):
        made = tempfile.TemporaryDirectory(prefix="hauberk test ")
        self.addCleanup(made.cleanup)
        self.folder = made.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def build(self, name, source):
        with open(self.path(f"{name}.c"), "w") as file:
            file.write(source)
        library = os.path.join(TOP, "libhauberk")
        subprocess.run([f"{CROSS}gcc", "-O2", "-march=rv64gc", "-mabi=lp64d", "-mno-relax", "-ffreestanding", "-fno-pic", "-static", "-nostdlib",
                        "-Wl,--build-id=none", "-Wl,--no-warn-rwx-segments", f"-I{library}", f"-I{TOP}/microcode", "-T", f"{library}/inside.ld",
                        f"{library}/inside.S", self.path(f"{name}.c"), "-o", self.path(name)], check=True)
        return self.path(name)

    def hash(self, path):
        return subprocess.run([os.path.join(TOP, "scripts", "hauberk-attest"), "hash", path], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def expect(self, path, segments):
        subprocess.run([f"{CROSS}objcopy", "-O", "binary", "-j", ".text", "-j", ".data", path, self.path("binary")], check=True)
        with open(self.path("binary"), "rb") as file:
            pages = file.read()
        self.assertEqual(len(pages), PAGE * sum(count for kind, count in segments if kind in (1, 2)))
        layout = struct.pack("<3Q", 0x40000000, 0x40000000, len(segments)) + b"".join(struct.pack("<2Q", *segment) for segment in segments)
        self.assertEqual(self.hash(path).stdout.strip(), hashlib.sha256(b"Haubtee1" + layout + pages).hexdigest())

    def test_code_data_and_what_is_cleared(self):
        source = "#include <stdint.h>\nlong words[600] = {1, 2, 3}, more[3000];\nint64_t tee_main(void) { return words[more[5]]; }\n"
        self.expect(self.build("data", source), [(1, 1), (2, 2), (3, 10), (4, 7)])

    def test_no_data_and_more_than_two_mebibytes(self):
        source = "#include <stdint.h>\nchar much[2 << 20];\nint64_t tee_main(void) { return much[5]; }\n"
        self.expect(self.build("large", source), [(1, 1), (3, 516), (4, 8)])

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
