"""Whether a mutant changes nothing: proved for a module alone, whatever comes from around it.

Module and mutant start in one state, which is arbitrary, are in reset for a cycle, and then get the same inputs for ever; submodules are inputs and outputs.
Yosys makes the circuit that compares all outputs, and ABC looks for a difference. Assertions of the module are left out.
"""

import re
import subprocess
import tempfile
from pathlib import Path

from hauberk.mutation import schemata, verilog

# Of Yosys, and of ABC
SECONDS = 60
INSTANCE = re.compile(r"^  (\w+) (\w+) \(([^;]*?)^  \);", re.M | re.S)
CONNECTION = re.compile(r"\.(\w+)\s*\((.*?)\)(?=,|\s*$)", re.M | re.S)
LOCAL = re.compile(r"^ *automatic logic([^;]*;)", re.M)
PACKED = re.compile(r"^ *(wire|reg|logic) *\[(\d+):0\]\[(\d+):0\] *(\w+)", re.M)
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/")
# No port of ours is wider
WIDE = 8192
MODULES = re.compile(r"^module .*?^endmodule$", re.M | re.S)


def proved(text, mutant):
    """Whether a text of one module is proved to be the same with a mutant."""
    module = next((found[0] for found in MODULES.finditer(text) if mutant in verilog.mutants(found[0])), None)
    if module is None:
        return False
    name = re.match(r"module (\w+)", module)[1]
    with tempfile.TemporaryDirectory(prefix="hauberk-equivalence-") as folder:
        source, circuit = Path(folder, "both.sv"), Path(folder, "both.blif")
        pair = [re.sub(rf"\bmodule {name}\b", f"module {side}", body, count=1) for side, body in (("left", module), ("right", verilog.changed(module, mutant)))]
        source.write_text("\n".join([*(flattened(hoisted(body)) for body in pair), *stubs(module)]))
        made = run("timeout", str(SECONDS), "yosys", "-q", "-p", f"read_verilog -sv -DSYNTHESIS {source}; proc; setundef -zero; expose -evert left/c:*; expose -evert right/c:*; "
            "miter -equiv -make_outputs -flatten left right miter; hierarchy -top miter; flatten; opt -full; memory_map; techmap; dfflegalize -cell $_DFF_P_ x; "
            f"abc -g AND; opt_clean -purge; write_blif {circuit}")
        if made is None:
            return False
        circuit.write_text(started(circuit.read_text()))
        said = run("timeout", str(SECONDS), "yosys-abc", "-q", f"read_blif {circuit}; strash; scorr; dc2; pdr -nc")
        return said is not None and "Property proved" in said


def hoisted(module):
    """With the variables of always blocks in the module: Yosys knows no other ones."""
    end = schemata.PORTS.search(module).end()
    return module[:end] + "".join("\n  logic" + found for found in LOCAL.findall(module)) + LOCAL.sub("", module[end:])


def flattened(module):
    """With vectors in place of packed arrays of two dimensions, which Yosys does not know either."""
    for _, outer, inner, name in PACKED.findall(module):
        width = int(inner) + 1
        module = re.sub(rf"\[{outer}:0\]\[{inner}:0\] *{name}\b", f"[{(int(outer) + 1) * width - 1}:0] {name}", module)
        parts = re.split(rf"\b{name}\[", module)
        module = parts[0] + "".join(f"{name}[({index})*{width} +: {width}]{rest}" for index, rest in map(bracketed, parts[1:]))
    return module


def bracketed(text):
    """What is in the bracket that is open at the beginning, and what is behind it."""
    depth = 1
    for at, character in enumerate(text):
        depth += {"[": 1, "]": -1}.get(character, 0)
        if not depth:
            return text[:at], text[at + 1:]
    raise ValueError(f"a bracket is open: {text[:100]}")


def stubs(module):
    """Modules in the place of those that are instantiated: with the same ports, and nothing in them."""
    found = {}
    for kind, instance, connections in INSTANCE.findall(module):
        ports = []
        for port, value in CONNECTION.findall(COMMENT.sub("", connections)):
            wire = f"_{instance}_{port}"
            if value.strip() == wire:
                width = re.search(rf"^  wire +(\[\d+:0\])? *{wire};", module, re.M)
                ports.append(f"output {width[1] or ''} {port}")
            elif value.strip():
                ports.append(f"input [{WIDE - 1}:0] {port}")
        # Two of one kind may leave different outputs unconnected
        found.setdefault(kind, set()).update(ports)
    return [f"(* blackbox *) module {kind}({', '.join(sorted(ports))}); endmodule" for kind, ports in found.items()]


def started(blif):
    """The circuit with its outputs in one, and a beginning: any state, the same on both sides, and a cycle of reset."""
    lines, inputs, seen = [], [], set()
    for line in re.sub(r"\\\n", " ", blif).splitlines():
        words = line.split()
        if words[:1] == [".latch"]:
            state = words[2]
            start = "start_" + re.sub(r"^(gold|gate)\.", "", re.sub(r"^\\", "", state))
            inputs += [start] * (start not in seen)
            seen.add(start)
            lines += [f".latch next_{state} {state} 0", f".names begun {words[1]} {start} next_{state}", "11- 1", "0-1 1"]
        elif words[:1] == [".outputs"]:
            lines.append(".outputs bad")
        elif words[:1] == [".inputs"]:
            lines.append(".inputs " + " ".join("given_reset" if word == "in_reset" else word for word in words[1:]) + " STARTS")
        elif words[:1] == [".end"]:
            lines += [".names one", "1", ".latch one begun 0", ".latch begun ready 0", ".names given_reset ready in_reset", "1- 1", "-0 1",
                      ".names trigger ready bad", "11 1", ".end"]
        else:
            lines.append(line)
    return "\n".join(lines).replace("STARTS", " ".join(inputs)) + "\n"


def run(*command):
    """What it says; nothing if it fails, as on Verilog that Yosys does not know, or does not end in time."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return None if done.returncode else done.stdout
