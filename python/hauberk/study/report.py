"""The report on a study: files for its folder of results, tables for the pages, and faults."""

import dataclasses
import math


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


def percent(value, digits=2, missing="?", sign="+"):
    return missing if value is None else f"{100 * value:{sign}.{digits}f} %"


def count(value, missing="?"):
    return missing if value is None else f"{value:,}"


def short_name(config):
    """`XomRocketConfig` is Xom to a reader; Chipyard's `RocketConfig` stays Rocket."""
    name = config.removesuffix("Config")
    return name if name == "Rocket" else name.removesuffix("Rocket")


def distinct(items):
    return list(dict.fromkeys(items))
