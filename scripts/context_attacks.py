"""Attacks on secure contexts on whole SoCs: by the operating system, by random calls of the microcode, and in DRAM (tests/contexts/system)."""

import json
import os
import re
import subprocess
import tempfile

import sealed
import simulation
import tree

# What counts is what comes out, not how long it takes
FLAGS = ["--dram-latency", "3", "--dram-beat", "1"]
# A run that has not ended by then hangs
MOST_CYCLES = 150000000
HALTED = 126
# Tests of the kernel that are no attacks
PEACEFUL = {"computes", "is_measured", "has_no_secret", "costs", "vouches", "tells_its_key"}
KIND = "A19"
HELD = "A23"
# A processor with a secret, and messages for it
CREDENTIALS = os.path.join(simulation.TOP, "tests", "contexts", "credentials.json")


def depends_on(config, *programs):
    """Files of which attacks on a SoC are made. Elaborates it."""
    if simulation.make("sims/verilator", f"CONFIG={config}", "verilog"):
        raise RuntimeError(f"{config} cannot be elaborated, see above")
    generated = os.path.join(sealed.GENERATED, config)
    found = tree.matching("scripts/attack", "scripts/context_attacks.py", "scripts/sealed.py", "scripts/simulation.py", "sims/*.mk", "sims/verilator/Makefile",
                          "sims/verilator/src/*", "sims/common/*", "tests/Makefile", "tests/runtime/*", "tools/src/main/**/*.scala",
                          "generators/memory/src/main/scala/hauberk/memory/reference/*", *programs)
    return [os.path.join(generated, "verilog.sha256"), os.path.join(generated, config + ".json"), *found]


class Machine:
    """A configuration, and the runs of it: each in files of a folder whose names begin with the run's."""

    def __init__(self, config, folder):
        self.config, self.folder = config, folder

    def stem(self, name):
        return os.path.join(self.folder, name)

    def run(self, name, program, *flags, seed=1, most_cycles=MOST_CYCLES):
        """Runs a program of tests/contexts/system; its console and its record."""
        package = sealed.pack(self.config, sealed.program(program), self.stem(name) + ".pkg")
        done = sealed.run(os.path.join(sealed.GENERATED, self.config, "simulator"), package, "--config-json", sealed.described(self.config),
                          "--uart-log", self.stem(name) + ".log", "--stats", self.stem(name) + ".json", "--entropy-seed", str(seed), "--max-cycles", str(most_cycles), *FLAGS, *flags)
        if not os.path.exists(self.stem(name) + ".json"):
            raise RuntimeError(f"{program} on {self.config} has not run:\n{done.stdout}")
        return self.read(name)

    def read(self, name):
        with open(self.stem(name) + ".log", errors="replace") as file:
            console = file.read()
        with open(self.stem(name) + ".json") as file:
            return console, json.load(file)


def row(kind, variant, expected, good, attempts=1, seed=None, complaint=""):
    """A row of scripts/attack: attempts that are detected, or harmless."""
    count = attempts if good else 0
    return {"class": kind, "variant": variant, "expected": expected, "attempts": attempts, "detected": count if expected == "detected" else 0,
            "missed": attempts - count, "harmless": count if expected == "harmless" else 0, "false_alarms": 0, "seed": seed, "met": good,
            "complaint": "" if good else complaint}


def last_line(console):
    return (console.strip().splitlines() or ["nothing on the console"])[-1]


def tests_of(name):
    """The tests that a kernel makes, in their order, as it names them on the console."""
    with open(os.path.join(simulation.TOP, "tests", "contexts", "system", name)) as file:
        return re.findall(r"^  RUN\((\w+)\);$", file.read(), re.MULTILINE)


def by_a_kernel(machine, program, main, *flags):
    """A kernel takes from its programs all that it can: a row for each of its tests. The first that fails ends the run."""
    console, record = machine.run(program, program, *flags)
    passed = [test for test in tests_of(main) if test in console.splitlines()]
    if record["exit_code"] != 0:
        passed = passed[:-1]
    return [row(KIND, "kernel: " + test.replace("_", " "), "harmless", test in passed, complaint=last_line(console))
            for test in tests_of(main) if test not in PEACEFUL]


def at_random(machine, seed, rounds=16):
    """Random calls; contexts that are left alone come to their end as if nothing had been."""
    console, record = machine.run(f"fuzz-{seed}", f"secure-context-fuzz-{seed}-{rounds}", seed=seed)
    counted = re.search(r"^calls (\d+), runs (\d+)", console, re.MULTILINE)
    attempts = sum(map(int, counted.groups())) if counted else 1
    return row(KIND, "random calls, registers, mappings and interrupts", "harmless", record["exit_code"] == 0 and counted is not None,
               attempts, seed, last_line(console))


