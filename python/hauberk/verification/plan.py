"""The verification plan: tests/plan/BLOCK.yml has the features and countermeasures of a block, and where they are."""

import dataclasses
import fnmatch

import yaml

KINDS = {"features": "feature", "countermeasures": "countermeasure"}


class PlanError(Exception):
    pass


@dataclasses.dataclass(frozen=True)
class Item:
    """`sources` are the files that have it. `attacks` are {table of docs/figures: classes of the campaign}."""
    block: str
    kind: str
    name: str
    says: str
    sources: tuple
    attacks: tuple

    @property
    def id(self):
        return f"{self.block}.{self.name}"


@dataclasses.dataclass(frozen=True)
class Block:
    """`sources` are the files of the block."""
    name: str
    title: str
    sources: tuple
    items: tuple

    def of(self, kind):
        return [item for item in self.items if item.kind == kind]


def block_of(name, text, files):
    """The block of a plan's text; `files` are the names of the tree."""
    content = yaml.safe_load(text)
    if not isinstance(content, dict) or set(content) != {"title", "sources", *KINDS}:
        raise PlanError(f"tests/plan/{name}.yml has title, sources, features and countermeasures, and nothing else")
    folder = content["sources"]
    items = [item_of(name, kind, each, folder, files) for kind in KINDS for each in content[kind]]
    names = [item.name for item in items]
    twice = [item for item in names if names.count(item) > 1]
    if twice:
        raise PlanError(f"tests/plan/{name}.yml names {twice[0]} twice")
    return Block(name, content["title"], matching(name, folder, ["**"], files), tuple(items))


def item_of(block, kind, content, folder, files):
    unknown = set(content) - {"id", "says", "in", "attacks"}
    if unknown or not {"id", "says", "in"} <= set(content):
        raise PlanError(f"tests/plan/{block}.yml: {content.get('id', content)} has id, says, in and perhaps attacks, and nothing else")
    attacks = tuple((table, tuple(classes)) for table, classes in content.get("attacks", {}).items())
    return Item(block, KINDS[kind], content["id"], content["says"], matching(block, folder, content["in"], files), attacks)


def matching(block, folder, patterns, files):
    """Files below the folder, by patterns."""
    found = []
    for pattern in patterns:
        of = [path for path in files if fnmatch.fnmatch(path, folder + pattern.replace("**", "*"))]
        if not of:
            raise PlanError(f"tests/plan/{block}.yml: no file is {folder}{pattern}")
        found += of
    return tuple(sorted(set(found)))


def faults(blocks, annotations):
    """One sentence for each item without a test, and for each annotation without an item."""
    items = {item.id for block in blocks for item in block.items}
    covered = {annotation.item for annotation in annotations}
    return [f"no test covers {item}: write `covers: {item}` above one" for item in sorted(items - covered)] + \
        [f"{annotation.place} covers {annotation.item}, which is in no plan of tests/plan" for annotation in annotations if annotation.item not in items]
