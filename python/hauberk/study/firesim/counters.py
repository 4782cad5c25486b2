"""Counts of engines and bus on FireSim: {name such as `engine0.data_reads`: value}."""

import re

from hauberk.study.lines import Lines
from hauberk.study.run import TRAFFIC

# The first column of each line of an AutoCounter file's header, in FireSim's order
HEADER = ["version", "Clock Domain Name", "label", '"description"', "type", "event width", "accumulator width"]
# WithHauberkAutoCounter's name for an event. FireSim may add a path before or after it
LABEL = re.compile(r".*hauberk_(engine[0-9]+|bus)_([A-Za-z]+).*")
# Fields whose registers (PROTECTOR_STAT_NAMES of registers.h) have another name
REGISTERS = {"pads": "aes_blocks", "reencrypted": "refreshed"}


def is_alarm(name):
    return name.endswith(".alarm")


def since(after, before):
    """Counts between the two readings. An alarm is not a count and keeps its value."""
    return {name: value if is_alarm(name) else value - before[name] for name, value in after.items()}


def of_engines(counters, counter):
    """The sum over all engines; None without an engine."""
    found = [value for name, value in counters.items() if re.fullmatch(rf"engine[0-9]+\.{counter}", name)]
    return sum(found) if found else None


def traffic(counters):
    """Blocks that crossed the pins of DRAM, and look-ups of counters. A group is None if one of its counts is missing."""
    def together(names):
        found = {name: of_engines(counters, name) for name in names}
        return found if None not in found.values() else dict.fromkeys(names)

    return {**together(TRAFFIC), **together(["hits", "misses"])}


def alarms(counters):
    """Which of protector and bus raised the alarm."""
    return [name.split(".")[0] for name, value in counters.items() if is_alarm(name) and value]


def cells_of(text):
    """FireSim ends some lines with a comma."""
    return [cell.strip() for cell in text.rstrip(",").split(",")]


def auto_counters(path):
    """Counts since reset at FireSim's last sample; empty without a sample."""
    file = Lines(path, "AutoCounter file")
    for index, name in enumerate(HEADER):
        if index >= len(file.lines):
            file.refuse(file.last, f"the header ends before '{name}'")
        if not file.lines[index][1].startswith(name):
            file.refuse(index + 1, f"'{name}' is expected here, and not '{file.lines[index][1].split(',')[0]}'")
    if not re.fullmatch(r"version, *1", file.lines[0][1]):
        file.refuse(1, f"'{file.lines[0][1]}' is another version than 1")
    labels, last = cells_of(file.lines[HEADER.index("label")][1]), []
    for line, text in file.lines[len(HEADER):]:
        if text:
            cells = cells_of(text)
            if len(cells) != len(labels):
                file.refuse(line, f"there are {len(cells)} cells, and {len(labels)} labels")
            last = [file.number(line, label, cell) for cell, label in zip(cells, labels)]
    return {f"{mark[1]}.{register(mark[2])}": value for label, value in zip(labels, last) if (mark := LABEL.fullmatch(label))}


def register(field):
    return REGISTERS.get(field) or re.sub("([A-Z])", r"_\1", field).lower()


def memory_statistics(path):
    """Counts of FireSim's model of DRAM, from samples of counters that wrap at 32 bits."""
    file = Lines(path, "memory statistics")
    table = [(line, cells_of(text)) for line, text in file.lines if text]
    if not table:
        file.refuse(1, "there is no header")
    (_, names), *rows = table
    for line, cells in rows:
        if len(cells) != len(names):
            file.refuse(line, f"there are {len(cells)} cells, and {len(names)} in the header")
    samples = [[file.number(line, name, cell) for name, cell in zip(names, cells)] for line, cells in rows]
    # The first is of reset
    if len(samples) < 2:
        file.refuse(file.last, "there is no sample after the first: lower profile_interval")
    counted = [samples[0], *([(later - sooner) % 2 ** 32 for later, sooner in zip(after, before)] for before, after in zip(samples, samples[1:]))]
    return dict(zip(names, map(sum, zip(*counted))))
