"""Runs by configuration, program and DRAM timing, from folders of results or from the store."""

import os

from hauberk.study import run
from hauberk.study.plan import DRAM


def folder_of(dram, config, program, flags=""):
    """The folder of a run, below the results."""
    return os.path.join("runs", dram, config, program + ("-sealed" if "sealed" in flags.split() else ""))


class Folders:
    """Runs in a folder of results."""

    def __init__(self, out, plan):
        self.out, self.plan, self.read = out, plan, {}

    def get(self, dram, config, program, flags=""):
        """A run, or None if it is missing."""
        folder = os.path.join(self.out, folder_of(dram, config, program, flags))
        if folder not in self.read:
            self.read[folder] = run.read(folder, config, program, flags, self.plan.dram[dram]["noise"])
        return self.read[folder]


class Recorded:
    """Runs of docs/figures/runs.csv."""
    out = None

    def __init__(self, plan, runs):
        self.plan, self.asked = plan, {}
        self.runs = {(found.config, found.program, found.flags, *self.short(found)): found for found in runs}

    @staticmethod
    def short(found):
        return tuple(getattr(found, name) for name in DRAM)

    def get(self, dram, config, program, flags=""):
        found = self.runs.get((config, program, flags, *(self.plan.dram[dram][name] for name in DRAM)))
        if found:
            self.asked[found.key] = found
        return found

    @property
    def used(self):
        """The runs that `get` returned."""
        return list(self.asked.values())


def wanted(plan):
    """(dram, config, program, hints, sealed) of each run that the studies need, once. Runs that are compared follow each other, so they run
    under the same load."""
    found = {}
    for study in plan.studies:
        for program in study.programs:
            for point in study.points:
                if point.baseline:
                    found[(point.dram, point.baseline, program, None, False)] = None
                found[(point.dram, point.config, program, point.hints, point.sealed)] = None
    return list(found)
