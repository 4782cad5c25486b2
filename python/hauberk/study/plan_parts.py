"""The names in a plan: configurations, fragments, programs and DRAM timings, which must exist."""

import functools
import os
import re
import subprocess

from hauberk.study import place
from hauberk.study.document import Reader, nearest
from hauberk.study.errors import StudyError
from hauberk.study.plan import DRAM

import simulation


class PartsReader(Reader):
    def __init__(self, path):
        super().__init__(path)
        self.parts = []  # (part of a configuration's name, its node)
        self.lists, self.dram = {}, {}

    def part(self, name, node):
        self.parts += [(part, node) for part in name.split("_") if part]
        return name

    def configuration(self, node):
        return self.part(self.text(node, "a configuration"), node) if node is not None else ""

    def timing(self, node, default):
        name = self.text(node, "dram", default)
        if node is not None and name not in self.dram:
            self.complain(node, f"there is no DRAM timing {name}{nearest(name, list(self.dram))}: it must be {' or '.join(self.dram)}")
        return name

    def timings(self, node):
        defaults = {name: default for name, (_, default) in DRAM.items()}
        if node is None:
            return {"default": defaults}
        found = {}
        for name, value in self.mapping(node, "dram").items():
            if not name.replace("-", "").isalnum():
                self.complain(value, f"{name} names a folder of results: use letters, digits and -")
            given = self.mapping(value, f"the DRAM timing {name}", DRAM)
            found[name] = {field: self.whole(given[field], field, DRAM[field][0]) if field in given else default for field, default in defaults.items()}
        return found or {"default": defaults}

    def programs(self, node):
        """Programs from a list, or from the name of a list: one of the plan, or `single` or `multicore` of the makefile of tests/."""
        if node.id == "scalar":
            own = {"single": "list", "multicore": "list-multicore"}
            if node.value in own and node.value not in self.lists:
                return simulation.known_programs(own[node.value])
            if self.lists and node.value not in self.lists:
                known = [*self.lists, *own]
                self.complain(node, f"there is no list of programs {node.value}{nearest(node.value, known)}: it must be {' or '.join(known)}")
            if self.lists:
                return self.lists.get(node.value, [])
        found = []
        for name, item in self.texts(node, "programs"):
            if not is_program(name):
                self.complain(item, no_program(name))
            elif name in found:
                self.complain(item, f"{name} stands here twice: leave one")
            found.append(name)
        return found

    def look_up(self):
        """Complains about configurations and fragments that do not exist."""
        wrong = misnamed(list(dict.fromkeys(part for part, _ in self.parts)))
        for part, node in self.parts:
            if part in wrong:
                self.complain(node, wrong[part])


def misnamed(parts):
    """{configuration or fragment that does not exist: sentence}. The generator checks the names."""
    if not parts:
        return {}
    answer = subprocess.run([os.path.join(place.SCRIPTS, "check-configs"), *parts], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
    if answer.returncode:
        raise StudyError("the Scala sources do not compile: see above")
    return dict(line.split("\t", 1) for line in answer.stdout.splitlines())


@functools.lru_cache(None)
def known_programs():
    """Names of all programs that a plan may run."""
    embedded = [f"{name}-{size}" for name in simulation.known_programs("list-embedded") for size in ("small", "large")]
    return [*simulation.known_programs(), *simulation.known_programs("list-multicore"), *embedded, "ibench", "linux"]


def is_program(name):
    return name in known_programs() or re.fullmatch(r"coherence-\d+", name)


def no_program(name):
    return f"there is no program {name}{nearest(name, known_programs())}: choose among {', '.join(known_programs())}"
