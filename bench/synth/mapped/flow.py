"""Runs Yosys on a part, once for every Verilog."""

import fcntl
import functools
import gzip
import hashlib
import inspect
import json
import os
import re
import subprocess
import time

from . import netlist

# Left as modules. A table of 256 bytes is mapped once and stands wherever it is used, since no LUT of six inputs has room for more than a piece
# of it; of AsyncResetRegVec the rules must know what is its own.
KEPT = ("ByteTable*", "AsyncResetRegVec*")
# Pins and clock buffers belong to the shell of the FPGA.
SYNTHESIS = "synth_xilinx -family xcup -flatten -noiopad -noclkbuf -nowidelut -top {top}"
STEPS = [
    "read_verilog -sv {verilog}",
    SYNTHESIS + " -run begin:prepare",
    "setattr -mod -set keep_hierarchy 1 " + " ".join(KEPT),
    SYNTHESIS + " -run prepare:map_memory",
    "tee -q -o {memories} dump t:$mem_v2",
    SYNTHESIS + " -run map_memory:",
    "write_json {json}",
]
SECONDS_BETWEEN_SIGNS_OF_LIFE = 30


class Failure(Exception):
    """A sentence for the user."""


def yosys_version():
    try:
        return subprocess.run(["yosys", "-V"], capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        raise Failure("yosys is not installed: run scripts/setup")


class Mapped:
    """What came out of Yosys: the modules, `top` and what it kept, and of every memory that something writes, by name, its `words`, `bits`, `writers`, the `kind` of
    cells it became, None for flip-flops, and the `line` of Verilog."""

    def __init__(self, part, modules, memories):
        self.top, self.modules, self.memories, self.locator = part.top, modules, memories, part.locator


def synthesize(part, folder, say):
    """Maps a part, or takes the result of an earlier run from `folder`; waits for who is mapping it."""
    os.makedirs(folder, exist_ok=True)
    stem = os.path.join(folder, f"{part.name}-{recipe()}")
    with open(stem + ".lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not os.path.exists(stem + ".json.gz"):
            begun = time.time()
            say(f"{part.top}: synthesizing {part.text.count(chr(10)):,} lines of Verilog")
            run(part, stem, lambda doing: say(f"{part.top}: {time.time() - begun:4.0f} s, {doing}"))
            say(f"{part.top}: synthesized in {time.time() - begun:.0f} s")
    with gzip.open(stem + ".json.gz", "rt") as file:
        kept = json.load(file)
    return Mapped(part, kept["modules"], kept["memories"])


@functools.lru_cache(None)
def recipe():
    """A digest of how parts are synthesized, and of what is kept of them."""
    readers = (netlist.compact, netlist.compact_cell, netlist.line_of, netlist.preference, memories)
    text = "\n".join([yosys_version(), *STEPS, *map(inspect.getsource, readers)])
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def run(part, stem, alive):
    files = {key: f"{stem}.{key}" for key in ("verilog", "memories", "json")}
    log = stem + ".log"
    with open(files["verilog"], "w") as file:
        file.write(part.text)
    script = "\n".join(step.format(top=part.top, **files) for step in STEPS)
    with subprocess.Popen(["yosys", "-q", "-L", log, "-p", script], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as yosys:
        try:
            while True:
                try:
                    _, errors = yosys.communicate(timeout=SECONDS_BETWEEN_SIGNS_OF_LIFE)
                    break
                except subprocess.TimeoutExpired:
                    alive(last_pass(log))
        except BaseException:
            yosys.kill()
            raise
    if yosys.returncode != 0:
        reason = [line for line in errors.split("\n") if "ERROR" in line] or [f"see {log}"]
        raise Failure(f"Yosys could not synthesize {part.top}: {reason[-1].strip()}")
    with open(files["json"]) as file:
        modules = netlist.compact(json.load(file))
    with open(files["memories"]) as dump, open(log) as text:
        kept = {"modules": modules, "memories": memories(dump.read(), text.read())}
    temporary = stem + ".new"
    with gzip.open(temporary, "wt", compresslevel=3) as file:
        json.dump(kept, file)
    os.replace(temporary, stem + ".json.gz")
    for name in files.values():
        os.remove(name)


def last_pass(log):
    with open(log, "rb") as file:
        passes = re.findall(rb"^[\d.]+ Executing (.*?)\.?$", file.read(), re.M)
    return passes[-1].decode(errors="replace") if passes else "beginning"


def memories(dump, log):
    """Tables that nothing writes are logic, and left out."""
    mapped = dict(re.findall(r"^mapping memory [^.]+\.(\S+) via \$__XILINX_(\w+?)_?$", log, re.M))
    found = {}
    for attributes, name, cell in re.findall(r"((?:^ *attribute [^\n]*\n)*)^ *cell \$mem_v2 \\?(\S+)\n(.*?)^ *end$", dump, re.M | re.S):
        facts = {key: int(re.search(rf"parameter (?:signed )?\\{key} (?:\d+'[01]*)?(\d+)$", cell, re.M)[1]) for key in ("SIZE", "WIDTH", "WR_PORTS")}
        if facts["WR_PORTS"]:
            source = re.findall(r":(\d+)\.\d+-", attributes)
            found[name] = {"words": facts["SIZE"], "bits": facts["WIDTH"], "writers": facts["WR_PORTS"], "kind": mapped.get(name),
                           "line": int(source[-1]) if source else 0}
    return found
