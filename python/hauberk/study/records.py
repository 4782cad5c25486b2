"""Figures that are not made of rows of runs.csv: docs/figures/NAME.csv has their tables, with command, revision and digest of the hardware.

A file starts with `# key: value` lines. Tables and paragraphs follow, each after a blank line. A table has one row a line. The lines of a paragraph
start with `# text: `. As in Markdown, a colon ends the name of a right-aligned column. `check` is the digest of the lines below it.
"""

import csv
import glob
import hashlib
import io
import os

from hauberk.study import digests, markdown, place
from hauberk.study.errors import StudyError, read_text, write_text

HEAD = ["command", "revision", "hardware"]
NO_TABLES = ("runs", "verilog")


def path_of(name):
    return os.path.join(place.FIGURES, name + ".csv")


def names():
    found = (os.path.splitext(os.path.basename(path))[0] for path in glob.glob(path_of("*")))
    return sorted(name for name in found if name not in NO_TABLES)


def seal(body):
    return hashlib.sha256(body.encode()).hexdigest()[:12]


def save(name, record):
    """`record` is {command, revision, hardware, content}. `hardware` is None if the figure does not depend on it."""
    text = io.StringIO()
    for key in HEAD:
        text.write(f"# {key}: {record[key] or 'none'}\n")
    writer = csv.writer(text, lineterminator="\n")
    for block in record["content"]:
        text.write("\n")
        if isinstance(block, str):
            text.writelines(f"# text: {line}\n" for line in block.split("\n"))
        else:
            writer.writerow(name + ":" * (side == "right") for name, side in block["columns"])
            writer.writerows(block["rows"])
    write_text(path_of(name), f"# check: {seal(text.getvalue())}\n{text.getvalue()}")


def load(name):
    path = path_of(name)
    check, _, body = read_text(path, "figure").partition("\n")
    if check != f"# check: {seal(body)}":
        raise StudyError(f"{path}: this file was edited by hand or is damaged, for its digest does not fit: take it back from git, or measure it again")
    head, *blocks = body.rstrip("\n").split("\n\n")
    found = dict(line.removeprefix("# ").split(": ", 1) for line in head.split("\n"))
    return {**found, "hardware": None if found["hardware"] == "none" else found["hardware"], "content": list(map(content_of, blocks))}


def content_of(block):
    """A paragraph, or a table."""
    if block.startswith("# text: "):
        return "\n".join(line.removeprefix("# text: ") for line in block.split("\n"))
    head, *rows = csv.reader(io.StringIO(block))
    return {"columns": [[cell.removesuffix(":"), "right" if cell.endswith(":") else "left"] for cell in head], "rows": rows}


def hardware(name):
    """The digest of the hardware that a figure depends on, in this tree."""
    return digests.hardware(chipyard=name.startswith("chipyard"))


def record(name, command, text, more=""):
    """Records tables in Markdown, measured with this work tree. `more` is text after the revision."""
    save(name, {"command": command, "revision": digests.revision() + more, "hardware": hardware(name), "content": markdown.parse(text)})
