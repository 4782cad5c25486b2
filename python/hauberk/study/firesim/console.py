"""The console of a node, FireSim's `uartlog`, with the output of target and driver."""

import dataclasses
import re

from hauberk.study.firesim.counters import since
from hauberk.study.lines import Lines
from hauberk.study.run import results_of

BEGIN, DONE = re.compile(r"hauberk: begin (\S+)"), "hauberk: done"
COUNTED = re.compile(r"hauberk: (before|after) (\S+) (\S+)")
END = re.compile(r"hauberk: end (\S+) (\S+)")
PASSED = re.compile(r"\*\*\* PASSED \*\*\* after (\d+) cycles")
FAILED = re.compile(r"\*\*\* FAILED \*\*\* \(code = (\d+)\) after (\d+) cycles")
TIMED_OUT = re.compile(r"\*\*\* FAILED \*\*\* simulation timed out after (\d+) cycles")


@dataclasses.dataclass
class Section:
    """A program that ran: the values that it printed, and the counts of protector and bus during it."""
    program: str
    exit_code: int
    checksum: str | None
    cycles: int | None
    instret: int | None
    counters: dict


@dataclasses.dataclass
class Open:
    """A section that has begun. Counts are None before their first line."""
    program: str
    line: int
    counts: dict = dataclasses.field(default_factory=lambda: {"before": None, "after": None})
    output: list = dataclasses.field(default_factory=list)


def section(program, code, lines, counters):
    return Section(program, code, counters=counters, **results_of("\n".join(lines)))


class ConsoleLog:
    def __init__(self, path):
        self.file = Lines(path, "console log")

    @property
    def end(self):
        """(exit code, target cycles) of the simulation; None if FireSim was stopped before the target powered off."""
        for line, text in self.file.lines:
            if mark := PASSED.fullmatch(text):
                return 0, self.file.number(line, "cycles", mark[1])
            if mark := FAILED.fullmatch(text):
                return self.file.number(line, "code", mark[1]), self.file.number(line, "cycles", mark[2])
            if mark := TIMED_OUT.fullmatch(text):
                self.file.refuse(line, f"the simulation was stopped after {mark[1]} cycles: raise +max-cycles")
        return None

    def bare_metal(self, program, counters):
        """The one program that ran without an operating system."""
        for line, text in self.file.lines:
            self.well_formed(line, text)
        if self.end is None:
            self.file.refuse(self.file.last, "the log ends before the simulation does")
        return section(program, self.end[0], [text for _, text in self.file.lines], counters)

    def sections(self):
        """The programs that Linux ran, in their order."""
        found, now, done = [], None, False
        for line, text in self.file.lines:
            begin, counted, end = BEGIN.fullmatch(text), COUNTED.fullmatch(text), END.fullmatch(text)
            if begin and not now and not done:
                now = Open(begin[1], line)
            elif counted and now and (counted[1] == "after" or now.counts["after"] is None):
                self.count(line, now, *counted.groups())
            elif end and now and end[1] == now.program:
                found.append(self.close(line, now, end[2]))
                now = None
            elif text == DONE and not now and not done:
                done = True
            elif text.startswith("hauberk:"):
                self.file.refuse(line, f"'{text}' is not expected here")
            elif now:
                self.well_formed(line, text)
                now.output.append(text)
        if now:
            self.file.refuse(now.line, f"{now.program} begins here and never ends")
        if not done:
            self.file.refuse(self.file.last, "the log ends without 'hauberk: done'")
        return found

    def count(self, line, now, when, name, value):
        counts = now.counts[when] = now.counts[when] or {}
        if (name, value) == ("protection", "none"):
            return
        if name in counts:
            self.file.refuse(line, f"{name} is there twice")
        counts[name] = self.file.number(line, name, value)

    def close(self, line, now, code):
        for when, counts in now.counts.items():
            if counts is None:
                self.file.refuse(line, f"nothing was counted {when} {now.program}: the program statistics failed")
        before, after = now.counts["before"], now.counts["after"]
        if set(before) != set(after):
            self.file.refuse(line, f"other counters were read after {now.program} than before it")
        during = since(after, before)
        for name, value in during.items():
            if value < 0:
                self.file.refuse(line, f"{name} went down during {now.program}")
        return section(now.program, self.file.number(line, "exit code", code), now.output, during)

    def well_formed(self, line, text):
        """Refuses a garbled value, which would otherwise count as missing."""
        words = text.split()
        if len(words) == 2 and words[0] == "checksum" and not re.fullmatch("[0-9a-f]{16}", words[1]):
            self.file.refuse(line, f"'{text}' is no checksum")
        if len(words) == 2 and words[0] in ("cycles", "instret"):
            self.file.number(line, *words)
