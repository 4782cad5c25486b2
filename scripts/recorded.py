"""Measured tables and plots: docs/figures/NAME.json records what was measured, at which revision, by which command; pages show it.

A record is {command, revision, hardware, content}: `hardware` is the digest of the hardware's sources, and `content` a list of Markdown
paragraphs and of tables, which are {columns: [[name, alignment]], rows}. docs/figures/later.json says, of the hardware with one digest, what
became of the figures that were measured before: a list of {figures: [pattern], says}, of which the first that fits is shown with a figure.
"""

import fnmatch
import functools
import glob
import hashlib
import json
import os
import re
import subprocess

import tree

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FOLDER = os.path.join(TOP, "docs", "figures")
HARDWARE = re.compile(r"(src|generators/\w+/src)/main/.*\.scala$")
MARKED = re.compile(r"(<!-- figure ([\w-]+) -->\n).*?(<!-- end -->)", re.S)


def git(*arguments):
    return subprocess.run(["git", "-C", TOP, *arguments], check=True, stdout=subprocess.PIPE, text=True).stdout


def essence(source):
    """A source without comments and white space, which are not hardware."""
    return "".join(re.sub(r'("(?:[^"\\\n]|\\.)*")|/\*.*?\*/|//[^\n]*', lambda found: found[1] or "", source, flags=re.S).split())


@functools.lru_cache(None)
def hardware_digest(revision=None):
    """Of the sources of the hardware, in the work tree or at a revision."""
    total = hashlib.sha256()
    names = tree.walked(TOP) if revision is None else git("ls-tree", "-r", "--name-only", revision).splitlines()
    for name in sorted(filter(HARDWARE.match, names)):
        source = git("show", f"{revision}:{name}") if revision is not None else open(os.path.join(TOP, name)).read()
        total.update(hashlib.sha256(essence(source).encode()).digest())
    return total.hexdigest()[:16]


def cells(line):
    return [cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip().strip("|"))]


def table(lines):
    """A table of Markdown, as columns and rows."""
    alignments = ["right" if mark.endswith(":") else "left" for mark in cells(lines[1])]
    return {"columns": [list(pair) for pair in zip(cells(lines[0]), alignments)], "rows": [cells(line) for line in lines[2:]]}


def parse(markdown):
    blocks = [block for block in re.split(r"\n{2,}", markdown.strip("\n")) if block]
    return [table(block.split("\n")) if block.startswith("|") else block for block in blocks]


def markdown(content):
    if isinstance(content, str):
        return content
    widths = [max([3, len(name)] + [len(row[at]) for row in content["rows"]]) for at, (name, _) in enumerate(content["columns"])]

    def line(row):
        padded = [text.rjust(width) if side == "right" else text.ljust(width) for text, width, (_, side) in zip(row, widths, content["columns"])]
        return "| " + " | ".join(padded) + " |"

    marks = ["-" * (width - 1) + (":" if side == "right" else "-") for width, (_, side) in zip(widths, content["columns"])]
    return "\n".join([line([name for name, _ in content["columns"]]), line(marks), *map(line, content["rows"])])


def path_of(name):
    return os.path.join(FOLDER, name + ".json")


def load(name):
    with open(path_of(name)) as file:
        return json.load(file)


def save(name, record):
    os.makedirs(FOLDER, exist_ok=True)
    with open(path_of(name), "w") as file:
        file.write(json.dumps(record, indent=1, ensure_ascii=False) + "\n")


def record(name, command, text, more=""):
    """Records tables of Markdown that this work tree has just measured; `more` is said behind the revision."""
    revision = git("rev-parse", "--short=7", "HEAD").strip()
    changed = any(HARDWARE.match(line[3:]) for line in git("status", "--porcelain").splitlines())
    save(name, {"command": command, "revision": revision + (" with changes" if changed else "") + more, "hardware": hardware_digest(),
                "content": parse(text)})


def later():
    """The hardware that somebody said something of, and what."""
    with open(path_of("later")) as file:
        found = json.load(file)
    return found["hardware"], found["statements"]


def names():
    paths = glob.glob(os.path.join(FOLDER, "*.json"))
    return sorted(name for name in (os.path.splitext(os.path.basename(path))[0] for path in paths) if name != "later")


def is_older(name):
    """Whether the hardware has changed since; None is a figure of something else."""
    return load(name)["hardware"] not in (None, hardware_digest())


def statement(name):
    """What is said of a figure that is older than the hardware, or None."""
    return next((told["says"] for told in later()[1] if any(fnmatch.fnmatch(name, pattern) for pattern in told["figures"])), None)


