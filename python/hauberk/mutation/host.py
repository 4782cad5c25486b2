"""Programs that test the monitor on this machine (tests/contexts/host, tests/contexts/assembly), built of its sources with a mutant."""

import dataclasses
import json
import os
import re
import shutil
import signal
import subprocess
import time
from pathlib import Path

from hauberk.mutation import monitor
from hauberk.mutation.mutant import Mutant

BUILD = os.path.join("tests", "build")
# What must happen in a case is said, too
FAILED = [re.compile(r"^FAILED (.*)$", re.M), re.compile(r"^(machine mode .*)$", re.M)]


@dataclasses.dataclass(frozen=True)
class Suite:
    """A program of a folder in tests/contexts, and how make names it and runs it."""
    folder: str
    program: str
    run: str


# As CI has them (tests/scripts/monitor_test.py)
SUITES = {"cases": Suite("host", "cases", "run-cases"), "harts": Suite("host", "harts", "run-harts"), "fuzz": Suite("host", "fuzz", "run-fuzz"),
          "assembly": Suite("assembly", "test.elf", "run")}


def suites_of(mutant):
    """Names of the suites that have the mutant's file."""
    name = mutant.module.partition(":")[0]
    if name.endswith(".S"):
        return ["assembly"]
    return ["harts"] if name == "harts.c" else ["cases", "fuzz"] + ["harts"] * name.endswith(".h")


class HostTests:
    def __init__(self, top):
        self.top = top

    def make(self, suite, folder, target):
        return ["make", "--no-print-directory", "-C", os.path.join(self.top, "tests", "contexts", suite.folder), f"BUILD={folder}/{suite.folder}",
                f"MICROCODE={folder}/{monitor.FOLDER}", "WARNINGS=-w", target]

    def run(self, library, name, folder, seconds):
        """Builds and runs a suite. What came of the mutant is in the folder. Returns (seconds, outcome, test that failed); outcomes are passed, failed, and
        slow, which is one that did not end in time."""
        begun, suite = time.time(), SUITES[name]
        if not os.path.exists(os.path.join(folder, monitor.FOLDER)):
            self.prepare(Path(folder))
        if subprocess.call(self.make(suite, folder, f"{folder}/{suite.folder}/{suite.program}"), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                           stderr=subprocess.DEVNULL):
            Path(folder, "not-built").touch()
            return time.time() - begun, "failed", ""
        child = subprocess.Popen(self.make(suite, folder, suite.run), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                 errors="replace", start_new_session=True)
        try:
            said, _ = child.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, signal.SIGKILL)
            child.communicate()
            return time.time() - begun, "slow", ""
        if not child.returncode:
            return time.time() - begun, "passed", ""
        found = [pattern.search(said) for pattern in FAILED if pattern.search(said)]
        return time.time() - begun, "failed", found[0][1] if found else ""

    def prepare(self, folder):
        """The monitor's sources, of which the mutant changes one, and what the build need not make again."""
        shutil.copytree(os.path.join(self.top, monitor.FOLDER), folder / monitor.FOLDER)
        for path in Path(self.top, BUILD, "host").rglob("*.o"):
            copy = folder / path.relative_to(Path(self.top, BUILD))
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(path, copy)
        chosen = folder / "mutant.json"
        if chosen.exists():
            mutant = Mutant(**json.loads(chosen.read_text()), place="", edits=())
            path = folder / monitor.FOLDER / mutant.module.partition(":")[0]
            text = monitor.changed(path.name, path.read_text(), mutant) if path.exists() else None
            if text is not None:
                path.write_text(text)
                (folder / "mutated").touch()
