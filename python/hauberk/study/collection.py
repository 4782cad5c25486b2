"""Runs by configuration, program and DRAM timing, from folders of results or from the store."""

import os
import typing

from hauberk.study import run
from hauberk.study.plan import DRAM


class Wanted(typing.NamedTuple):
    """A run that a study needs. `seed` is that of the jitter, 0 for none."""
    dram: str
    config: str
    program: str
    hints: tuple | None = None
    sealed: bool = False
    seed: int = 0

    @property
    def flags(self):
        return run.flags_of(self.hints, self.sealed)

    @property
    def folder(self):
        """The folder of the run, below the results."""
        return folder_of(self.dram, self.config, self.program, self.flags, self.seed)

    def of(self, runs):
        """The run, or None if it is missing."""
        return runs.get(self.dram, self.config, self.program, self.flags, self.seed)


def folder_of(dram, config, program, flags, seed):
    return os.path.join("runs", dram, config, program + "-sealed" * ("sealed" in flags.split()) + (f"-jitter{seed}" if seed else ""))


class Folders:
    """Runs in a folder of results."""

    def __init__(self, out, plan):
        self.out, self.plan, self.read = out, plan, {}

    def get(self, dram, config, program, flags="", seed=0):
        """A run, or None if it is missing."""
        folder = os.path.join(self.out, folder_of(dram, config, program, flags, seed))
        if folder not in self.read:
            self.read[folder] = run.read(folder, config, program, flags, self.plan.dram[dram]["noise"])
        return self.read[folder]


class Recorded:
    """Runs of docs/figures/runs.csv."""
    out = None

    def __init__(self, plan, runs):
        self.plan, self.asked = plan, {}
        self.runs = {(found.config, found.program, found.flags, *self.short(found), found.jitter): found for found in runs}

    @staticmethod
    def short(found):
        return tuple(getattr(found, name) for name in DRAM)

    def get(self, dram, config, program, flags="", seed=0):
        found = self.runs.get((config, program, flags, *(self.plan.dram[dram][name] for name in DRAM), seed))
        if found:
            self.asked[found.key] = found
        return found

    @property
    def used(self):
        """The runs that `get` returned."""
        return list(self.asked.values())


def wanted(plan):
    """Each run that the studies need, once. Runs that are compared follow each other, so they run under the same load."""
    found = {}
    for study in plan.studies:
        for program in study.programs:
            for seed in range(study.runs):
                for point in study.points:
                    if point.baseline:
                        found[Wanted(point.dram, point.baseline, program, seed=seed)] = None
                    found[Wanted(point.dram, point.config, program, point.hints, point.sealed, seed)] = None
    return list(found)
