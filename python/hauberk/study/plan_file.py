"""Reads plans from YAML. All mistakes are reported together, with their lines."""

import itertools
import os
import re

from hauberk.study import place
from hauberk.study.document import compose
from hauberk.study.errors import StudyError
from hauberk.study.plan import KINDS, Bound, Paper, Plan, Point, Study
from hauberk.study.plan_parts import PartsReader
from hauberk.study.report import MOST_RUNS

PLAN = ["title", "command", "dram", "programs", "studies", "bounds", "payload", "max_cycles"]
CROSS = ["configs", "fragments", "everywhere"]
STUDY = ["name", "title", "source", "note", "kind", "x_axis", "dram", "baseline", "programs", "points", *CROSS, "runs", "paper"]
# A plan of one sweep has its fields at the top
SWEEP = ["title", "baseline", *CROSS, "programs", "dram", "area", "firesim"]
POINT = ["series", "x", "config", "dram", "baseline", "hints", "sealed", "paper"]
BOUND = ["figure", "study", "series", "x", "of", "at_most"]
TABLES = ["registers", "ids", "millions"]


def read(path, names=True):
    """The plan in this file; StudyError has all mistakes. `names` also checks the names of configurations, which starts a JVM."""
    root = compose(path)
    if root is None:
        raise StudyError(f"{path} is empty: a plan has {', '.join(PLAN)}; or, of one sweep, {', '.join(SWEEP)}")
    reader = PlanReader(path)
    plan = reader.sweep(root) if reader.is_sweep(root) else reader.plan(root)
    if names:
        reader.look_up()
    reader.finish()
    return plan


