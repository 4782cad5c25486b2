"""Tables made of several figures."""

import json
import os
import re

from hauberk.study import figures, markdown, place


def tables(figure):
    return [block for block in figure.blocks if not isinstance(block, str)]


def presets():
    """Properties of each preset, from the threat model, and its costs. Returns Markdown and the figures used."""
    with open(os.path.join(place.TOP, "docs", "threat-model.md")) as file:
        promises = next(block for block in markdown.parse(file.read()) if not isinstance(block, str) and block["columns"][0][0] == "preset")
    slow, space = figures.of("single-core"), figures.of("space")
    slowdowns = {row[0]: row[1] for row in tables(slow)[0]["rows"]}
    shares = {found[1]: row[-1] for row in tables(space)[0]["rows"] if (found := re.match(r"metadata of (\w+),", row[0]))}
    # The threat model also gives details and the time of detection
    head = [*promises["columns"][:-1], ["metadata", "right"], ["slowdown", "right"]]
    body = [[row[0], *(cell.split(":")[0] for cell in row[1:-1]), f"{100 * float(shares[row[0].strip('`')]):.1f} %",
             slowdowns.get(row[0].strip("`"), "")] for row in promises["rows"]]
    return markdown.aligned(head, body) + f"\n\nMeasured: metadata {space.source}, slowdown {slow.source}.\n", [slow, space]


# Levels of the unprotected tile's longest path, with a carry chain as one level, and MHz of FireSim's recipes for RocketConfig (docs/synthesis.md)
TILE_LEVELS = 29
FIRESIM_RATES = {"F2": 90, "a U250": 60}


def frequency():
    """Clock rates of every SoC, if a level of its longest path takes as long as a level of the tile's. The tile's rate is the limit."""
    body, used = [], [figures.of(name) for name in ("synthesis", "synthesis-two-cores")]
    for figure, column in zip(used, (8, 7)):
        for row in tables(figure)[0]["rows"]:
            # A cell has one part or several; each has its levels with every CARRY4, and with a chain as one level
            levels = [int(count) for count in re.findall(r"/ (\d+)", f"{row[column - 1]} {row[column]}")]
            if levels:
                longest = max(levels + [TILE_LEVELS])
                body.append([row[0], str(longest), *(str(rate * TILE_LEVELS // longest) for rate in FIRESIM_RATES.values())])
    head = [["SoC", "left"], ["levels", "right"], *([f"MHz on {board}", "right"] for board in FIRESIM_RATES)]
    return markdown.aligned(head, body) + f"\n\nFrom the levels measured {used[0].source}.\n", used


# Rows of our engine: the text, and the beginnings of the names that `scripts/bench engine` gives to a single read and to streams
OURS = [("counter mode, counter cached", "read, counter hit", ["{} stream, counters cached"]),
        *((f"`{name}`, counters and nodes cached (authenticates, fresh)", f"{name}, metadata cached",
           [f"{name}, {{}} stream, counters and nodes cached, tags {tags}cached" for tags in ("", "not ")])
          for name in ("BonsaiTree", "BonsaiTreeBlocking"))]


def peers():
    """Our engine beside the engines of others, of bench/peers_engine.json, on one model of memory."""
    figure = figures.of("engine")
    table = tables(figure)[0]
    names = [name for name, _ in table["columns"]]
    found = {row[0]: dict(zip(names, row)) for row in table["rows"]}

    def added(start):
        first, later = (int(found[f"{start}: {what}"]["L = 20"]) for what in ("cycles added to the first beat", "most cycles added to a later beat"))
        return pair((first, later), "+")

    def rate(starts, direction):
        cells = []
        for latency in ("L = 20", "L = 100"):
            rates = sorted({f"{float(found[f'{start.format(direction)}: cycles per line'][latency]):.1f}" for start in starts}, key=float)
            cells.append(" to ".join(rates))
        return " / ".join(cells)

    def pair(values, sign=""):
        return " / ".join(f"{value:{sign if value else ''}g}" for value in values)

    with open(os.path.join(place.TOP, "bench", "peers_engine.json")) as file:
        others = json.load(file)
    ours = [[f"Hauberk, {what}", added(read), rate(streams, "read"), rate(streams, "write")] for what, read, streams in OURS]
    body = [[f"**{cell}**" for cell in row] for row in ours]
    body += [[peer["engine"], pair(peer["added"], "+"), pair(peer["read"]), pair(peer["written"])] for peer in others["engines"]]
    head = [[name, "left"] for name in ("engine", "added to first / last beat, L = 20", "cycles per line read, L = 20 / 100", "written, L = 20 / 100")]
    return markdown.aligned(head, body) + f"\n\nHauberk: measured {figure.source}. Peers: {others['source']}\n", [figure]


DERIVED = {"presets": presets, "frequency": frequency, "peers": peers}
