"""The overviews of `scripts/attack` as tables: classes down, schemes across."""

import re


def text_of(head, lines):
    return "\n".join("| " + " | ".join(line) + " |" for line in [head, ["---"] * len(head), *lines]) + "\n"


def parse(text):
    """Cells by column, and within it by the row's first cell: {scheme: {class: cell}}."""
    lines = [[cell.strip() for cell in line.strip().strip("|").split("|")] for line in text.strip().splitlines()]
    if not lines:
        return {}
    head, _, *body = lines
    return {name: {line[0]: line[i] for line in body} for i, name in enumerate(head) if i > 0}


def merged(old, new):
    """Columns of `old`, in their order, those that `new` has anew; further ones of `new` behind them."""
    return {**old, **new}


def rendered(columns):
    """The table of these columns; a class that a scheme has no attack of is a dash."""
    classes = sorted({name for column in columns.values() for name in column}, key=lambda name: int(name[1:]))
    return text_of(["class", *columns], [[name, *(column.get(name, "-") for column in columns.values())] for name in classes])


def behind(revision, kept, new=None):
    """The text after the revision `new`: the revisions of the kept columns that are of another. `revision` is the old revision with the text after it."""
    own, _, more = revision.partition(", ")
    revisions = {scheme: at for names, at in re.findall(r"([\w, ]+?) at (\w+)(?:, |$)", more) for scheme in names.split(", ")}
    groups = {}
    for scheme in kept:
        groups.setdefault(revisions.get(scheme, own), []).append(scheme)
    return "".join(f", {', '.join(names)} at {at}" for at, names in groups.items() if at != new)
