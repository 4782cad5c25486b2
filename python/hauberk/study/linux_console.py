"""Marks of init of tests/linux on the console: the boot, each program, and the end."""

import dataclasses
import re

from hauberk.study.lines import Lines
from hauberk.study.run import results_of


@dataclasses.dataclass
class Program:
    """A program that init ran. A value that it did not print is None."""
    name: str
    exit_code: int
    checksum: str | None
    cycles: int | None
    instret: int | None


@dataclasses.dataclass
class Console:
    """`booted` and `done` are cycles from reset until init started, and until the last program ended. They are None if this did not happen."""
    booted: int | None
    programs: list
    done: int | None


MARK = re.compile(r"hauberk: (booted|begin|end|done) (\S+)(?: (\S+))?")


def parse(text, path="the console"):
    """Reads the marks. The console of a run that stopped early is valid."""
    file = Lines(path, "console log", text)
    found, open_program, output = Console(None, [], None), None, []
    for line, text in file.lines:
        mark = MARK.fullmatch(text)
        kind, name, code = mark.groups() if mark else (None, None, None)
        if kind is None:
            output.append(text)
        elif kind == "booted" and code is None and open_program is None and found.booted is None:
            found.booted = file.number(line, "the cycle", name)
        elif kind == "begin" and code is None and open_program is None:
            open_program, output = name, []
        elif kind == "end" and code is not None and name == open_program:
            found.programs.append(ended(name, file.number(line, "the exit code", code), "\n".join(output)))
            open_program = None
        elif kind == "done" and code is None and open_program is None:
            found.done = file.number(line, "the cycle", name)
        else:
            file.refuse(line, f"'{text}' is not expected here")
    return found


def ended(name, code, output):
    return Program(name, code, **results_of(output))
