"""Plans of studies: configurations to compare, with their programs and DRAM timings (docs/sweeps.md)."""

import dataclasses

# Fields of a DRAM timing: (smallest value, default). `noise` is the seed of DRAM's initial contents; None is the default of the simulator
DRAM = {"latency": (3, 80), "beat": (1, 5), "write_queue": (0, 0), "bus": (1, 8), "noise": (0, None)}
KINDS = ["slowdown", "demo", "sweep", "linux", "fetch", "steering"]


@dataclasses.dataclass(frozen=True)
class Paper:
    """The values of a paper at a point, as fractions; None if the paper does not give them."""
    mean: float | None
    worst: float | None
    note: str


@dataclasses.dataclass(frozen=True)
class Point:
    """A configuration and its baseline. `hints` are the flags of hauberk-steer, for programs whose counters are steered."""
    series: str
    x: str
    config: str
    baseline: str
    dram: str
    hints: tuple | None = None
    sealed: bool = False
    paper: Paper | None = None

    @property
    def label(self):
        return f"{self.series}, {self.x}" if self.x else self.series


@dataclasses.dataclass(frozen=True)
class Study:
    name: str
    title: str
    source: str
    note: str
    kind: str
    x_axis: str
    baseline: str
    programs: tuple
    points: tuple
    tables: dict  # {program: {registers, ids, millions}} of the paper on steered counters
    runs: int = 1  # of each program at each point, with other seeds of jitter
    area: bool = False
    firesim: tuple = ()  # files that `scripts/study firesim` made

    @property
    def configs(self):
        return list(dict.fromkeys(name for point in self.points for name in (point.baseline, point.config) if name))


@dataclasses.dataclass(frozen=True)
class Bound:
    """A limit for the mean slowdown of a point, or for its bus traffic. `x` is empty for the first point of the series."""
    figure: str
    study: str
    series: str
    x: str
    of: str
    at_most: float

    def matches(self, point):
        return point.series == self.series and (not self.x or point.x == self.x)


@dataclasses.dataclass(frozen=True)
class Plan:
    path: str
    title: str
    command: str
    dram: dict  # {name: {latency, beat, write_queue, bus, noise}}
    studies: tuple
    bounds: tuple = ()
    payload: tuple = ()  # words for make -C tests/linux
    max_cycles: int | None = None

    def chosen(self, studies):
        """The same plan with these studies only."""
        names = [study.name for study in studies]
        return dataclasses.replace(self, studies=tuple(studies), bounds=tuple(bound for bound in self.bounds if bound.study in names))
