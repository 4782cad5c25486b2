"""What tests/mutation/verilator does to the Verilog of a simulator before it is built: python -m hauberk.mutation.simulator FOLDER SOURCES

Without a mutant in FOLDER it copies the modules there, under their digests, and ends with 0. With one it changes the sources, and ends with 3 if one of
them has the mutant.
"""

import hashlib
import json
import os
import sys

from hauberk.mutation import verilog

MUTATED = 3


def note(folder, sources):
    for name in names(sources):
        text = read(os.path.join(sources, name))
        path = os.path.join(folder, "modules", hashlib.sha256(text.encode()).hexdigest()[:32] + ".sv")
        if not os.path.exists(path):
            os.makedirs(os.path.dirname(path), exist_ok=True)
            write(path, text)


def mutate(mutant, sources):
    """Puts the mutant into each module that has a place for it; whether one has."""
    found = False
    for name in names(sources):
        if verilog.base(name[:-len(".sv")]) == mutant.module:
            path = os.path.join(sources, name)
            text = verilog.changed(read(path), mutant)
            if text is not None:
                write(path, text)
                found = True
    return found


def names(sources):
    return sorted(name for name in os.listdir(sources) if name.endswith(".sv"))


def read(path):
    with open(path) as file:
        return file.read()


def write(path, text):
    with open(path + ".new", "w") as file:
        file.write(text)
    os.replace(path + ".new", path)


def main(folder, sources):
    chosen = os.path.join(folder, "mutant.json")
    if not os.path.exists(chosen):
        return note(folder, sources)
    mutant = verilog.Mutant(**json.loads(read(chosen)), place="", edits=())
    if mutate(mutant, sources):
        write(os.path.join(folder, "mutated"), "")
        return MUTATED
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