def in_dram(machine):
    """Pages of a context that waits for the result of its call; each attack on a branch of one run."""
    console, record = machine.run("calm", "secure-context-victim")
    if record["exit_code"] != 0 or "the context gives 0" not in console:
        raise RuntimeError(f"secure-context-victim on {machine.config}: {last_line(console)}")
    code, data, root = (int(address, 16) for address in re.search(r"code at (\w+), data at (\w+), root table at (\w+)", console).groups())
    old, new = (int(re.search(rf"round {number} in memory at (\d+)", console)[1]) + 10000 for number in (2, 3))
    # Its own first entry is of the second GiB, where the program is
    attacks = {
        ("A1", "code"): f"flip:addr={code:#x},at={new},bit=0",
        ("A1", "data"): f"flip:addr={data:#x},at={new},bit=511",
        ("A1", "page-table"): f"flip:addr={root:#x},at={new},bit=64",
        ("A3", "data-and-code"): f"splice:addr={data:#x},with={code:#x},at={new},bytes=64",
        ("A3", "data-and-page-table"): f"splice:addr={root:#x},with={data:#x},at={new},bytes=64",
        ("A4", "data"): f"replay:addr={data:#x},from={old},at={new},bytes=64,what=data+path",
        ("A4", "last-line-of-data"): f"replay:addr={data + 2048 - 64:#x},from={old},at={new},bytes=64,what=data+path",
    }
    machine.run("attacked", "secure-context-victim", *(flag for (kind, what), script in attacks.items() for flag in ("--branch", f"{kind}-{what}={script}")))
    rows = []
    for kind, what in attacks:
        console, record = machine.read(f"attacked-{kind}-{what}")
        good = record["protector"]["alarm"] and record["exit_code"] == HALTED and "the context gives" not in console
        rows.append(row(kind, f"a context's {what.replace('-', ' ')}, in DRAM", "detected", good, complaint=last_line(console)))
    return rows


# Of a secret, by each address that the forged line of held.c reads
CHUNK = 6
SECRET_BITS = 64
# Cycles until the kernel waits, once it said so, and cycles that an attack has from then on: more than any alarm may take
SAID = 10000
ATTACKED = 80000


def told_by(addresses, pages, secret, begin):
    """Bits of a secret that the first reads of these pages tell, and how many cycles the last of them comes after the first."""
    found = {}
    for line in addresses.splitlines():
        cycle, what, address = line.split()[:3]
        page = int(address, 16) & ~4095
        if what == "read" and int(cycle) >= begin and page in pages and page not in found:
            found[page] = int(cycle), int(address, 16) % 4096 // 64
    right = {page: cycle for page, (cycle, line) in found.items() if line == secret >> CHUNK * pages.index(page) & 2**CHUNK - 1}
    bits = sum(min(CHUNK, SECRET_BITS - CHUNK * pages.index(page)) for page in right)
    return bits, max(right.values()) - min(right.values()) if right else 0


def held_scripts(levels, line, mask, old, new):
    """Attacks on the line of code that a context uses next: known bits of it are changed, or its page is what it was, and what would give that away comes late."""
    changed = f"xor:addr={line:#x},at={new},mask={mask}"
    page = line & ~4095
    replayed = f"replay:addr={page:#x},from={old},at={new},bytes=4096,what=data+tag+counter"

    def hold(what):
        return f"hold:addr={line:#x},at={new},what={what}"

    return {"code-changed": [changed], "code-changed,-tag-held": [changed, hold("tag")], "code-changed,-counter-held": [changed, hold("counter")],
            "old-code": [replayed], **{f"old-code,-node-{level}-held": [replayed, hold(f"node{level}")] for level in levels}}


