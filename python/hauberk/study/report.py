"""The report on a study: files for its folder of results, tables for the pages, and faults."""

import dataclasses
import math
import statistics


@dataclasses.dataclass
class Report:
    text: str  # for summary.md, under the plan's title
    printed: str  # what the command prints
    files: dict  # {path below the results: text, or a function that returns it}
    figures: dict  # {name of a figure on a page: Markdown}
    plots: dict = dataclasses.field(default_factory=dict)  # {name of a figure: function that returns its SVG}
    problems: list = dataclasses.field(default_factory=list)
    points: list = dataclasses.field(default_factory=list)  # what bounds are checked on


def ratio(part, whole):
    return part / whole if whole else None


def increase(mine, others):
    """The increase as a fraction of the others."""
    return mine / others - 1 if mine is not None and others else None


def geometric_mean(increases):
    """The geometric mean of ratios, minus 1."""
    found = [value for value in increases if value is not None]
    return math.exp(math.fsum(math.log1p(value) for value in found) / len(found)) - 1 if found else None


MIXED = "the runs were made with different DRAM timings, so their cycles do not compare"

# Student's t for an interval of 95 %, by the number of runs
STUDENT = {2: 12.71, 3: 4.30, 4: 3.18, 5: 2.78, 6: 2.57, 7: 2.45, 8: 2.36, 9: 2.31, 10: 2.26}
MOST_RUNS = max(STUDENT)


def interval(values):
    """Half of the 95 % confidence interval of the mean; None of a single value."""
    return STUDENT[len(values)] * statistics.stdev(values) / math.sqrt(len(values)) if len(values) > 1 else None


def percent(value, digits=2, missing="?", sign="+"):
    return missing if value is None else f"{100 * value:{sign}.{digits}f} %"


def scaled(fractions):
    """Fractions in percent, for the bars of a plot."""
    return [None if value is None else 100 * value for value in fractions]


def count(value, missing="?"):
    return missing if value is None else f"{value:,}"


def short_name(config):
    """`XomRocketConfig` is Xom to a reader; Chipyard's `RocketConfig` stays Rocket."""
    name = config.removesuffix("Config")
    return name if name == "Rocket" else name.removesuffix("Rocket")


def distinct(items):
    return list(dict.fromkeys(items))
