"""Plans of sweeps: fragments x programs x DRAM timings, in YAML (docs/sweeps.md). What is wrong is refused with its line."""

import dataclasses
import difflib
import itertools
import os
import subprocess

import yaml

import simulation
from simulation import TOP

# Of a DRAM timing: (smallest value, default)
DRAM = {"latency": (3, 80), "beat": (1, 5), "write_queue": (0, 0)}


class PlanError(Exception):
    """Everything that is wrong with a plan, a line each."""


@dataclasses.dataclass
class Plan:
    title: str
    baseline: str
    points: list  # configurations with their fragments, without the baseline
    programs: list
    dram: dict  # {name: {latency, beat, write_queue}}
    area: bool
    firesim: list  # files that `hauberk-report firesim` made

    @property
    def configs(self):
        return [self.baseline, *self.points]


class Reader:
    """Walks through the nodes of a document, each of which knows its line, and collects complaints."""

    def __init__(self, path):
        self.path, self.complaints = path, []
        # (part of a configuration's name, the node that has it)
        self.parts = []

    def complain(self, node, text):
        self.complaints.append((node.start_mark.line + 1, text))

    def mapping(self, node, what, known=None):
        """{key: node of its value}"""
        if not isinstance(node, yaml.MappingNode):
            self.complain(node, f"{what} must be a list of `name: value`")
            return {}
        found = {}
        for key, value in node.value:
            if known and key.value not in known:
                self.complain(key, f"{what} has no {key.value}{nearest(key.value, known)}: it may have {', '.join(known)}")
            elif key.value in found:
                self.complain(key, f"{key.value} stands here twice: leave one")
            else:
                found[key.value] = value
        return found

    def items(self, node, what):
        if isinstance(node, yaml.SequenceNode) and node.value:
            return node.value
        self.complain(node, f"{what} must be a list, such as [a, b]")
        return []

    def text(self, node, what):
        if isinstance(node, yaml.ScalarNode):
            return node.value
        self.complain(node, f"{what} must be one name")
        return ""

    def names(self, node, what):
        return [(self.text(item, what), item) for item in self.items(node, what)]

    def number(self, node, what, least):
        try:
            value = int(self.text(node, what))
        except ValueError:
            self.complain(node, f"{what} must be a whole number, at least {least}")
            return least
        if value < least:
            self.complain(node, f"{what} is {value}: it must be at least {least}")
        return value

    def configuration(self, name, node):
        self.parts += [(part, node) for part in name.split("_") if part]
        return name


def nearest(name, known):
    close = difflib.get_close_matches(name, known, 1)
    return f" (is it {close[0]}?)" if close else ""


FIELDS = {"title": False, "baseline": True, "configs": True, "fragments": False, "everywhere": False, "programs": True, "dram": False, "area": False,
          "firesim": False}


def read(path):
    """The plan in this file; PlanError says what is wrong with it."""
    try:
        with open(path) as file:
            root = yaml.compose(file, Loader=yaml.SafeLoader)
    except OSError as error:
        raise PlanError(f"cannot read the plan {path}: {error.strerror}") from None
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise PlanError(f"{path} is not YAML: {error}") from None
    if root is None:
        raise PlanError(f"{path} is empty: a plan has {', '.join(FIELDS)}")
    reader = Reader(path)
    fields = reader.mapping(root, "a plan", FIELDS)
    for name in (name for name, needed in FIELDS.items() if needed and name not in fields):
        reader.complain(root, f"{name} is missing")
    plan = assemble(reader, fields) if not reader.complaints else None
    for node, text in misnamed(reader):
        reader.complain(node, text)
    if reader.complaints:
        raise PlanError("\n".join(f"{path}:{line}: {text}" for line, text in sorted(reader.complaints)))
    return plan


def assemble(reader, fields):
    everywhere = [reader.configuration(name, node) for name, node in reader.names(fields["everywhere"], "everywhere")] if "everywhere" in fields else []
    configs = [reader.configuration(name, node) for name, node in reader.names(fields["configs"], "configs")]
    choices = [[reader.configuration(name, node) for name, node in reader.names(choice, "each item of fragments")]
               for choice in (reader.items(fields["fragments"], "fragments") if "fragments" in fields else [])]
    baseline = reader.configuration(reader.text(fields["baseline"], "baseline"), fields["baseline"])
    points = ["_".join(part for part in (*everywhere, *chosen, config) if part) for config in configs for chosen in itertools.product(*choices)]
    if len(set(points)) != len(points):
        reader.complain(fields["configs"], "two points of the sweep are the same configuration: remove one")
    return Plan(title=reader.text(fields["title"], "title") if "title" in fields else os.path.basename(reader.path),
                baseline="_".join([*everywhere, baseline]), points=points, programs=programs(reader, fields["programs"]),
                dram=timings(reader, fields.get("dram")), area=area(reader, fields.get("area")), firesim=firesim(reader, fields.get("firesim")))


def programs(reader, node):
    known = simulation.known_programs() + simulation.known_programs("list-multicore")
    found = []
    for name, item in reader.names(node, "programs"):
        if name not in known:
            reader.complain(item, f"there is no program {name}{nearest(name, known)}: choose among {', '.join(known)}")
        elif name in found:
            reader.complain(item, f"{name} stands here twice: leave one")
        found.append(name)
    return found


def timings(reader, node):
    if node is None:
        return {"default": {name: default for name, (_, default) in DRAM.items()}}
    found = {}
    for name, value in reader.mapping(node, "dram").items():
        if not name.replace("-", "").isalnum():
            reader.complain(value, f"{name} names a folder of results: use letters, digits and -")
        given = reader.mapping(value, f"the DRAM timing {name}", DRAM)
        found[name] = {field: reader.number(given[field], field, least) if field in given else default
                       for field, (least, default) in DRAM.items()}
    return found


def area(reader, node):
    if node is None:
        return False
    if node.value not in ("true", "false"):
        reader.complain(node, f"area is {node.value}: it must be true or false")
    return node.value == "true"


def firesim(reader, node):
    found = []
    for name, item in reader.names(node, "firesim") if node else []:
        path = os.path.join(os.path.dirname(os.path.abspath(reader.path)), name)
        if not os.path.isfile(path):
            reader.complain(item, f"there is no file {path}: name the summary.json that hauberk-report firesim made, seen from the plan's folder")
        found.append(path)
    return found


def misnamed(reader):
    """Complaints about configurations and fragments, by those who know them."""
    parts = list(dict.fromkeys(part for part, _ in reader.parts))
    if not parts:
        return []
    answer = subprocess.run([os.path.join(TOP, "scripts", "check-configs"), *parts], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
    if answer.returncode:
        raise PlanError("the Scala sources do not compile: see above")
    wrong = dict(line.split("\t", 1) for line in answer.stdout.splitlines())
    return [(node, wrong[part]) for part, node in reader.parts if part in wrong]