class PlanReader(PartsReader):
    def __init__(self, path):
        super().__init__(path)
        self.base = os.path.splitext(os.path.basename(path))[0]

    @staticmethod
    def is_sweep(root):
        """A sweep has no list of studies."""
        return root.id != "mapping" or "studies" not in [key.value for key, _ in root.value]

    def sweep(self, root):
        fields = self.mapping(root, "a plan", SWEEP, needed=["baseline", "configs", "programs"])
        self.dram = self.timings(fields.get("dram"))
        if self.complaints and not {"baseline", "configs", "programs"} <= set(fields):
            return None
        study = self.crossed(fields, f"sweep-{self.base}", "sweep", list(self.dram), self.programs(fields["programs"]))
        return Plan(self.path, study.title, f"make sweep PLAN={os.path.relpath(os.path.abspath(self.path), place.TOP)}", self.dram, (study,))

    def plan(self, root):
        fields = self.mapping(root, "a plan", PLAN, needed=["title"])
        self.dram = self.timings(fields.get("dram"))
        given = self.mapping(fields["programs"], "programs") if "programs" in fields else {}
        self.lists = {name: self.programs(node) for name, node in given.items()}
        studies = [self.study(node) for node in self.items(fields["studies"], "studies")]
        studies = [study for study in studies if study]
        self.unique([study.name for study in studies], fields["studies"])
        return Plan(self.path, self.text(fields.get("title"), "title"),
                    self.text(fields.get("command"), "command", f"make study PLAN={os.path.relpath(os.path.abspath(self.path), place.TOP)}"),
                    self.dram, tuple(studies), tuple(self.bounds(fields.get("bounds"), studies)),
                    tuple(text for text, _ in self.texts(fields.get("payload"), "payload")),
                    self.whole(fields["max_cycles"], "max_cycles", 1) if "max_cycles" in fields else None)

    def unique(self, names, node):
        for name in sorted({name for name in names if names.count(name) > 1}):
            self.complain(node, f"two studies are called {name}: rename one")

    def study(self, node):
        fields = self.mapping(node, "a study", STUDY, needed=["name", "programs"])
        if not {"name", "programs"} <= set(fields):
            return None
        name = self.text(fields["name"], "name")
        if not re.fullmatch(r"[\w-]+", name):
            self.complain(fields["name"], f"{name} names files of results: use letters, digits and -")
        kind = self.choice(fields.get("kind"), "kind", KINDS, "slowdown")
        dram = self.timing(fields.get("dram"), next(iter(self.dram)))
        programs = self.programs(fields["programs"])
        if ("points" in fields) == ("configs" in fields):
            self.complain(node, f"the study {name} needs either points or configs")
            return None
        if "configs" in fields:
            return self.crossed(fields, name, kind, [dram], programs)
        baseline = self.configuration(fields.get("baseline"))
        points = [self.point(item, dram, baseline) for item in self.items(fields["points"], "points")]
        return self.made(fields, name, kind, baseline, programs, [point for point in points if point])

    def made(self, fields, name, kind, baseline, programs, points):
        def text(key, default=""):
            return self.text(fields.get(key), key, default)

        return Study(name, text("title", name), text("source"), text("note"), kind, text("x_axis"), baseline, tuple(programs), tuple(points),
                     self.paper_tables(fields.get("paper"), programs), self.repeats(fields.get("runs"), kind),
                     self.choice(fields.get("area"), "area", ["true", "false"], "false") == "true",
                     tuple(self.firesim(fields.get("firesim"))))

    def repeats(self, node, kind):
        if node is None:
            return 1
        count = self.whole(node, "runs", 1)
        if kind != "slowdown" or count > MOST_RUNS:
            self.complain(node, f"runs is of studies of kind slowdown, and at most {MOST_RUNS}")
        return count

    def point(self, node, dram, baseline):
        fields = self.mapping(node, "a point", POINT, needed=["series", "config"])
        if not {"series", "config"} <= set(fields):
            return None
        hints = tuple(text for text, _ in self.texts(fields["hints"], "hints")) if "hints" in fields else None
        return Point(self.text(fields["series"], "series"), self.text(fields.get("x"), "x"), self.configuration(fields["config"]),
                     self.configuration(fields["baseline"]) if "baseline" in fields else baseline, self.timing(fields.get("dram"), dram), hints,
                     self.choice(fields.get("sealed"), "sealed", ["true", "false"], "false") == "true", self.paper(fields.get("paper")))

    def crossed(self, fields, name, kind, drams, programs):
        """A study whose points are fragments x configurations x DRAM timings."""
        everywhere = [self.part(text, node) for text, node in self.texts(fields.get("everywhere"), "everywhere")]
        choices = [[self.part(text, node) for text, node in self.texts(choice, "each item of fragments")]
                   for choice in (self.items(fields["fragments"], "fragments") if "fragments" in fields else [])]
        configs = [self.part(text, node) for text, node in self.texts(fields["configs"], "configs")]
        baseline = "_".join([*everywhere, self.configuration(fields["baseline"])]) if "baseline" in fields else ""
        crossed = ["_".join(part for part in (*everywhere, *chosen, config) if part) for config in configs for chosen in itertools.product(*choices)]
        if len(set(crossed)) != len(crossed):
            self.complain(fields["configs"], "two points of the sweep are the same configuration: remove one")
        points = [Point(config, "", config, baseline, dram) for dram in drams for config in crossed]
        return self.made({"title": None, **fields}, name, kind, baseline, programs, points)

    def paper(self, node):
        if node is None:
            return None
        fields = self.mapping(node, "paper", ["mean", "worst", "note"])
        return Paper(*(self.fraction(fields.get(name), name) for name in ("mean", "worst")), self.text(fields.get("note"), "note"))

    def paper_tables(self, node, programs):
        if node is None:
            return {}
        found = {}
        for program, value in self.mapping(node, "paper", programs).items():
            cells = {name: [text for text, _ in self.texts(cell, name)] for name, cell in self.mapping(value, "paper", TABLES, needed=TABLES).items()}
            for name in (name for name, texts in cells.items() if len(texts) != 3):
                self.complain(value, f"{name} of {program} has {len(cells[name])} cells, not 3")
            found[program] = cells
        return found

    def firesim(self, node):
        for name, item in self.texts(node, "firesim"):
            path = os.path.join(os.path.dirname(os.path.abspath(self.path)), name)
            if not os.path.isfile(path):
                self.complain(item, f"there is no file {path}: name the summary.json that scripts/study firesim made, seen from the plan's folder")
            yield path

    def bounds(self, node, studies):
        for item in (self.items(node, "bounds") if node is not None else []):
            fields = self.mapping(item, "a bound", BOUND, needed=["figure", "study", "series", "at_most"])
            if not {"figure", "study", "series", "at_most"} <= set(fields):
                continue
            bound = Bound(*(self.text(fields.get(name), name) for name in ("figure", "study", "series", "x")),
                          self.choice(fields.get("of"), "of", ["slowdown", "bus traffic"], "slowdown"), self.fraction(fields["at_most"], "at_most"))
            if not any(study.name == bound.study and any(map(bound.matches, study.points)) for study in studies):
                self.complain(item, f"the bound is of {bound.series} in the study {bound.study}, which has no such point")
            yield bound
