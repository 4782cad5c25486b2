"""What the tests share: a folder, a toolchain, programs made there, and their runs on the board."""

import functools
import glob
import os
import subprocess
import tempfile
import unittest

from steer.board import Board
from steer.build import Inputs
from steer.linking import Tools
from steer.objects import Object
from steer.program import Program

TOP = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
CROSS = "riscv64-unknown-elf-"
SCRIPT = os.path.join(TOP, "tests", "runtime", "link.ld")
ISA = ["-march=rv64gc", "-mabi=lp64d"]
CFLAGS = ["-O2", "-std=gnu11", *ISA, "-mcmodel=medany", "-ffreestanding", "-fno-tree-loop-distribute-patterns", "-ffunction-sections",
          "-fdata-sections", "-I" + os.path.join(TOP, "tests", "runtime")]


def succeed(*command):
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(command)}:\n{done.stdout}")
    return done.stdout


@functools.lru_cache(None)
def runtime():
    """Objects of the bare-metal runtime, and libgcc."""
    sources = sorted(glob.glob(os.path.join(TOP, "tests", "runtime", "*.[cS]")))
    names = [f"build/runtime/{os.path.basename(source)}.o" for source in sources]
    succeed("make", "--no-print-directory", "-s", "-C", os.path.join(TOP, "tests"), *names)
    return [*(os.path.join(TOP, "tests", name) for name in names), succeed(CROSS + "gcc", *ISA, "-print-libgcc-file-name").strip()]


class Bench(unittest.TestCase):
    def setUp(self):
        made = tempfile.TemporaryDirectory(prefix="hauberk steer ")
        self.addCleanup(made.cleanup)
        self.folder = made.name
        self.tools = Tools(CROSS, SCRIPT)

    def path(self, name):
        return os.path.join(self.folder, name)

    def compiled(self, name, text, *flags):
        """The object of a source in C, or in assembly if the name ends in .S."""
        with open(self.path(name), "w") as file:
            file.write(text)
        succeed(CROSS + "gcc", *CFLAGS, *flags, "-c", self.path(name), "-o", self.path(name + ".o"))
        return self.path(name + ".o")

    def assembled(self, text, *flags):
        """The program of a source in assembly, not linked."""
        return Program(Object(self.compiled("test.S", text, *flags)))

    def inputs(self, *objects):
        return Inputs(self.tools, [*objects, *runtime()], self.folder)

    def ran(self, path):
        """(exit code, output without times)."""
        board = Board(path, 16 << 20)
        board.run(30_000_000)
        return board.exit_code, [line for line in board.text.split("\n") if not line.startswith(("cycles", "instret"))]


def functions(program):
    return {function.name: function for function in program.functions}
