"""Runs the GNU linker: all inputs to one relocatable object, and an object to a program."""

import os
import subprocess

from .errors import SteerError
from .objects import Object, check_isa

# The linker's own script merges sections of one name, and with them their alignment
GATHER = ["-r", "--unique"]
PROGRAM = ["--gc-sections", "--no-warn-rwx-segments", "-z", "max-page-size=4096"]
# Distances in these tables have as few bits as the old code needed
UNWINDING = [".eh_frame", ".debug_frame"]
MARK = "hauberk.steer."


class Tools:
    """`cross` is the prefix of the tools, `script` the link script, `flags` are more flags of the last link."""

    def __init__(self, cross, script, flags=()):
        self.cross, self.script, self.flags = cross, script, list(flags)
        if script and not os.path.exists(script):
            raise SteerError(f"there is no link script {script}: name another with --script")

    def run(self, tool, *arguments):
        command = [self.cross + tool, *arguments]
        try:
            done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        except FileNotFoundError as error:
            raise SteerError(f"{command[0]} is not installed: install it, or name another toolchain with --cross") from error
        if done.returncode != 0:
            raise SteerError(f"{tool} refuses the program: {' '.join(done.stdout.split())}")

    def gather(self, inputs, out):
        """One object from objects and archives. Unwinding tables are left out, so programs that need them are refused."""
        for path in inputs:
            with_magic(path)
        self.run("ld", *GATHER, "--start-group", *inputs, "--end-group", "-o", out)
        code = Object(out)
        if any(symbol.name == "_Unwind_RaiseException" and symbol.section for symbol in code.symbols):
            raise SteerError("the program unwinds its stack, and steered code has no tables for that: compile it with -fno-exceptions")
        self.run("objcopy", *(f"--remove-section={name}" for name in UNWINDING), out)

    def link(self, code, out):
        script = ["-T", self.script] if self.script else []
        self.run("ld", *PROGRAM, *script, *self.flags, code, "-o", out)

    def strip_marks(self, path):
        self.run("objcopy", "--wildcard", f"--strip-symbol={MARK}*", path)


def with_magic(path):
    """Refuses what is neither an archive nor an object for this ISA. The linker checks the members of an archive."""
    try:
        with open(path, "rb") as file:
            start = file.read(8)
    except OSError as error:
        raise SteerError(f"{path} cannot be read: {error.strerror}") from error
    if start != b"!<arch>\n":
        check_isa(path)
