"""Bad input: one sentence, an exit code that is not zero, and no output file."""

import json
import os
import subprocess
import unittest

from bench import CROSS, SCRIPT, TOP, Bench, runtime, succeed

STEER = os.path.join(TOP, "scripts", "hauberk-steer")
SOURCE = """#include "hauberk.h"
RESULTS uint64_t kept;
int main(void) { for (int i = 0; i < 9; i++) kept += (uint64_t)i; return CODE; }
"""


class Refusals(Bench):
    def setUp(self):
        super().setUp()
        self.made = self.compiled("test.c", SOURCE, "-DCODE=0")
        self.given = [self.made, *runtime(), "-T", SCRIPT]
        self.out = self.path("out")

    def call(self, *arguments):
        return subprocess.run([STEER, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def refused(self, reason, *arguments):
        done = self.call(*arguments)
        self.assertNotEqual(done.returncode, 0, arguments)
        self.assertRegex(done.stderr, r"\Ahauberk-steer: [^\n]+\n\Z")
        self.assertIn(reason, done.stderr)
        self.assertFalse(os.path.exists(self.out))

    def profiled(self):
        done = self.call("profile", *self.given, "-o", self.path("profile"))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return self.path("profile")

    def test_builds(self):
        done = self.call("build", *self.given, "--profile", self.profiled(), "-o", self.out)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        with open(self.out + ".steer.json") as file:
            self.assertGreater(json.load(file)["loads"]["total"], 0)
        with open(self.out + ".steer.txt") as file:
            self.assertEqual(file.read(), done.stdout)
        done = self.call("run", self.out)
        self.assertEqual(json.loads(done.stdout)["exitCode"], 0)
        self.assertEqual(self.call("build", *self.given, "--no-hints", "-o", self.path("plain")).returncode, 0)

    def test_profiles(self):
        self.refused("has no profile", "build", *self.given, "-o", self.out)
        self.refused("cannot be read", "build", *self.given, "--profile", self.path("none"), "-o", self.out)
        self.refused("is no profile", "build", *self.given, "--profile", self.made, "-o", self.out)
        profile = self.profiled()
        other = self.compiled("other.c", SOURCE.replace("9", "19"), "-DCODE=0")
        self.refused("another program", "build", other, *self.given[1:], "--profile", profile, "-o", self.out)

    def test_hardware(self):
        for reason, *flags in [("128", "--ids", "136"), ("multiple", "--ids", "36"), ("1 to 16", "--registers", "17"),
                               ("1 to 16", "--registers", "0"), ("blocks", "--block", "64"), ("power of two", "--last-pairs", "12")]:
            self.refused(reason, "build", *self.given, "--profile", "unread", "-o", self.out, *flags)

    def test_a_register_or_id_that_does_not_exist(self):
        program = self.inputs(self.made).program()
        store = next(str(access) for access in program.accesses if access.kind == "store" and access.function.name == "main")
        good = {"registers": 8, "stores": {store: 8}, "loads": {}, "increments": {"entry main": 0}, "offsets": {}, "nudges": {}, "spelled": []}
        for reason, change in [("register 8 does not exist", {"increments": {"entry main": 8}}), ("id 128 does not exist", {"stores": {store: 128}}),
                               ("another program", {"stores": {"nowhere+0": 8}}), ("another program", {"increments": {"entry nowhere": 0}}),
                               ("is for 4 registers", {"registers": 4}), ("is no allocation", {"loads": 3})]:
            with open(self.path("allocation"), "w") as file:
                json.dump({**good, **change}, file)
            self.refused(reason, "build", *self.given, "--allocation", self.path("allocation"), "-o", self.out)

    def test_objects(self):
        with open(self.path("host.o"), "wb") as file, open("/bin/true", "rb") as program:
            file.write(program.read())
        self.refused("64-bit little-endian RISC-V", "build", self.path("host.o"), "--no-hints", "-o", self.out)
        succeed(CROSS + "gcc", "-march=rv32imac", "-mabi=ilp32", "-x", "c", "-c", "/dev/null", "-o", self.path("small.o"))
        self.refused("64-bit little-endian RISC-V", "build", self.path("small.o"), "--no-hints", "-o", self.out)
        self.refused("not an ELF file", "build", SCRIPT, "--no-hints", "-o", self.out)
        self.refused("cannot be read", "build", self.path("none.o"), "--no-hints", "-o", self.out)
        self.refused("link script", "build", self.made, "-T", self.path("none.ld"), "--no-hints", "-o", self.out)
        self.refused("not installed", "build", self.made, "--cross", "nowhere-", "--no-hints", "-o", self.out)
        fixed = self.compiled("fixed.S", "f:\n  .insn s 0x63, 0, a0, 8(a1)\n")
        self.refused("with relaxation", "build", fixed, *self.given, "--no-hints", "-o", self.out)

    def test_runs(self):
        failing = self.compiled("failing.c", SOURCE, "-DCODE=3")
        self.refused("exit code 3", "profile", failing, *self.given[1:], "-o", self.out)
        self.refused("does not end", "profile", *self.given, "-o", self.out, "--patience", "1000")
        self.refused("more than 10 accesses", "profile", *self.given, "-o", self.out, "--most", "10")
        trapping = self.compiled("trapping.c", SOURCE.replace("return", "asm volatile(\"ecall\"); return"), "-DCODE=0")
        self.refused("traps", "profile", trapping, *self.given[1:], "-o", self.out)


if __name__ == "__main__":
    unittest.main()
