"""Suites of ScalaTest, each run in a Java machine of its own on simulators that tests/mutation/verilator makes."""

import dataclasses
import os
import re
import shutil
import signal
import subprocess
import threading
import time

# Runs the tests, and says what came of each (generators/crypto/src/test/scala/hauberk/testing/RepeatedTests.scala)
MAIN = "hauberk.testing.RepeatedTests"
# A test of more seconds does not end
SILENT = 900


@dataclasses.dataclass
class Run:
    """`outcome` is passed; failed, without a mutant; empty, without tests; not built; or ended, by itself or by SILENT, in the middle of a test. `test` is the
    one that failed or ended, `mutant` the number of the mutant that it had then. `noticed` are {number of a mutant: (outcome, test)}."""
    outcome: str = "ended"
    test: str = ""
    mutant: int = 0
    milliseconds: int = 0
    built: dict = dataclasses.field(default_factory=dict)
    noticed: dict = dataclasses.field(default_factory=dict)
    message: str = ""

    def hear(self, line):
        word, *fields = line.rstrip("\n").split("\t")[1:]
        if word == "empty":
            self.outcome = "empty"
        elif word == "failed":
            self.outcome, (self.test, self.message) = "failed", fields
        elif word == "built":
            self.test, self.mutant, self.built[fields[0]] = "", 0, int(fields[1])
        elif word == "passed":
            self.outcome, self.test, self.mutant, self.milliseconds = "passed", "", 0, int(fields[0])
        elif word == "trying":
            self.mutant, self.test = int(fields[0]), fields[1]
        else:
            self.noticed[int(fields[0])] = ("noticed" if word == "noticed" else "noticed by time"), fields[1]


class Suites:
    """`paths` are the class paths of the libraries, of which each begins with the folder of its tests. tests/`verilator` has the verilator that they get."""

    def __init__(self, top, paths, python, verilator="mutation"):
        self.top, self.paths = top, paths
        self.environment = {
            **os.environ,
            "PATH": os.pathsep.join([os.path.join(top, "tests", verilator), os.path.join(top, "tests", "stored"), os.environ["PATH"]]),
            "HAUBERK_PYTHON": python,
            "MAKEFLAGS": make_flags(top),
        }
        ccache = shutil.which("ccache")
        if ccache:
            folder = subprocess.run([ccache, "-k", "cache_dir"], stdout=subprocess.PIPE, text=True).stdout.strip()
            self.environment.update(OBJCACHE=ccache, CCACHE_DIR=folder)

    def named(self, library):
        """Suites of a library that may simulate."""
        folder = self.paths[library].partition(":")[0]
        names = (os.path.relpath(os.path.join(inner, name), folder) for inner, _, files in os.walk(folder) for name in files)
        return sorted(name[:-len(".class")].replace(os.sep, ".") for name in names if name.endswith("Spec.class"))

    def tree(self, folder):
        """The tree, with a folder `target` of its own."""
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        for name in os.listdir(self.top):
            if name != "target":
                os.symlink(os.path.join(self.top, name), os.path.join(folder, name))
        return folder

    def run(self, library, suite, folder, tests=(), silent=SILENT):
        """Runs a suite, or some of its tests, with the mutants that mutants.json in the folder names: HAUBERK_MUTATION. It is stopped when nothing was said
        of a test for `silent` seconds."""
        work = os.path.join(folder, "tmp")
        shutil.rmtree(work, ignore_errors=True)
        os.makedirs(work)
        tree = self.tree(os.path.join(folder, "tree"))
        command = ["java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xss16m", "-Xmx3g", f"-Djava.io.tmpdir={work}", "-cp", self.paths[library], MAIN,
                   folder, suite, *tests]
        child = subprocess.Popen(command, cwd=tree, env={**self.environment, "HAUBERK_MUTATION": folder, "CCACHE_BASEDIR": work}, stdin=subprocess.DEVNULL,
                                 stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", start_new_session=True)
        run, watch = Run(), Watch(child, silent)
        try:
            with open(os.path.join(folder, "log"), "w") as log:
                for line in child.stdout:
                    log.write(line)
                    if line.startswith("repeated\t"):
                        watch.heard()
                        run.hear(line)
        finally:
            watch.cancel()
            stop(child)
            child.stdout.close()
            child.wait()
            shutil.rmtree(work, ignore_errors=True)
            shutil.rmtree(tree, ignore_errors=True)
        if run.outcome != "passed" and os.path.exists(os.path.join(folder, "not-built")):
            run.outcome = "not built"
        return run


class Watch:
    """Stops a child that says nothing."""

    def __init__(self, child, seconds):
        self.child, self.seconds, self.timer = child, seconds, None
        self.heard()

    def heard(self):
        self.cancel()
        self.timer = threading.Timer(self.seconds, stop, [self.child])
        self.timer.daemon = True
        self.timer.start()

    def cancel(self):
        if self.timer:
            self.timer.cancel()


def make_flags(top):
    """The options of the tests' simulators."""
    with open(os.path.join(top, "build.sbt")) as file:
        return re.search(r'"MAKEFLAGS" -> "([^"]+)"', file.read())[1]


def stop(child):
    """The simulators that a suite has started end with it."""
    try:
        os.killpg(child.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
