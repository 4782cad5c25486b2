"""Figures 9 and 10, and tables 2, 3 and 4, of Nagarajan et al., from the reports of hauberk-steer, beside the paper's."""

import dataclasses
import os

from hauberk.study import plots
from hauberk.study.errors import StudyError
from hauberk.study.markdown import table
from hauberk.study.report import Report, count, distinct
from hauberk.study.run import load

SHARES = ["100", "99", "98"]


@dataclasses.dataclass(frozen=True)
class Steered:
    """A report of hauberk-steer on a program. `registers` and `ids` are the numbers needed for 100, 99 and 98 % of the loads: with sharing across
    functions, within functions (registers only), and without sharing."""
    total: int
    right: int
    wrong: int
    not_applied: int
    right_without_hint: int
    growth: float
    registers: list
    ids: list
    counters: list

    def percent_of(self, reads):
        return 100 * reads / max(1, self.total)


def report(plan, study, runs):
    names = distinct(point.series for point in study.points)
    found = {(point.series, program): read(os.path.join(runs.out, "steered", point.config, f"{program}.json"))
             for point in study.points for program in study.programs}
    problems = [f"there is no report of {short(program)} with {name}" for (name, program), steered in found.items() if steered is None]
    text = Text(study, names, found)
    figures = {"nagarajan-figure-9": text.loads(), "nagarajan-figure-10": text.code(), "nagarajan-tables": text.tables()}
    drawn = {"nagarajan-figure-9": text.plot("Loads whose pad is right", "loads (%)", lambda of: of.percent_of(of.right + of.right_without_hint)),
             "nagarajan-figure-10": text.plot("Growth of the code", "growth (%)", lambda of: of.growth)}
    files = {**{f"{name}.md": content + "\n" for name, content in figures.items()}, **{f"{name}.svg": content for name, content in drawn.items()}}
    return Report(f"## {study.title}\n\n" + "\n\n".join(figures.values()), text.code(), files, figures, drawn, problems)


def short(program):
    return program.rsplit("-", 1)[0]


def read(path):
    if not os.path.exists(path):
        return None
    record = load(path, "report of hauberk-steer")
    try:
        loads, counters, needs = record["loads"], record["counters"], [record["needs"][share] for share in SHARES]
        return Steered(*(int(loads[name]) for name in ("total", "right", "wrong", "notApplied", "rightWithoutHint")), float(record["code"]["growth"]),
                       [":".join(str(need[f"registers_{how}"]) for how in ("across", "within", "none")) for need in needs],
                       [":".join(str(need[f"ids_{how}"]) for how in ("across", "none")) for need in needs],
                       [int(counters[name]) for name in ("writes", "global", "largestRegister")])
    except (KeyError, TypeError, ValueError) as error:
        raise StudyError(f"the report of hauberk-steer at {path} is damaged: {error} is missing or no number") from None


class Text:
    COLUMNS = {"right": "right", "wrong": "wrong", "no hint": "not_applied", "of these right": "right_without_hint"}

    def __init__(self, study, names, found):
        self.study, self.names, self.found = study, names, found

    def cells(self, program, text):
        """A cell for each series."""
        return [text(of) if (of := self.found[name, program]) else "?" for name in self.names]

    def loads(self):
        """Figure 9: outcomes of the loads of the profile."""
        return "\n\n".join(f"{name}:\n\n{self.loads_with(name)}" for name in self.names)

    def loads_with(self, name):
        def share(of, field):
            return of.percent_of(getattr(of, field))

        reports = {program: self.found[name, program] for program in self.study.programs}
        known = [of for of in reports.values() if of]
        rows = [[short(program), *(f"{share(of, field):.1f} %" if of else "?" for field in self.COLUMNS.values())] for program, of in reports.items()]
        means = [f"{sum(share(of, field) for of in known) / len(known):.1f} %" if known else "?" for field in self.COLUMNS.values()]
        return table(["program", *self.COLUMNS], [*rows, ["mean", *means]])

    def code(self):
        """Figure 10: growth of the code."""
        return table(["program", *self.names], [[short(program), *self.cells(program, lambda of: f"+{of.growth:.1f} %")] for program in self.study.programs])

    def tables(self):
        """Tables 2, 3 and 4, of the first series."""
        head = [f"{share} %" for share in SHARES]

        def beside(title, head, own, papers):
            rows = [[short(program), *(own(of) if (of := self.found[self.names[0], program]) else ["?"] * 3),
                     *self.study.tables.get(program, {}).get(papers, [""] * 3)] for program in self.study.programs]
            return f"{title}\n\n{table(['program', *head, *(f'paper, {name}' for name in head)], rows)}"

        return "\n\n".join([
            beside("Table 2, registers (shared across functions : within functions : not shared):", head, lambda of: of.registers, "registers"),
            beside("Table 3, ids (shared : not shared):", head, lambda of: of.ids, "ids"),
            beside("Table 4, largest counters; the paper's in millions:", ["global only", "global", "register"], lambda of: list(map(count, of.counters)),
                   "millions")])

    def plot(self, title, axis, height):
        """Returns the function that draws it."""
        series = [(name, [of and height(of) for of in (self.found[name, program] for program in self.study.programs)]) for name in self.names]
        return lambda: plots.bars(title, "program", axis, list(map(short, self.study.programs)), series)
