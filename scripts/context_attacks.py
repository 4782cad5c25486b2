"""Attacks on secure contexts on whole SoCs: by the operating system, by random calls of the microcode, and in DRAM (tests/contexts/system)."""

import json
import os
import re
import tempfile

import sealed
import simulation

# What counts is what comes out, not how long it takes. A run that has not ended by then hangs
FLAGS = ["--dram-latency", "3", "--dram-beat", "1", "--max-cycles", "60000000"]
HALTED = 126
# Tests of the kernel that are no attacks
PEACEFUL = {"computes", "is_measured", "has_no_secret", "costs", "vouches", "tells_its_key"}
KIND = "A19"
# A processor with a secret, and messages for it
CREDENTIALS = os.path.join(simulation.TOP, "tests", "contexts", "credentials.json")


class Machine:
    """A configuration, and the runs of it: each in files of a folder whose names begin with the run's."""

    def __init__(self, config, folder):
        self.config, self.folder = config, folder

    def stem(self, name):
        return os.path.join(self.folder, name)

    def run(self, name, program, *flags, seed=1):
        """Runs a program of tests/contexts/system; its console and its record."""
        package = sealed.pack(self.config, sealed.program(program), self.stem(name) + ".pkg")
        done = sealed.run(os.path.join(sealed.GENERATED, self.config, "simulator"), package, "--config-json", sealed.described(self.config),
                          "--uart-log", self.stem(name) + ".log", "--stats", self.stem(name) + ".json", "--entropy-seed", str(seed), *FLAGS, *flags)
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


class SecureContexts:
    """The bench of scripts/attack for secure contexts."""

    name, title = "attack-contexts", "Secure contexts"
    # sims/verilator/test/simulator_test.py has those in DRAM, and a part of the kernel's
    small = []
    configs = {"ContextsHashTree": "AegisContextsDualRocketConfig", "ContextsBonsaiTree": "WithContextGuard_BonsaiTreeDualRocketConfig"}

    def prepare(self, options):
        return (options.small and not options.schemes) or simulation.prepare()

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
            rows += [at_random(machine, first + i) for i in range(max(1, options.victims // 5))]
        return [{"scheme": scheme, **one} for one in rows]
