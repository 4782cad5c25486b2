"""Runs by what a study asks for: a configuration, a program and a DRAM timing. They lie in folders, or are recorded."""

import os

from hauberk.study import run
from hauberk.study.plan import DRAM


def folder_of(dram, config, program, flags=""):
    """Below the results."""
    return os.path.join("runs", dram, config, program + ("-sealed" if "sealed" in flags.split() else ""))


class Folders:
    """Runs that a study has just left below a folder of results."""

    def __init__(self, out, plan):
        self.out, self.plan, self.read = out, plan, {}

    def get(self, dram, config, program, flags=""):
        """None for a run that is not there."""
        folder = os.path.join(self.out, folder_of(dram, config, program, flags))
        if folder not in self.read:
            self.read[folder] = run.read(folder, config, program, flags, self.plan.dram[dram]["noise"])
        return self.read[folder]


class Recorded:
    """Runs of docs/figures/runs.csv."""

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
        """What was asked for and is there."""
        return list(self.asked.values())


def wanted(plan):
    """(dram, config, program, hints, sealed) of each run that the studies need, once, configuration by configuration within a program, so that
    what is compared runs under the same load."""
    found = {}
    for study in plan.studies:
        for program in study.programs:
            for point in study.points:
                if point.baseline:
                    found[(point.dram, point.baseline, program, None, False)] = None
                found[(point.dram, point.config, program, point.hints, point.sealed)] = None
    return list(found)
