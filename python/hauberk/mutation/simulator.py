"""Notes the modules of a simulator, or puts mutants into them, for tests/mutation/verilator: python -m hauberk.mutation.simulator FOLDER SOURCE...

Without mutants.json in FOLDER it copies the modules there, under their digests, and ends with 0. Else it puts in all of these mutants that have a place, writes
their numbers, counted from 1, to the file `mutants` in the working folder and adds them to FOLDER/present, and ends with 3 if there is one.
"""

import hashlib
import json
import sys
from pathlib import Path

from hauberk.mutation import schemata
from hauberk.mutation.mutant import Mutant

MUTATED = 3


def note(folder, sources):
    modules = folder / "modules"
    modules.mkdir(exist_ok=True)
    for path in sources:
        text = path.read_text()
        (modules / (hashlib.sha256(text.encode()).hexdigest()[:32] + ".sv")).write_text(text)


def mutate(folder, sources):
    """The numbers of the mutants that are in the sources now."""
    identities = json.loads((folder / "mutants.json").read_text())
    numbers = {Mutant(**identity, place="", edits=()): number for number, identity in enumerate(identities, 1)}
    having = set()
    for path in sources:
        text, here = schemata.with_mutants(path.read_text(), numbers, folder.resolve() / "active")
        if here:
            path.write_text(text)
            having |= here
    return having


def main(folder, *sources):
    folder, modules = Path(folder), [Path(source) for source in sources]
    if not (folder / "mutants.json").exists():
        return note(folder, modules)
    lines = "".join(f"{number}\n" for number in sorted(mutate(folder, modules)))
    Path("mutants").write_text(lines)
    with open(folder / "present", "a") as file:
        file.write(lines)
    return MUTATED if lines else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
