"""Sealed programs on whole SoCs: sealing, packaging and running them, and the attacks of tests/sealed/attacks.c with what must come of each."""

import collections
import os
import re
import subprocess

from simulation import TOP

GENERATED = os.path.join(TOP, "sims", "verilator", "generated-src")
# What runs as garbage may never end
PATIENCE = ["--max-cycles", "1000000"]
RUNS = "sealed code runs"
NOT_FOR_THIS = "the program was not sealed for this processor and this token, or its note is damaged"

# What may come of an attack
REFUSED, GARBAGE, PLAINTEXT = "refused", "garbage", "plaintext"


def run(*command):
    return subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")


def described(config):
    return os.path.join(GENERATED, config, config + ".json")


def succeed(*command):
    done = run(*command)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(command)}:\n{done.stdout}")


def program(name):
    """A program of tests/, built."""
    succeed("make", "--no-print-directory", "-s", "-C", os.path.join(TOP, "tests"), f"build/{name}.riscv")
    return os.path.join(TOP, "tests", "build", name + ".riscv")


def seal(folder, config, name, *flags):
    """A program sealed under keys of its own, and the file of its credentials."""
    out = os.path.join(folder, name + ".sealed")
    succeed(os.path.join(TOP, "scripts", "hauberk-seal"), "--elf", program(name), "--soc", described(config), "--out", out,
            "--sections", ".sealed", *flags)
    return out, out + ".credentials.json"


def pack(config, elf, package=None):
    package = package or elf + ".pkg"
    succeed(os.path.join(TOP, "scripts", "hauberk-image"), "pack", "--elf", elf, "--soc", described(config), "--out", package)
    return package


def simulate(config, package, *flags):
    return run(os.path.join(GENERATED, config, "simulator"), package, "--config-json", described(config), *PATIENCE, *flags)


class Attack(collections.namedtuple("Attack", "number kind name lines garbage falls_in")):
    """An attack of tests/sealed/attacks.c, and what it prints where it fails.

    kind: its class (docs/attack.md). lines: what is printed, exactly; garbage: what then runs and must not be the plaintext, if anything does.
    falls_in: the mode of decryption that does not claim to withstand it.
    """

    def expected(self, mode):
        return PLAINTEXT if self.falls_in == mode else GARBAGE if self.garbage else REFUSED

    def verdict(self, done):
        """What came of a run; anything unforeseen is what was printed."""
        lines = re.findall(r"^attack: (.*)", done.stdout, re.MULTILINE)
        if any(line.endswith(": PLAINTEXT") for line in lines):
            return PLAINTEXT
        rest = lines[len(self.lines):]
        if lines[:len(self.lines)] == self.lines:
            # Garbage traps, returns another value, does not return, returns with another stack pointer, or overwrites the printed strings.
            # The program prints PLAINTEXT itself if the plaintext ran.
            if self.garbage and rest != [f"{self.garbage}: unharmed"]:
                return GARBAGE
            if not self.garbage and not rest and done.returncode == 0:
                return REFUSED
        return f"exit code {done.returncode}: {done.stdout}"

    def carry_out(self, folder, config):
        sealed, credentials = seal(folder, config, f"attacks-{self.number}")
        return self.verdict(simulate(config, pack(config, sealed), "--credentials", credentials))


ATTACKS = [
    Attack(1, "A17", "ciphertext run as plaintext", ["sealed code is called"], "not unsealed", None),
    Attack(2, "A17", "stale mapping after a context switch",
           ["pages freed: none", "entry given to another page: none", "not flushed: denied"], None, None),
    # Direct mode does not know where a block is: docs/emu.md
    Attack(3, "A17", "two pages of a key exchanged in memory", [RUNS], "pages exchanged", "direct"),
    Attack(4, "A17", "instruction written into a sealed page", [RUNS], "page written", None),
    Attack(5, "A14", "slot of a mapped page gets a key again", [RUNS, "slot used again: denied"], None, None),
    Attack(6, "A14", "keys looked for at every address of the device", [RUNS, "registers: read"], None, None),
    Attack(7, "A14", "secret, check value and key id of a credential exchanged", [f"another credential: {NOT_FOR_THIS}"] * 3, None, None),
    # Direct mode has none: it runs what was sealed, where it was sealed
    Attack(8, "A17", "other ancillary data for a page", [RUNS, "page mapped: none"], "ancillary data changed", "direct"),
    Attack(9, "A14", "index and slot out of range, page twice, slot without a key",
           [RUNS, "index out of range: the table of pages has no such entry", "slot out of range: there is no such slot for a key",
            "page twice: the page is mapped already", "slot without a key: the slot has no key"], None, None),
    # Counter mode is a pad: who knows what stands there makes it what he likes
    Attack(10, "A17", "known instruction made another in its ciphertext", [RUNS], "instruction exchanged", "counter"),
    Attack(11, "A14", "note damaged, a bit in each byte", ["damaged notes: 100 of 100 refused"], "not unsealed", None),
    Attack(12, "A14", "notes that ask for more pages and keys than there are, or for pages twice",
           [RUNS, "more pages than the table has: more pages are sealed than the SoC decrypts at a time",
            "more notes than there are keys: the program has more keys than the SoC has slots", "pages in two notes: the page is mapped already"],
           "not unsealed", None),
]
