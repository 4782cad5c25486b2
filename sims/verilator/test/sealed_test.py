"""Sealed programs on whole SoCs that decrypt instructions: they run, on the right processor with the right token only, and attacks on them fail."""

import json
import os
import re
import shutil
import sys
import tempfile
import unittest

TOP = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "..", ".."))
sys.path.insert(0, os.path.join(TOP, "scripts"))
sys.dont_write_bytecode = True
from sealed import ATTACKS, NOT_FOR_THIS, pack, program, run, seal, simulate
from simulation import THOROUGH

COUNTER = "EmuCounterRocketConfig"
DIRECT = "EmuDirectRocketConfig"
OTP_DUAL = "EmuAegisOtpDualRocketConfig"
# Simulators more to build: make test-thorough has them
CONFIGS = [COUNTER] + [DIRECT, OTP_DUAL] * THOROUGH
MEMORY, PAGE = 0x80000000, 4096
# Runs here are short: what counts is how fast a simulator is built.
os.environ.setdefault("SIM_OPT", "-O1")


def make(folder, *arguments):
    return run("make", "--no-print-directory", "-C", os.path.join(TOP, folder), *arguments)


def changed_pages(before, after):
    """The pages, by number, in which two files of a length differ."""
    return {at // PAGE for at in range(0, len(before), PAGE) if before[at:at + PAGE] != after[at:at + PAGE]}


class SealedTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="hauberk-sealed-test-")
        self.addCleanup(shutil.rmtree, self.folder)

    def seal(self, config, name, *flags):
        return seal(self.folder, config, name, *flags)


