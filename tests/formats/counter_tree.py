"""The counter tree: MACs of counter lines and of nodes above them."""

from aes import LINE_MAC
from counters import number
from field import words
from refusal import demand


def line_mac(key, engine, level, line, parent, payload):
    return key.points[0].hash(words(payload)) ^ key.upper(LINE_MAC, engine, line, parent, level)


def children(node):
    return [number(node[at:at + 7]) for at in range(0, 56, 7)]


def verified_lines(memory, key, root):
    """Payloads of all counter lines, under the root's counters of the lines of the last level."""
    parents = root
    for level in range(memory.levels, 0, -1):
        nodes = [verified(memory, key, "node", level, line, parents[line]) for line in range(memory.lines("node", level))]
        parents = [counter for node in nodes for counter in children(node)]
    return [verified(memory, key, "counter", 0, line, parents[line]) for line in range(memory.lines("counter"))]


def verified(memory, key, kind, level, line, parent):
    """Bytes 0 to 55 of a line. It is zero until it is written back."""
    if not parent:
        return bytes(56)
    found = memory.line(kind, line, level)
    demand(number(found[56:]) == line_mac(key, memory.index, level, line, parent, found[:56]),
           f"bank {memory.index}: the MAC of line {line} of level {level} of the counter tree is wrong under its counter {parent}")
    return found[:56]
