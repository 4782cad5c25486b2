"""Suites of ScalaTest, each run in a Java machine of its own on simulators that tests/mutation/verilator makes."""

import os
import re
import shutil
import signal
import subprocess
import threading
import time

# A suite prints this behind the name of a test, or of itself
FAILED = re.compile(r"^\W*(.*?) \*\*\* (?:FAILED|ABORTED) \*\*\*")
PASSED = re.compile(r"^Tests: succeeded (\d+), failed 0,", re.M)
# Of a class that others extend
NO_SUITE = "One or more requested classes are not Suites"


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

    def run(self, library, suite, folder, seconds):
        """Runs a suite until its first failure. What HAUBERK_MUTATION says is in the folder. Returns (seconds, outcome, test that failed); outcomes are
        passed, failed, slow, which is one that did not end in time, and empty."""
        work = os.path.join(folder, "tmp")
        shutil.rmtree(work, ignore_errors=True)
        os.makedirs(work)
        tree = self.tree(os.path.join(folder, "tree"))
        path = self.paths[library]
        command = ["java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xss16m", "-Xmx3g", f"-Djava.io.tmpdir={work}", "-cp", path,
                   "org.scalatest.tools.Runner", "-R", path.partition(":")[0], "-s", suite, "-oW", "-u", os.path.join(folder, "reports"), "-l", "hauberk.testing.Thorough"]
        environment = {**self.environment, "HAUBERK_MUTATION": folder, "CCACHE_BASEDIR": work}
        begun = time.time()
        child = subprocess.Popen(command, cwd=tree, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                 text=True, errors="replace", start_new_session=True)
        late = threading.Timer(seconds, stop, [child])
        late.start()
        said, failed = [], None
        try:
            with open(os.path.join(folder, "log"), "w") as log:
                for line in child.stdout:
                    log.write(line)
                    said.append(line)
                    found = FAILED.match(line)
                    if found:
                        failed = found[1]
                        break
        finally:
            in_time = late.is_alive()
            late.cancel()
            stop(child)
            child.stdout.close()
            child.wait()
            shutil.rmtree(work, ignore_errors=True)
            shutil.rmtree(tree, ignore_errors=True)
        took = time.time() - begun
        end = "".join(said[-20:])
        passed = PASSED.search(end)
        if (passed and passed[1] == "0") or NO_SUITE in end:
            return took, "empty", ""
        if failed is None and passed:
            return took, "passed", ""
        return (took, "failed", failed or "") if in_time else (took, "slow", "")


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