def by_held_answers(machine):
    """Memory that answers when it likes: what a context's forged code tells by the addresses that it reads, before there is an alarm. Each attack on a branch of one run."""
    calm_log = machine.stem("held-calm.addresses")
    console, record = machine.run("held-calm", "secure-context-held", "--address-log", calm_log)
    given = re.search(r"the context gives (\w+)", console)
    if record["exit_code"] != 0 or not given:
        raise RuntimeError(f"secure-context-held on {machine.config}: {last_line(console)}")
    secret = int(given[1], 16)
    old, new = (int(re.search(rf"held: {said} at (\d+)", console)[1]) + SAID for said in ("forged in memory", "waits"))
    pages = [int(page, 16) for page in re.search(r"held: pages (.*)", console)[1].split()]
    line, mask = int(re.search(r"line at (\w+)", console)[1], 16), re.search(r"mask (\w+)", console)[1]
    with open(sealed.described(machine.config)) as file:
        levels = [array["level"] for array in json.load(file)["arrays"] if array["kind"] == "node"]
    scripts = held_scripts(levels, line, mask, old, new)
    log = machine.stem("held.addresses")
    machine.run("held", "secure-context-held", "--address-log", log, *(flag for name, attacks in scripts.items() for flag in ("--branch", f"{name}={';'.join(attacks)}")),
                most_cycles=new + ATTACKED)
    rows = []
    for name in scripts:
        console, record = machine.read(f"held-{name}")
        with open(machine.stem(f"held-{name}.addresses")) as file:
            bits, cycles = told_by(file.read(), pages, secret, new)
        alarm = f"alarm in cycle {record['protector']['alarm_cycle'] - new} of the attack" if record["protector"]["alarm"] else "no alarm"
        struck = all(attack["cycle"] is not None for attack in record["attacks"])
        told = f"{bits} of {SECRET_BITS} bits by addresses in {cycles} cycles, {alarm}"
        good = bits == 0 and struck and f"{secret:x}" not in console
        rows.append({**row(HELD, f"a context's {name.replace('-', ' ')}, in DRAM", "harmless", good, complaint=told if struck else "an attack never struck"),
                     "leaked_bits": bits})
    return rows


# The first line of the loader, forged: it reads a line that nothing else reads so early, and stays
IMAGE = 0x80000000
TOLD = 0x80900000
FORGED_LOADER = [0x404802b7, 0x00129293, 0x0002b283, 0x0000006f]  # lui t0, TOLD >> 13; slli t0, t0, 1; ld t0, 0(t0); j .
BOOTED = 100000


def at_boot(machine):
    """Memory forges the first instructions of all, and never gives the tag that would show it: they must not run."""
    with tempfile.NamedTemporaryFile() as image:
        subprocess.check_call(["riscv64-unknown-elf-objcopy", "-O", "binary", "--only-section=.loader", sealed.program("secure-context-held"), image.name])
        code = image.read()
    forged = b"".join(word.to_bytes(4, "little") for word in FORGED_LOADER)
    mask = bytes(new ^ old for new, old in zip(forged, code)).hex()
    log = machine.stem("boot.addresses")
    _, record = machine.run("boot", "secure-context-held", "--address-log", log, "--attack", f"xor:addr={IMAGE:#x},at=1,mask={mask}",
                            "--attack", f"hold:addr={IMAGE:#x},at=1,what=tag", most_cycles=BOOTED)
    with open(log) as file:
        reads = {int(line.split()[2], 16) for line in file if line.split()[1] == "read"}
    struck = all(attack["cycle"] is not None for attack in record["attacks"])
    good = struck and IMAGE in reads and TOLD not in reads
    return row(HELD, "the first instructions after reset changed, tag held", "harmless", good, complaint="they ran" if struck else "an attack never struck")


class SecureContexts:
    """The bench of scripts/attack for secure contexts."""

    name, title = "attack-contexts", "Secure contexts"
    # sims/verilator/test/simulator_test.py has those in DRAM, and a part of the kernel's
    small = []
    configs = {"ContextsHashTree": "AegisContextsDualRocketConfig", "ContextsBonsaiTree": "WithContextGuard_BonsaiTreeDualRocketConfig"}

    def prepare(self, options):
        return (options.small and not options.schemes) or simulation.prepare()

    def depends_on(self, scheme):
        return depends_on(self.configs[scheme], "tests/contexts/*.json", "tests/contexts/*/*", "microcode/*", "microcode/library/*")

    def emitted(self):
        return list(self.configs)

    def knows(self, scheme):
        return scheme in self.configs

    def attack(self, scheme, options):
        config = self.configs[scheme]
        if not simulation.build(config):
            return None
        with tempfile.TemporaryDirectory(prefix="hauberk-attack-") as folder:
            machine = Machine(config, folder)
            first = options.seed * options.victims
            rows = by_a_kernel(machine, "secure-contexts", "attacks.c") + by_a_kernel(machine, "secure-context-pages", "pages.c")
            rows += by_a_kernel(machine, "secure-context-messages", "messages.c", "--credentials", CREDENTIALS) + in_dram(machine)
            rows += by_held_answers(machine) + [at_boot(machine)]
            rows += [at_random(machine, first + i) for i in range(max(1, options.victims // 5))]
        return [{"scheme": scheme, **one} for one in rows]
