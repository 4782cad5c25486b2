"""Notes or mutates the Verilog of a simulator, for tests/mutation/verilator: python -m hauberk.mutation.simulator FOLDER SOURCES

Without a mutant in FOLDER it copies the modules there, under their digests, and ends with 0. With one it changes the sources, and ends with 3 if one of
them has the mutant.
"""

import hashlib
import json
import sys
from pathlib import Path

from hauberk.mutation import verilog
from hauberk.mutation.mutant import Mutant

MUTATED = 3


def note(folder, sources):
    modules = folder / "modules"
    modules.mkdir(exist_ok=True)
    for path in sources:
        text = path.read_text()
        (modules / (hashlib.sha256(text.encode()).hexdigest()[:32] + ".sv")).write_text(text)


def mutate(mutant, sources):
    """Puts the mutant into each module that has a place for it; whether one has."""
    found = False
    for path in sources:
        if verilog.base(path.stem) == mutant.module:
            text = verilog.changed(path.read_text(), mutant)
            if text is not None:
                path.write_text(text)
                found = True
    return found


def main(folder, sources):
    folder, modules = Path(folder), sorted(Path(sources).glob("*.sv"))
    chosen = folder / "mutant.json"
    if not chosen.exists():
        return note(folder, modules)
    mutant = Mutant(**json.loads(chosen.read_text()), place="", edits=())
    if mutate(mutant, modules):
        (folder / "mutated").touch()
        return MUTATED
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