def preset_table():
    """What each preset protects, from the threat model, and what it costs, from records."""
    with open(os.path.join(TOP, "docs", "threat-model.md")) as file:
        promises = next(block for block in parse(file.read()) if not isinstance(block, str) and block["columns"][0][0] == "preset")
    slowdowns = {row[0]: row[1] for row in load("single-core")["content"][1]["rows"]}
    luts = {row[0].strip("`").replace("RocketConfig", ""): re.search(r"\((.*)\)", row[2])[1] for row in load("synthesis")["content"][0]["rows"]}
    shares = {found[1]: row[-1] for row in load("space")["content"][0]["rows"] if (found := re.match(r"metadata of (\w+),", row[0]))}
    sources = ", ".join(f"{what} at {load(name)['revision']} by `{load(name)['command']}`" for what, name in
                        (("metadata", "space"), ("LUTs", "synthesis"), ("slowdown", "single-core")))
    # How, and when, is said there
    head = [*promises["columns"][:-1], *([name, "right"] for name in ("metadata", "LUTs", "slowdown"))]
    body = [[row[0], *(cell.split(":")[0] for cell in row[1:-1]), f"{100 * float(shares[row[0].strip('`')]):.1f} %",
             *(found.get(row[0].strip("`"), "") for found in (luts, slowdowns))] for row in promises["rows"]]
    return markdown({"columns": head, "rows": body}) + f"\n\nMeasured: {sources}.\n"


# Levels of the unprotected tile's longest path, with a carry chain as one level, and MHz of FireSim's recipes for RocketConfig (docs/synthesis.md)
TILE_LEVELS = 29
FIRESIM_RATES = {"F2": 90, "a U250": 60}


def frequency_table():
    """What every SoC could run at if a level of its longest path took as long as one of the tile's, and no faster than the tile."""
    body = []
    for name, column in (("synthesis", 8), ("synthesis-two-cores", 7)):
        for row in load(name)["content"][0]["rows"]:
            # Of a part, or of several in a cell: with every CARRY4, and with a chain as one level
            levels = [int(count) for count in re.findall(r"/ (\d+)", f"{row[column - 1]} {row[column]}")]
            if levels:
                longest = max(levels + [TILE_LEVELS])
                body.append([row[0], str(longest), *(str(rate * TILE_LEVELS // longest) for rate in FIRESIM_RATES.values())])
    head = [["SoC", "left"], ["levels", "right"], *([f"MHz on {board}", "right"] for board in FIRESIM_RATES)]
    return markdown({"columns": head, "rows": body}) + f"\n\nFrom the levels measured at {load('synthesis')['revision']} by `{load('synthesis')['command']}`.\n"


def shown(name):
    """What a page shows of a record."""
    if name == "presets":
        return preset_table()
    if name == "frequency":
        return frequency_table()
    found = load(name)
    says = f" {statement(name)}" if is_older(name) and statement(name) else ""
    source = f"Measured at {found['revision']} by `{found['command']}`.{says}"
    return "\n\n".join([*map(markdown, found["content"]), source]) + "\n"


def table_of_figures(rows):
    """What `make bench` leaves, {figure, value, bound, direction}, as a table of Markdown; with a column for each latency, or size, of memory."""
    place = re.compile(r",? (?:memory (?:latency|of) (\d+)(?: cycles)?|in (\d+ MiB))")

    def column(row):
        found = place.search(row["figure"])
        return "measured" if not found else found[2] or f"L = {found[1]}"

    columns = list(dict.fromkeys(map(column, rows)))
    lines = {}
    for row in rows:
        bound = row["direction"] if row["bound"] is None else f"{row['direction']} {row['bound']:g}"
        line = lines.setdefault((place.sub("", row["figure"]), bound), {})
        line[column(row)] = f"{row['value']:.4g}" if abs(row["value"]) < 1000 else f"{row['value']:,.0f}"
    body = [[*key, *(line.get(column, "") for column in columns)] for key, line in lines.items()]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in [["figure", "bound", *columns], ["---", "---", *["---:"] * len(columns)], *body])


def pages():
    return sorted(glob.glob(os.path.join(TOP, "docs", "*.md"))) + [os.path.join(TOP, "README.md")]


def rendered(text):
    return MARKED.sub(lambda found: found[1] + shown(found[2]) + found[3], text)


def show():
    """Puts the records on the pages."""
    for page in pages():
        with open(page) as file:
            text = file.read()
        new = rendered(text)
        if new != text:
            with open(page, "w") as file:
                file.write(new)
