"""Figures of the pages, from rows of runs.csv or from their own records."""

import dataclasses
import functools
import os

from hauberk.study import current, digests, markdown, place, records, rows
from hauberk.study.errors import StudyError


@dataclasses.dataclass(frozen=True)
class Figure:
    """`content` is Markdown. `plot` is a function that returns the SVG, or None."""
    name: str
    content: str
    command: str
    revision: str
    is_current: bool
    plot: object = None

    @property
    def blocks(self):
        """Paragraphs, and tables as {columns, rows}."""
        return markdown.parse(self.content)

    @property
    def source(self):
        """Revision and command, to follow "Measured"."""
        return f"{'at ' + self.revision if self.is_current else f'on earlier hardware ({self.revision})'} by `{self.command}`"


def of(name):
    """The figure of this name; StudyError if it is not recorded."""
    found = from_rows().get(name)
    if found:
        return found
    if name not in records.names():
        raise StudyError(f"nobody recorded the figure {name} in docs/figures")
    record = records.load(name)
    return Figure(name, "\n\n".join(map(markdown.shown, record["content"])), record["command"], record["revision"],
                  record["hardware"] in (None, records.hardware(name)))


def names():
    return sorted({*records.names(), *from_rows()})


@functools.lru_cache(None)
def from_rows():
    """{name: figure} of the studies whose runs are all recorded."""
    found = rows.load()
    if not found:
        return {}
    # Imported here, because matplotlib takes a second
    from hauberk.study import collection, plan_file, reporting
    figures, verilog = {}, current.load()
    for path in place.plans():
        plan = plan_file.read(path, names=False)
        for study in plan.studies:
            if study.kind == "steering":
                continue
            runs = collection.Recorded(plan, found)
            if all(one.of(runs) for one in collection.wanted(plan.chosen([study]))):
                figures.update(shown(plan, reporting.report_of(plan, study, runs), runs.used, verilog))
    return figures


def shown(plan, report, used, verilog):
    revision = ", ".join(dict.fromkeys(run.revision for run in used))
    good = all(current.of_tree(run, verilog) for run in used)
    return {name: Figure(name, content, plan.command, revision, good, report.plots.get(name)) for name, content in report.figures.items()}


def plot_path(name):
    """The path of a plot that a page shows."""
    return os.path.join(place.FIGURES, name + ".svg")
