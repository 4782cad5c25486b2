"""Figures that are no rows of runs.csv, docs/figures/NAME.csv: tables as they were measured, by which command, at which revision, on which hardware.

After a head of `# key: value` lines come, behind a blank line each, tables, a row a line, and paragraphs, in `# text: ` lines. As in Markdown, the name
of a column of figures ends in a colon. `check` is the digest of all that follows it.
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
    """`record` is {command, revision, hardware, content}; the hardware of a figure of something else is None."""
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


def record(name, command, text, more=""):
    """Records tables of Markdown that this work tree has just measured; `more` is said behind the revision."""
    save(name, {"command": command, "revision": digests.revision() + more, "hardware": digests.hardware(), "content": markdown.parse(text)})
