"""Notes or mutates the Verilog of a simulator, for tests/mutation/verilator: python -m hauberk.mutation.simulator FOLDER SOURCE...

Without a mutant in FOLDER it copies the modules there, under their digests, and ends with 0. With one it changes the sources, and ends with 3 if one of
them has the mutant.
"""

import hashlib
import json
import re
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
    found, has = False, re.compile(rf"^module {re.escape(mutant.module)}(_\d+)?\(", re.M)
    for path in sources:
        text = path.read_text()
        mutated = verilog.changed(text, mutant) if has.search(text) else None
        if mutated is not None:
            path.write_text(mutated)
            found = True
    return found


def main(folder, *sources):
    folder, modules = Path(folder), [Path(source) for source in sources]
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
