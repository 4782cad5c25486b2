"""The output of iBench (tests/sealed/ibench.c), and the model of section IV of its paper."""

import dataclasses
import re

from hauberk.study.errors import StudyError

# The instruction cache of the cores
CACHE_KIB = 16
LINE = re.compile(r"(ibench|cold|loads|tasks|busy) (\d+) (\d+) (\d+) (\d+)")


@dataclasses.dataclass(frozen=True)
class Line:
    """Cycles of a number of steps, each a branch or a load. Each of the `tasks`, which take turns, has a footprint of `kib`."""
    what: str
    kib: int
    tasks: int
    cycles: int
    steps: int

    @property
    def per_step(self):
        return self.cycles / self.steps


class Profile:
    """The output of one run. `busy` are the turns of `tasks` with footprints that fit the cache."""

    def __init__(self, name, lines):
        self.name, self.lines = name, lines
        self.fetches, cold, self.loads, self.tasks, self.busy = ([line for line in lines if line.what == what]
                                                                 for what in ("ibench", "cold", "loads", "tasks", "busy"))
        if not (len(self.fetches) > 1 and len(self.loads) > 1 and self.tasks and len(self.busy) == len(self.tasks) and cold):
            raise StudyError(f"iBench did not run to its end as {name}: see the console of its run")
        # Cycles of a branch whose line is never in the cache
        self.miss = cold[0].per_step

    @property
    def fetch_latency(self):
        """Cycles of a miss beyond a branch in the smallest footprint, which stays in the cache."""
        return self.miss - self.fetches[0].per_step

    @property
    def load_latency(self):
        return self.loads[-1].per_step - self.loads[0].per_step


def profile(name, console):
    marks = map(LINE.fullmatch, re.split(r" \| |[\r\n]+", console or ""))
    return Profile(name, [Line(mark[1], *map(int, mark.groups()[1:])) for mark in marks if mark])


@dataclasses.dataclass(frozen=True)
class Slowdown:
    """The slowdown of sealed tasks against plaintext, measured and by the model."""
    mode: str
    tasks: int
    measured: float
    predicted: float

    @property
    def error(self):
        return abs(self.predicted / self.measured - 1)


class Model:
    """Five profiles: no unit; and, by mode, the program in plaintext and sealed. `modes` are {name: (plain, sealed)}."""

    def __init__(self, none, modes):
        self.none, self.modes = none, modes
        self.profiles = [none, *(profile for pair in modes.values() for profile in pair)]
        self.added_plain = {mode: plain.miss - none.miss for mode, (plain, _) in modes.items()}
        self.added_sealed = {mode: encrypted.miss - plain.miss for mode, (plain, encrypted) in modes.items()}
        # Equation 8: 1 + L_EMU / L_Mem times the part of the time that is stalled
        self.slowdowns = [
            Slowdown(mode, before.tasks, after.cycles / before.cycles,
                     1 + self.added_sealed[mode] / plain.fetch_latency * (before.cycles - busy.cycles) / before.cycles)
            for mode, (plain, encrypted) in modes.items() for before, busy, after in zip(plain.tasks, plain.busy, encrypted.tasks)]
        self.error = max(row.error for row in self.slowdowns)
        # Difference of fetches and loads that miss the cache
        self.fetches_against_loads = abs(none.fetch_latency / none.load_latency - 1)

    def worst(self, mode):
        """The worst slowdown of all footprints larger than the cache, and of all tasks. For smaller footprints, Rocket's random replacement
        evicts other lines in each run, so two runs do not compare."""
        plain, encrypted = ([line for line in profile.fetches if line.kib > CACHE_KIB] + profile.tasks for profile in self.modes[mode])
        return max(after.cycles / before.cycles for before, after in zip(plain, encrypted))
