"""Annotations in tests: a comment `covers: BLOCK.ITEM, ...` above a test says which items of the plan the test covers.

Above a class it is for all tests of the suite. Above anything else it is for the test that has the next string in its name: the test of that name, or the
scenario of a test of several. Above a test of Python it is for that function.
"""

import dataclasses
import re

COVERS = re.compile(r"^\s*(?://|#) covers: ([\w.-]+(?:, [\w.-]+)*)\s*$")
NEARLY = re.compile(r"^\s*(?://|#|\*) *covers:")
PACKAGE = re.compile(r"^package ([\w.]+)$", re.M)
CLASS = re.compile(r"^\s*(?:abstract |final )?class (\w+)(?:.*?\bextends (\w+))?")
FUNCTION = re.compile(r"^\s*def (test_\w+)\(")
# An interpolation may contain strings
TEXT = re.compile(r'"((?:\$\{[^{}]*\}|[^"\\]|\\.)*)"')
# `$name`, `${...}` and formats of interpolated strings
VARIABLE = re.compile(r"\\\$(?:\\\{.*?\\\}|\w+)")


@dataclasses.dataclass(frozen=True)
class Annotation:
    """`suite` is its name with its package, or with its module in Python. `name` is a pattern that is found in the names of the tests; it is empty for all
    tests of the suite."""
    item: str
    suite: str
    name: str
    place: str

    @property
    def shown(self):
        name = re.sub(r"\\(.)", r"\1", self.name.replace(".*", "*").removesuffix(r"\b"))
        suite = self.suite.rpartition(".")[2]
        return f"{suite}: {name}" if name else suite


class Malformed(Exception):
    pass


def of_sources(sources):
    """Annotations of {path: text}, and the suites that extend others: {suite: names of those that run its tests}."""
    found, children = [], {}
    for path, text in sources.items():
        package = PACKAGE.search(text)
        package = (package[1] if package else path.rpartition("/")[2].partition(".")[0]) + "."
        lines, suite = text.split("\n"), None
        for number, line in enumerate(lines):
            declared = CLASS.match(line)
            if declared:
                suite = package + declared[1]
                children.setdefault(f"{package}{declared[2]}", []).append(suite)
            covers = COVERS.match(line)
            if covers:
                place = f"{path}:{number + 1}"
                of, name = target_of(lines[number + 1:], place)
                found += [Annotation(item, package + of if of else suite, name, place) for item in covers[1].split(", ")]
            elif NEARLY.match(line):
                raise Malformed(f"{path}:{number + 1}: write `// covers: BLOCK.ITEM, BLOCK.ITEM`")
    return found, children


def target_of(lines, place):
    """(suite or None, pattern of the name) of what comes behind an annotation."""
    code = [line for line in lines if line.strip() and not line.lstrip().startswith(("//", "/**", "*", "@"))]
    declared, function = CLASS.match(code[0]) if code else None, FUNCTION.match(code[0]) if code else None
    if declared:
        return declared[1], ""
    if function:
        return None, function[1] + r"\b"
    for line in code[:8]:
        text = TEXT.search(line)
        if text:
            return None, VARIABLE.sub(".*", re.escape(text[1]))
    raise Malformed(f"{place}: no test follows this annotation")


def suites_of(suite, children):
    """Itself and all that extend it."""
    return {suite}.union(*(suites_of(child, children) for child in children.get(suite, ())))
