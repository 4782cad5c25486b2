"""The Verilog of an elaborated SoC, cut into parts that are synthesized one by one."""

import hashlib
import re

MODULE = re.compile(r"^(?:\(\* \w+ \*\)\n)?module (\w+)\b.*?^endmodule[^\n]*\n", re.M | re.S)
# A module's name where it is declared or made an instance of
NAME = re.compile(r"^(module |\s+)(\w+)(\(| \(| #\(| \w+ \()", re.M)
INSTANCE = re.compile(r"^\s+(\w+) (?:#\(|\w+ \()", re.M)
HEADER = re.compile(r"^(?:\(\* \w+ \*\)\n)?module \w+\b.*?\);", re.S)
COMMENT = re.compile(r"\s*//[^\n]*")


def base(name):
    """A module's name without the number that tells it from its namesakes."""
    return re.sub(r"(_\d+)+$", "", name)


class Verilog:
    """
    cuts: modules, by name without number, that are parts of their own
    """

    def __init__(self, texts, cuts=()):
        self.modules = {found[1]: found[0] for text in texts for found in MODULE.finditer(text)}
        self.cuts = cuts
        self._parts = {}

    def instances(self, name):
        return [found for found in INSTANCE.findall(self.modules[name]) if found in self.modules]

    def parts(self, top):
        """{name: part} of `top` and of every part in it, itself last."""
        part = self.part(top)
        inner = {}
        for each in part.inner:
            inner.update(self.parts(each))
        return {**inner, part.name: part}

    def part(self, top):
        if top not in self._parts:
            own, inner, waiting = [], [], [top]
            while waiting:
                name = waiting.pop()
                if name in own + inner:
                    continue
                if name != top and base(name) in self.cuts:
                    inner.append(name)
                else:
                    own.append(name)
                    waiting.extend(reversed(self.instances(name)))
            self._parts[top] = Part(top, {name: self.modules[name] for name in own}, {name: self.part(name).name for name in inner},
                                    [self.stub(name) for name in inner])
        return self._parts[top]

    def stub(self, name):
        return f"(* blackbox *)\n{HEADER.match(self.modules[name])[0]}\nendmodule\n"


class Part:
    """Modules under names that do not depend on what else there is, so that equal hardware is equal text.

    top: its module, under this name in its own text
    name: what it is called by the parts around it
    inner: modules of the SoC that are parts of their own, black boxes here
    """

    def __init__(self, top, modules, inner, stubs):
        names, used = {top: base(top), **inner}, {}
        for name in modules:
            if name != top:
                number = used[base(name)] = used.get(base(name), 0) + 1
                names[name] = f"{base(name)}__{number}"
        self.top, self.inner = base(top), list(inner)
        self.text = "\n".join(NAME.sub(lambda found: found[1] + names.get(found[2], found[2]) + found[3], text)
                              for text in [*modules.values(), *stubs])
        self._lines = self.text.split("\n")
        # Comments are left out: they say where the Scala sources stand.
        hardware = "\n".join(line.rstrip() for line in COMMENT.sub("", self.text).split("\n"))
        self.digest = hashlib.sha256(hardware.encode()).hexdigest()
        self.name = f"{self.top}_{self.digest[:12]}"

    def locator(self, line):
        """The line of Scala that a line of the Verilog is from, if it says so."""
        found = re.search(r"// *([\w-]+\.scala:\d+)", self._lines[line - 1]) if 0 < line <= len(self._lines) else None
        return found and found[1]
