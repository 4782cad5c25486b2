"""Sealed programs on whole SoCs that decrypt instructions: they run, on the right processor with the right token only, and attacks on them fail."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

TOP = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "..", ".."))
GENERATED = os.path.join(TOP, "sims", "verilator", "generated-src")
COUNTER = "EmuCounterRocketConfig"
DIRECT = "EmuDirectRocketConfig"
OTP_DUAL = "EmuAegisOtpDualRocketConfig"
# Runs here are short: what counts is how fast a simulator is built.
os.environ.setdefault("SIM_OPT", "-O1")
# What runs as garbage may never end
PATIENCE = ["--max-cycles", "1000000"]
MAX_CYCLES = 124
RUNS = "sealed code runs"
NOT_FOR_THIS = "the program was not sealed for this processor and this token, or its note is damaged"


def run(*command):
    return subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")


def make(folder, *arguments):
    return run("make", "--no-print-directory", "-C", os.path.join(TOP, folder), *arguments)


def described(config):
    return os.path.join(GENERATED, config, config + ".json")


class SealedTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="hauberk-sealed-test-")
        self.addCleanup(shutil.rmtree, self.folder)

    def program(self, name):
        built = make("tests", f"build/{name}.riscv")
        self.assertEqual(built.returncode, 0, built.stdout)
        return os.path.join(TOP, "tests", "build", name + ".riscv")

    def seal(self, config, name, *flags):
        """The sealed program, and the file of its credentials."""
        out = os.path.join(self.folder, name + ".sealed")
        done = run(os.path.join(TOP, "scripts", "hauberk-seal"), "--elf", self.program(name), "--soc", described(config), "--out", out,
                   "--sections", ".sealed", *flags)
        self.assertEqual(done.returncode, 0, done.stdout)
        return out, out + ".credentials.json"

    def pack(self, config, elf):
        package = elf + ".pkg"
        done = run(os.path.join(TOP, "scripts", "hauberk-image"), "pack", "--elf", elf, "--soc", described(config), "--out", package)
        self.assertEqual(done.returncode, 0, done.stdout)
        return package

    def simulate(self, config, package, *flags):
        return run(os.path.join(GENERATED, config, "simulator"), package, "--config-json", described(config), *PATIENCE, *flags)

    def attack(self, number, config=COUNTER):
        """What an attack printed, line by line, and how the run ended."""
        sealed, credentials = self.seal(config, f"attacks-{number}")
        done = self.simulate(config, self.pack(config, sealed), "--credentials", credentials)
        self.assertNotIn("PLAINTEXT", done.stdout)
        return re.findall(r"^attack: (.*)", done.stdout, re.MULTILINE), done

    def is_garbage(self, what, lines, done):
        """It was run, and was no program: it trapped, gave something else, or did not come back."""
        if lines:
            self.assertIn(lines, [[f"{what}: {came}"] for came in ("denied", "no instruction", "wrong")])
        else:
            self.assertTrue(done.returncode == MAX_CYCLES or done.returncode >= 128, done.stdout)


class Programs(SealedTest):
    def test_run_sealed_as_they_run_in_plaintext(self):
        for config in [COUNTER, DIRECT, OTP_DUAL]:
            with self.subTest(config):
                flags = [f"CONFIG={config}", f"BINARY={self.program('sealed')}", f"RUN_DIR={self.folder}/{config}"]
                plain, sealed = make("sims/verilator", "run-binary", *flags), make("sims/verilator", "run-sealed", *flags)
                # DRAM, which holds the sealed pages, was checked behind both runs
                self.assertEqual((plain.returncode, sealed.returncode), (0, 0), plain.stdout + sealed.stdout)
                checksums = [re.search(r"^checksum (\w+)", done.stdout, re.MULTILINE)[1] for done in (plain, sealed)]
                self.assertEqual(*checksums)

    def test_are_ciphertext_in_the_file_and_only_there(self):
        plain = self.program("sealed")
        sealed, _ = self.seal(COUNTER, "sealed")
        with open(plain, "rb") as one, open(sealed, "rb") as other:
            before, after = one.read(), other.read()
        self.assertEqual(len(before), len(after))
        changed = [at for at in range(0, len(before), 4096) if before[at:at + 4096] != after[at:at + 4096]]
        # Three pages of code, and one with the notes
        self.assertEqual(len(changed), 4)

    def test_need_the_right_processor_and_the_right_token(self):
        sealed, credentials = self.seal(COUNTER, "sealed")
        package = self.pack(COUNTER, sealed)
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
                done = self.simulate(COUNTER, package, "--credentials", path)
                if error is None:
                    self.assertEqual(done.returncode, 0, done.stdout)
                else:
                    self.assertGreater(done.returncode, 64, done.stdout)
                    self.assertIn(f"sealed: {error}\n", done.stdout)

    def test_sealed_for_the_other_mode_are_refused(self):
        sealed, credentials = self.seal(DIRECT, "sealed")
        done = self.simulate(COUNTER, self.pack(COUNTER, sealed), "--credentials", credentials)
        self.assertIn("sealed: the program was sealed for an SoC with the other mode of decryption\n", done.stdout)

    def test_keep_notes_that_nobody_made_room_for(self):
        out = os.path.join(self.folder, "iwalk")
        done = run(os.path.join(TOP, "scripts", "hauberk-seal"), "--elf", self.program("iwalk"), "--out", out, "--mode", "counter",
                   "--functions", "walk_300,walk_700")
        self.assertEqual(done.returncode, 0, done.stdout)
        notes = run("riscv64-unknown-elf-readelf", "--wide", "--notes", out)
        self.assertEqual(len(re.findall(r"Hauberk\s+0x0000004c", notes.stdout)), 2, notes.stdout)
        # Only the pages of these functions, in what is loaded
        with open(self.program("iwalk"), "rb") as one, open(out, "rb") as other:
            before, after = one.read(), other.read()
        places = re.findall(r"2 pages sealed|1 pages sealed", done.stdout)
        self.assertEqual(len(places), 2, done.stdout)
        self.assertNotEqual(before, after)

    def test_what_cannot_be_found_is_refused(self):
        for functions, said in [("no_such", "has no function no_such"), ("walk_000", "leave what runs first")]:
            done = run(os.path.join(TOP, "scripts", "hauberk-seal"), "--elf", self.program("iwalk"), "--out", os.path.join(self.folder, "out"),
                       "--mode", "counter", "--functions", functions)
            self.assertEqual(done.returncode, 2)
            self.assertIn(said, done.stdout)


class Attacks(SealedTest):
    """A14 and A17: what whoever runs the core may try."""

    def test_ciphertext_run_as_plaintext(self):
        for config in [COUNTER, DIRECT]:
            lines, done = self.attack(1, config)
            self.is_garbage("not unsealed", lines, done)

    def test_stale_mapping_after_a_context_switch(self):
        for config in [COUNTER, DIRECT]:
            lines, done = self.attack(2, config)
            self.assertEqual(lines, ["pages freed: none", "entry given to another page: none", "not flushed: denied"])
            self.assertEqual(done.returncode, 0, done.stdout)

    def test_pages_exchanged(self):
        lines, done = self.attack(3)
        self.assertEqual(lines[0], RUNS)
        self.is_garbage("pages exchanged", lines[1:], done)

    def test_write_into_a_sealed_page(self):
        for config in [COUNTER, DIRECT]:
            lines, done = self.attack(4, config)
            self.assertEqual(lines[0], RUNS)
            self.is_garbage("page written", lines[1:], done)

    def test_slot_used_again(self):
        for config in [COUNTER, DIRECT]:
            lines, done = self.attack(5, config)
            self.assertEqual((lines, done.returncode), ([RUNS, "slot used again: denied"], 0))

    def test_keys_are_read_nowhere(self):
        lines, done = self.attack(6)
        self.assertEqual((lines, done.returncode), ([RUNS, "registers: read"], 0))

    def test_damaged_notes(self):
        lines, done = self.attack(7)
        self.assertEqual((lines, done.returncode), ([f"damaged credential: {NOT_FOR_THIS}"] * 3, 0))
        lines, done = self.attack(8)
        self.assertEqual(lines[:2], [RUNS, "page mapped: none"])
        self.is_garbage("ancillary data changed", lines[2:], done)

    def test_bad_commands_are_refused_and_change_nothing(self):
        lines, done = self.attack(9)
        self.assertEqual(lines, [RUNS, "index out of range: the table of pages has no such entry", "slot out of range: there is no such slot for a key",
                                 "page twice: the page is mapped already", "slot without a key: the slot has no key"])
        self.assertEqual(done.returncode, 0, done.stdout)


def setUpModule():
    for config in [COUNTER, DIRECT, OTP_DUAL]:
        done = make("sims/verilator", f"CONFIG={config}")
        if done.returncode != 0:
            raise RuntimeError(f"{config} does not build:\n{done.stdout}")


if __name__ == "__main__":
    sys.exit(unittest.main())
