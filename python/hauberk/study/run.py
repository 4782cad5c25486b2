"""The raw numbers of a simulated run, from its folder or from a row of docs/figures/runs.csv."""

import dataclasses
import json
import os
import re

from hauberk.study.errors import StudyError, read_text

TIMING = ["latency", "beat", "bus", "outstanding", "write_queue", "noise"]
TRAFFIC = ["data_reads", "data_writes", "metadata_reads", "metadata_writes"]
# Lines of Linux's init and of iBench that a report reads
CONSOLE = re.compile(r"hauberk: (?:booted|begin|end|done) .*|(?:ibench|cold|loads|tasks|busy)(?: \d+){4}|(?:checksum|cycles|instret) \S+")


@dataclasses.dataclass
class Run:
    """Counts that a run does not have are None. The program printed `cycles` and `instret` of its kernel. `flags` has the hints for the program, and
    `sealed` if it has sealed pages. `console` has the lines of the console that a report reads, for Linux and iBench."""
    config: str
    program: str
    flags: str
    latency: int
    beat: int
    bus: int
    outstanding: int
    write_queue: int
    noise: int | None
    jitter: int
    exit_code: int
    total_cycles: int | None
    initialisation_cycles: int | None
    checksum: str | None
    cycles: int | None
    instret: int | None
    data_reads: int
    data_writes: int
    metadata_reads: int
    metadata_writes: int
    hits: int
    misses: int
    cores: int | None
    bus_secured: int | None
    bus_used: int | None
    bus_authentications: int | None
    bus_alarm: int | None
    protected: int | None
    dram_check: str
    plaintext: int | None
    pages_used: int | None
    pages_plaintext: int | None
    console: str | None
    cpu_seconds: float | None
    wall_seconds: float | None
    verilog: str | None = None
    harness: str | None = None
    sources: str | None = None
    revision: str | None = None

    @property
    def timing(self):
        return tuple(getattr(self, name) for name in TIMING)

    @property
    def key(self):
        return (self.config, self.program, self.flags, *self.timing, self.jitter)

    @property
    def lookups(self):
        return self.hits + self.misses

    @property
    def ended_well(self):
        return self.exit_code == 0 and self.dram_check == "pass"

    @property
    def problems(self):
        """One phrase for each fault."""
        found = [
            *faults_of_end(self),
            self.bus_alarm and "raised the bus's alarm",
            self.dram_check != "pass" and f"has the DRAM check '{self.dram_check}'",
            self.protected and self.plaintext and f"left {self.plaintext} words in the clear in DRAM"]
        return [f"{self.program} on {self.config} {problem}" for problem in found if problem]


def flags_of(hints=None, sealed=False):
    return " ".join([*(hints or []), *(["sealed"] if sealed else [])])


def printed(text, name, digits="0123456789"):
    """The last value of a name that a program printed on a line of its own."""
    values = [words[1] for words in map(str.split, re.split(r"[\r\n]+", text)) if len(words) == 2 and words[0] == name and not set(words[1]) - set(digits)]
    return values[-1] if values else None


def results_of(text):
    """The checksum, and the cycles and instructions of its kernel, that a program printed; None of those that it did not."""
    cycles, instret = (value and int(value) for value in (printed(text, "cycles"), printed(text, "instret")))
    return {"checksum": printed(text, "checksum", "0123456789abcdef"), "cycles": cycles, "instret": instret}


def faults_of_end(run):
    """A phrase for each fault of the end of a program."""
    found = [run.exit_code != 0 and f"ended with exit code {run.exit_code}",
             run.exit_code == 0 and None in (run.cycles, run.instret) and "printed no cycles or no instret"]
    return [fault for fault in found if fault]


def load(path, what):
    text = read_text(path, what)
    try:
        found = json.loads(text)
    except ValueError:
        found = None
    if not isinstance(found, dict):
        raise StudyError(f"the {what} at {path} is not a JSON object")
    return found


def read(folder, config, program, flags="", noise=None):
    """The run in a folder; None if there is no record of one. StudyError refuses a record of another configuration or program."""
    path = os.path.join(folder, "run.json")
    if not os.path.exists(path):
        return None
    record = load(path, "run record")
    if (record.get("config"), record.get("program")) != (config, program):
        raise StudyError(f"{folder} holds the run of {record.get('program')} on {record.get('config')}: put each run into a folder of its own name")
    check_path = os.path.join(folder, "check.json")
    check = load(check_path, "check record") if os.path.exists(check_path) else {"dram_check": "fail: not checked"}
    console = read_text(os.path.join(folder, "uart.log"), "console log")
    try:
        return made(record, check, console, flags, noise)
    except (KeyError, TypeError, ValueError) as error:
        raise StudyError(f"the record in {folder} is damaged: {error} is missing or no number; make the run again") from None


def made(record, check, console, flags, noise):
    dram, bus = record["dram"], record.get("bus", {})
    said = " | ".join(found for line in re.split(r"[\r\n]+", console) for found in [line.strip()] if CONSOLE.fullmatch(found))

    def number(of, name):
        return None if of.get(name) is None else int(of[name])

    return Run(
        config=record["config"], program=record["program"], flags=flags, noise=noise,
        latency=dram["latency"], beat=dram["cycles_per_beat"], bus=dram["bus_bytes"], outstanding=dram["outstanding"], write_queue=dram["write_queue"],
        jitter=int(dram.get("jitter", 0)), **{name: int(dram[name]) for name in TRAFFIC},
        exit_code=int(record["exit_code"]), total_cycles=number(record, "cycles"), initialisation_cycles=number(record, "initialisation_cycles"),
        cpu_seconds=record.get("cpu_seconds"), wall_seconds=record.get("wall_seconds"), cores=len(record["cores"]) if "cores" in record else None,
        hits=int(record["counter_cache"]["hits"]), misses=int(record["counter_cache"]["misses"]),
        **{f"bus_{name}": number(bus, name) for name in ("secured", "used", "authentications", "alarm")},
        **results_of(console), console=said if re.search(r"hauberk: |ibench ", said) else None,
        protected=number(check, "protected"), dram_check=check["dram_check"], plaintext=number(check, "plaintext_words_in_dram"),
        pages_used=number(check, "pages_used"), pages_plaintext=number(check, "plaintext_pages_in_dram"))
