"""Digests of the inputs of a run: the Verilog of its configuration, the harness, its program. Comments do not count."""

import functools
import hashlib
import os
import re
import subprocess

from hauberk.study import place

import runner
import tree

HARDWARE = re.compile(r"(src|generators/\w+/src)/main/.*\.scala$")
# For current Rocket Chip, which Chipyard has; the SoCs of this repository are made of Rocket Chip 1.2.6
FOR_CHIPYARD = "src/main/scala-2.13/"
C_LIKE = (".c", ".h", ".cc", ".S", ".scala")
LENGTH = 16


def essence(source):
    """A source without comments and white space."""
    return "".join(re.sub(r'("(?:[^"\\\n]|\\.)*")|/\*.*?\*/|//[^\n]*', lambda found: found[1] or "", source, flags=re.S).split())


def of_files(paths):
    total = hashlib.sha256()
    for path in paths:
        with open(path, "rb") as file:
            content = file.read()
        if path.endswith(C_LIKE):
            content = essence(content.decode(errors="replace")).encode()
        total.update(hashlib.sha256(content).digest())
    return total.hexdigest()[:LENGTH]


@functools.lru_cache(None)
def hardware(chipyard=False):
    """The digest of the sources of all hardware, in this repository's SoCs or in Chipyard's."""
    names = sorted(name for name in tree.walked(place.TOP) if HARDWARE.match(name) and (chipyard or not name.startswith(FOR_CHIPYARD)))
    return of_files(os.path.join(place.TOP, name) for name in names)


@functools.lru_cache(None)
def harness():
    return of_files(runner.harness_files())


@functools.lru_cache(None)
def program(name, flags=""):
    """The digest of a program's sources. Its ELF is not reproducible: debug information has the path of the tree."""
    if name == "linux":
        patterns = ["tests/linux/*", "tests/hosted/*", "tests/single/*", "tests/multicore/*", "microcode/*"]
    elif name.endswith(("-small", "-large")):
        patterns = ["tests/embedded/*", *(["compiler/steer/*.py"] if flags else [])]
    else:
        patterns = [f"tests/*/{re.sub(r'-[0-9]+$', '', name)}.c", "tests/Makefile"]
    return of_files(os.path.join(place.TOP, path) for path in tree.tracked(*patterns, "tests/runtime/*"))


def verilog(path):
    """The digest of a configuration's Verilog, from the file that its elaboration wrote; None without this file."""
    try:
        with open(path) as file:
            return file.read()[:LENGTH]
    except OSError:
        return None


def revision():
    """The commit, and whether the hardware differs from it. A tree without git has no revision."""
    def git(*arguments):
        return subprocess.run(["git", "-C", place.TOP, *arguments], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout

    changed = any(HARDWARE.match(line[3:]) for line in git("status", "--porcelain").splitlines())
    return (git("rev-parse", "--short=7", "HEAD").strip() or "unknown") + (" with changes" if changed else "")
