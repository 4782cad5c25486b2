"""The store of recorded runs, docs/figures/runs.csv. A line has the raw numbers of a run, the digests of its inputs, and a digest of the line."""

import csv
import dataclasses
import hashlib
import io
import os
import types
import typing

from hauberk.study import place
from hauberk.study.errors import StudyError, read_text, write_text
from hauberk.study.run import Run

FIELDS = {field.name: field.type for field in dataclasses.fields(Run)}
HEAD = [*FIELDS, "check"]
AGAIN = "take the file back from git, or measure the study again with --docs"


def path_of(folder=None):
    return os.path.join(folder or place.FIGURES, "runs.csv")


def seal(cells):
    return hashlib.sha256("\0".join(cells).encode()).hexdigest()[:12]


def cells_of(run):
    return ["" if (value := getattr(run, name)) is None else str(value) for name in FIELDS]


def parsed(name, text):
    """A cell as a value of its field's type."""
    kind = FIELDS[name]
    optional = isinstance(kind, types.UnionType)
    if optional and text == "":
        return None
    return (typing.get_args(kind)[0] if optional else kind)(text)


def load(path=None):
    """All runs; StudyError names a line that was edited or is damaged."""
    path = path or path_of()
    if not os.path.exists(path):
        return []
    lines = list(csv.reader(io.StringIO(read_text(path, "store of runs"))))
    if not lines or lines[0] != HEAD:
        raise StudyError(f"{path}:1: the first line does not name the columns of a run: {AGAIN}")
    runs = []
    for number, cells in enumerate(lines[1:], 2):
        if len(cells) != len(HEAD) or seal(cells[:-1]) != cells[-1]:
            raise StudyError(f"{path}:{number}: this line was edited by hand or is damaged, for its digest does not fit: {AGAIN}")
        try:
            runs.append(Run(**{name: parsed(name, text) for name, text in zip(FIELDS, cells)}))
        except ValueError as error:
            raise StudyError(f"{path}:{number}: {error}: {AGAIN}") from None
    return runs


def save(runs, path=None):
    """Writes all runs, sorted, whole or not at all."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(HEAD)
    for cells in sorted(map(cells_of, runs)):
        writer.writerow([*cells, seal(cells)])
    write_text(path or path_of(), text.getvalue())


def merge(new, path=None):
    """Adds runs. A run replaces the one with the same configuration, program, flags and DRAM timing."""
    kept = {run.key: run for run in load(path)}
    save({**kept, **{run.key: run for run in new}}.values(), path)
