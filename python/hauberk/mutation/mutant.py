"""A mutant: one change of meaning in a source."""

import dataclasses


@dataclasses.dataclass(frozen=True)
class Mutant:
    """`place` is FILE:LINE of the source; `number` counts the mutants of a module that are equal in all else."""
    module: str
    kind: str
    before: str
    after: str
    number: int
    place: str = dataclasses.field(compare=False)
    edits: tuple = dataclasses.field(compare=False, repr=False)
