"""Runs at a point of a study, beside the same programs on the same SoC unprotected."""

import dataclasses
import functools

from hauberk.study.plan import Point
from hauberk.study.report import distinct, geometric_mean, increase, interval, ratio
from hauberk.study.run import Run, flags_of


@dataclasses.dataclass(frozen=True)
class Pair:
    """One program at one point, with the same DRAM. `repeats` are (own, reference) with other seeds of jitter."""
    program: str
    own: Run
    reference: Run
    repeats: tuple = ()

    @property
    def slowdowns(self):
        """Cycles added to the kernel, as fractions of those of the reference, of each seed."""
        return [increase(own.cycles, reference.cycles) for own, reference in ((self.own, self.reference), *self.repeats)]

    @property
    def slowdown(self):
        """The mean over the seeds."""
        found = [value for value in self.slowdowns if value is not None]
        return sum(found) / len(found) if found else None

    @property
    def bus_traffic(self):
        """Bus cycles beyond those of the reference, as a fraction of them; None without a shared bus in both."""
        return increase(self.own.bus_used, self.reference.bus_used)

    @property
    def data(self):
        return self.own.data_reads + self.own.data_writes

    @property
    def metadata(self):
        return self.own.metadata_reads + self.own.metadata_writes


@dataclasses.dataclass
class Measured:
    """The runs of a point, in the order of the study's programs."""
    point: Point
    pairs: list
    problems: list

    @functools.cached_property
    def means(self):
        """The mean slowdown of each seed: the geometric mean of the ratios of cycles, minus 1."""
        found = map(geometric_mean, zip(*(pair.slowdowns for pair in self.pairs)))
        return [mean for mean in found if mean is not None]

    @property
    def mean(self):
        return sum(self.means) / len(self.means) if self.means else None

    @property
    def interval(self):
        return interval(self.means)

    @property
    def bus_traffic(self):
        return geometric_mean(pair.bus_traffic for pair in self.pairs)

    @property
    def worst(self):
        """The program that is slowed down most."""
        return max((pair for pair in self.pairs if pair.slowdown is not None), key=lambda pair: pair.slowdown, default=None)

    @property
    def start_up(self):
        """Cycles from reset until the metadata have their first state; the same for every program."""
        return next((pair.own.initialisation_cycles for pair in self.pairs if pair.own.initialisation_cycles is not None), None)

    @property
    def hit_rate(self):
        return ratio(sum(pair.own.hits for pair in self.pairs), sum(pair.own.lookups for pair in self.pairs))

    @property
    def metadata_traffic(self):
        """Blocks of metadata for every block of data that crossed the pins of DRAM."""
        return ratio(sum(pair.metadata for pair in self.pairs), sum(pair.data for pair in self.pairs))

    def of(self, program):
        return next((pair for pair in self.pairs if pair.program == program), None)

    def slowdown(self, program):
        pair = self.of(program)
        return pair and pair.slowdown


def measured(study, runs):
    """Every point of a study, with its runs."""
    return [at_point(study, point, runs) for point in study.points]


def at_point(study, point, runs):
    pairs, problems = [], []
    for program in study.programs:
        found = []
        for seed in range(study.runs):
            own = runs.get(point.dram, point.config, program, flags_of(point.hints, point.sealed), seed)
            reference = runs.get(point.dram, point.baseline, program, seed=seed)
            problems += [f"{program} on {config} did not run with the DRAM {point.dram}"
                         for config, run in ((point.config, own), (point.baseline, reference)) if run is None]
            if own and reference:
                found.append((own, reference))
                problems += own.problems + reference.problems
                if own.timing != reference.timing:
                    problems.append(f"{program} on {point.config} had another DRAM timing than on {point.baseline}")
        if found:
            pairs.append(Pair(program, *found[0], tuple(found[1:])))
    return Measured(point, pairs, problems)


def problems_of(points):
    return distinct(problem for point in points for problem in point.problems)