class Programs(SealedTest):
    def test_run_sealed_as_they_run_in_plaintext(self):
        for config in CONFIGS:
            with self.subTest(config):
                flags = [f"CONFIG={config}", f"BINARY={program('sealed')}", f"RUN_DIR={self.folder}/{config}"]
                plain, sealed = make("sims/verilator", "run-binary", *flags), make("sims/verilator", "run-sealed", *flags)
                # DRAM, which holds the sealed pages, was checked behind both runs
                self.assertEqual((plain.returncode, sealed.returncode), (0, 0), plain.stdout + sealed.stdout)
                checksums = [re.search(r"^checksum (\w+)", done.stdout, re.MULTILINE)[1] for done in (plain, sealed)]
                self.assertEqual(*checksums)

    def test_are_ciphertext_in_the_file_and_only_there(self):
        plain = program("sealed")
        sealed, _ = self.seal(COUNTER, "sealed")
        with open(plain, "rb") as one, open(sealed, "rb") as other:
            before, after = one.read(), other.read()
        self.assertEqual(len(before), len(after))
        # Three pages of code, and one with the notes
        self.assertEqual(len(changed_pages(before, after)), 4)

    # covers: soc.token
    def test_need_the_right_processor_and_the_right_token(self):
        sealed, credentials = self.seal(COUNTER, "sealed")
        package = pack(COUNTER, sealed)
        with open(credentials) as file:
            right = json.load(file)
        self.seal(COUNTER, "sealed")  # for another processor and token; `package` is of before
        with open(credentials) as file:
            wrong = json.load(file)
        # A token of the same processor's that is good, and another user's
        with open(credentials, "w") as file:
            json.dump(dict(right, token=wrong["token"]), file)
        self.seal(COUNTER, "sealed", "--issuer", credentials)
        with open(credentials) as file:
            another = json.load(file)
        self.assertEqual(another["processorSecret"], right["processorSecret"])
        lost = dict(right, token=dict(right["token"], check=wrong["token"]["check"]))
        cases = [(right, None), (wrong, NOT_FOR_THIS), (another, NOT_FOR_THIS), (lost, "the token was not issued for this processor"),
                 ({"processorSecret": right["processorSecret"]}, "there is no token"),
                 ({"token": right["token"]}, "the processor has no secret in its fuses")]
        for brought, error in cases:
            with self.subTest(error):
                path = os.path.join(self.folder, "brought.json")
                with open(path, "w") as file:
                    json.dump(brought, file)
                done = simulate(COUNTER, package, "--credentials", path)
                if error is None:
                    self.assertEqual(done.returncode, 0, done.stdout)
                else:
                    self.assertGreater(done.returncode, 64, done.stdout)
                    self.assertIn(f"sealed: {error}\n", done.stdout)

    def test_sealed_for_the_other_mode_are_refused(self):
        sealed = os.path.join(self.folder, "sealed")
        done = run(os.path.join(TOP, "scripts", "hauberk-seal"), "--elf", program("sealed"), "--out", sealed, "--mode", "direct", "--sections", ".sealed")
        self.assertEqual(done.returncode, 0, done.stdout)
        done = simulate(COUNTER, pack(COUNTER, sealed), "--credentials", sealed + ".credentials.json")
        self.assertIn("sealed: the program was sealed for an SoC with the other mode of decryption\n", done.stdout)

    def test_keep_notes_that_nobody_made_room_for(self):
        out = os.path.join(self.folder, "iwalk")
        done = run(os.path.join(TOP, "scripts", "hauberk-seal"), "--elf", program("iwalk"), "--out", out, "--mode", "counter",
                   "--functions", "walk_300,walk_700")
        self.assertEqual(done.returncode, 0, done.stdout)
        notes = run("riscv64-unknown-elf-readelf", "--wide", "--notes", out)
        self.assertEqual(len(re.findall(r"Hauberk\s+0x00000050", notes.stdout)), 2, notes.stdout)
        # Of what is loaded, the pages of these functions are ciphertext, and only they
        sealed = set()
        for pages, start in re.findall(r"(\d+) pages sealed from 0x(\w+)", done.stdout):
            first = (int(start, 16) - MEMORY) // PAGE
            sealed |= set(range(first, first + int(pages)))
        self.assertGreaterEqual(len(sealed), 2, done.stdout)
        before, after = self.loaded(program("iwalk")), self.loaded(out)
        self.assertEqual(len(before), len(after))
        self.assertEqual(changed_pages(before, after), sealed)

    def loaded(self, elf):
        """What a loader makes of a program, from the start of memory."""
        image = os.path.join(self.folder, "image")
        done = run("riscv64-unknown-elf-objcopy", "-O", "binary", elf, image)
        self.assertEqual(done.returncode, 0, done.stdout)
        with open(image, "rb") as file:
            return file.read()

    def test_are_not_sealed_again(self):
        sealed, _ = self.seal(COUNTER, "sealed")
        done = run(os.path.join(TOP, "scripts", "hauberk-seal"), "--elf", sealed, "--out", os.path.join(self.folder, "out"), "--mode", "counter",
                   "--sections", ".sealed")
        self.assertEqual(done.returncode, 2)
        self.assertIn("is sealed already: seal the program that it was made of", done.stdout)

    def test_what_cannot_be_found_is_refused(self):
        for functions, said in [("no_such", "has no function no_such"), ("walk_000", "leave what runs first")]:
            done = run(os.path.join(TOP, "scripts", "hauberk-seal"), "--elf", program("iwalk"), "--out", os.path.join(self.folder, "out"),
                       "--mode", "counter", "--functions", functions)
            self.assertEqual(done.returncode, 2)
            self.assertIn(said, done.stdout)


class Attacks(SealedTest):
    """A14 and A17: what whoever runs the core may try."""


def attack_test(attack):
    def test(self):
        for config, mode in [(COUNTER, "counter")] + [(DIRECT, "direct")] * THOROUGH:
            with self.subTest(mode):
                self.assertEqual(attack.carry_out(self.folder, config), attack.expected(mode))
    return test


for one in ATTACKS:
    setattr(Attacks, "test_" + re.sub(r"\W+", "_", one.name), attack_test(one))


def setUpModule():
    for config in CONFIGS:
        done = make("sims/verilator", f"CONFIG={config}")
        if done.returncode != 0:
            raise RuntimeError(f"{config} does not build:\n{done.stdout}")


if __name__ == "__main__":
    sys.exit(unittest.main())
