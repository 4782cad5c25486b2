"""The stages of scripts/test: what each runs, how its tests are counted, and which files it depends on."""

import functools
import glob
import os
import platform
import re
import shutil
import subprocess
import xml.etree.ElementTree

import store
import tree
from simulation import THOROUGH, TOP

RESULTS = os.path.join(TOP, "results", "test")
LIBRARIES = ["crypto", "memory", "bus", "instruction", "contexts"]
GENERATORS = [f"generators/{library}/target/test-reports" for library in LIBRARIES]
HARNESS_REPORT = "results/test/harness"


class Stage:
    """A command, and where its tests are counted: folders of JUnit reports, Python's unittest, or the command alone. It comes behind those of its
    lane, and behind one of another if it is named. `needs` says of a name in the tree whether the stage depends on that file; without it, the stage always runs."""

    def __init__(self, name, lane, command, reports=(), unittest=False, behind=None, needs=None):
        self.name, self.lane, self.command, self.reports, self.unittest, self.behind = name, lane, command, reports, unittest, behind
        self.needs = needs

    def kept(self):
        """What came of it when all that it depends on was the same; None if that is not known."""
        return store.load("tests", self.key) if self.needs and not os.environ.get("HAUBERK_ALL") else None

    @functools.cached_property
    def key(self):
        """Of all that its counts depend on, as it is when this is asked for first: a file that changes while the stage runs was not tested."""
        files = [os.path.join(TOP, name) for name in sorted(tree.walked(TOP)) if self.needs(name) or FOR_ALL.match(name)]
        return store.digest(files, self.name, self.placeless(), THOROUGH, versions())

    def placeless(self):
        """The command, whatever the place of the tree."""
        return [part.replace(TOP, "") for part in self.command]

    def time_key(self):
        return store.digest([], self.name, THOROUGH, platform.node())

    def run(self):
        """Returns (passed, failed, skipped)."""
        for path in self.report_files():
            os.remove(path)
        log = os.path.join(RESULTS, self.name + ".log")
        with open(log, "w") as out:
            code = subprocess.call(self.command, cwd=TOP, stdout=out, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL)
        self.keep_reports()
        passed, failed, skipped = self.count(log, code)
        if code != 0 and failed == 0:
            failed = 1
        if failed:
            show_end(log)
            for name in self.failures(log):
                print(f"{self.name}: FAILED {name}", flush=True)
        return passed, failed, skipped

    def keep_reports(self):
        """A later stage may have the same folders of reports."""
        kept = os.path.join(RESULTS, "reports", self.name)
        shutil.rmtree(kept, ignore_errors=True)
        os.makedirs(kept)
        for path in self.report_files():
            shutil.copy(path, kept)

    def suites(self):
        """Seconds of each suite of its tests, as the runners' reports say."""
        return [[suite.get("name").split(".")[-1], float(suite.get("time") or 0)] for path in self.report_files()
                for suite in xml.etree.ElementTree.parse(path).getroot().iter("testsuite")]

    def report_files(self):
        return [path for folder in self.reports for path in glob.glob(os.path.join(TOP, folder, "*.xml"))]

    def count(self, log, code):
        if self.reports:
            return sum_up(count_junit(path) for path in self.report_files())
        if self.unittest:
            return count_unittest(log)
        return (1, 0, 0) if code == 0 else (0, 1, 0)

    def failures(self, log):
        """Names of the failed tests, and the first line of what a report says of them."""
        if self.unittest:
            with open(log, errors="replace") as file:
                return re.findall(r"^(?:FAIL|ERROR): (.*)$", file.read(), re.M)
        return [f"{case.get('classname')}: {case.get('name')}: {(bad.get('message') or '').partition(chr(10))[0]}"
                for path in self.report_files() for case in junit_cases(path)
                for bad in [*case.findall("failure"), *case.findall("error")]]


@functools.lru_cache(None)
def versions():
    """Of the tools that the tree does not bring."""
    def said(*command):
        try:
            return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL).stdout.decode(errors="replace")
        except OSError:
            return "none"
    tools = ["verilator", "g++", "riscv64-unknown-elf-gcc", "riscv64-linux-gnu-gcc", "yosys", "java", "dtc", "python3", "qemu-system-riscv64"]
    return [platform.platform(), *(said(tool, "--version") for tool in tools)]


def sum_up(counts):
    return tuple(map(sum, zip((0, 0, 0), *counts)))


def junit_cases(path):
    return xml.etree.ElementTree.parse(path).getroot().iter("testcase")


def count_junit(path):
    passed = failed = skipped = 0
    for case in junit_cases(path):
        if case.find("failure") is not None or case.find("error") is not None:
            failed += 1
        elif case.find("skipped") is not None or case.get("status") == "notrun":
            skipped += 1
        else:
            passed += 1
    return passed, failed, skipped


def count_unittest(log):
    with open(log, errors="replace") as file:
        text = file.read()
    ran = sum(int(number) for number in re.findall(r"^Ran (\d+) tests? in", text, re.M))
    failed = sum(int(number) for number in re.findall(r"(?:failures|errors)=(\d+)", text))
    skipped = sum(int(number) for number in re.findall(r"skipped=(\d+)", text))
    # An error in a module's set-up fails without having run as a test.
    return max(0, ran - failed - skipped), failed, skipped


def show_end(log, lines=60):
    with open(log, errors="replace") as file:
        tail = file.readlines()[-lines:]
    print(f"---- end of {os.path.relpath(log, TOP)} ----", *(line.rstrip("\n") for line in tail), sep="\n")
    print("----")


def sbt(scala, *tasks):
    return ["./sbt", f"++{scala}", *tasks]


# What every stage depends on
FOR_ALL = re.compile(r"build\.sbt|project/|sbt$|scripts/(test_stages\.py|setup)$")


def within(*folders):
    return lambda name: name.startswith(folders)


def but_pages(name):
    """All files but the pages, and what tests only these and tools for them."""
    return not name.startswith(("docs/", "tests/scripts/", ".github/")) and not name.endswith(".md")


# Pages whose examples the tests of a generator recompute
PAGES = {"memory": ["docs/formats.md"]}


def library_stage(library):
    """All tests of a generator. Sources are shared, so one Chisel simulates all of them."""
    folder = f"generators/{library}/"
    return Stage(f"chisel-6.7.0-{library}", "generators", sbt("2.13.15", f"{library}/test"), [f"{folder}target/test-reports"],
                 needs=within(folder, "generators/crypto/", "tests/stored/", *PAGES.get(library, [])))


SUITES = [f"{library}/test" for library in LIBRARIES]
# The other Chisels elaborate the generators, and simulate a cipher
ON_OTHERS = [f"{library}/testOnly " + ("*ElaborateSpec" if THOROUGH else "*.ElaborateSpec") for library in LIBRARIES]
COMPILE = ["++2.12.20", "Test/compile", "tools/Test/compile", "++2.13.15", *(f"{library}/Test/compile" for library in LIBRARIES)]

STAGES = [
    Stage("format", "generators", ["make", "--no-print-directory", "check-format"]),
    Stage("sources", "generators", ["make", "--no-print-directory", "lint"]),
    Stage("firesim", "generators", ["scripts/firesim-check"], unittest=True, needs=but_pages),
    Stage("docs", "generators", ["scripts/docs", "--check"]),
    Stage("steer", "generators", ["tests/steer/run"], unittest=True, needs=but_pages),
    Stage("chisel-3.2.6", "generators", sbt("2.12.20", *(SUITES if THOROUGH else ON_OTHERS)), GENERATORS, needs=within("generators/", "tests/stored/", *PAGES["memory"])),
    *map(library_stage, LIBRARIES),
    Stage("chisel-7.14.0", "generators", sbt("2.13.16", *ON_OTHERS, "crypto/testOnly *AesCipherSpec *SimulationSpec",
                                              *["crypto/testOnly *KeyUnwrapSpec", "memory/testOnly *.EngineTimingSpec"] * THOROUGH), GENERATORS,
          needs=within("generators/", "tests/stored/")),
    Stage("rocket", "generators", sbt("2.12.20", "hauberk/test", "tools/test"), ["target/test-reports", "tools/target/test-reports"],
          needs=lambda name: but_pages(name) or name == "docs/chipyard.md"),
    Stage("mutants", "generators", ["scripts/mutate", "--sample", "24"], needs=but_pages),
    Stage("harness", "socs", ["make", "--no-print-directory", "-C", "sims/verilator", "harness-test",
                              f"GTEST_FLAGS=--gtest_output=xml:{TOP}/{HARNESS_REPORT}/"], [HARNESS_REPORT], needs=but_pages),
    Stage("simulator", "socs", ["python3", "-m", "unittest", "-v", *(f"sims/verilator/test/{name}_test.py" for name in ("simulator", "studies"))],
          unittest=True, needs=but_pages),
    Stage("sweep", "sweep", ["python3", "-m", "unittest", "-v", "tests/workflow/sweep_test.py"], unittest=True, behind="simulator", needs=but_pages),
    # What of it takes minutes; make linux-test has all of it
    Stage("linux", "socs", ["python3", "sims/verilator/test/linux_test.py", "-v", "Boot", "Firmware", "Missing"], unittest=True, needs=but_pages),
    Stage("sealed", "socs", ["python3", "-m", "unittest", "-v", "sims/verilator/test/sealed_test.py"], unittest=True, needs=but_pages),
    Stage("attack-bench", "socs", ["make", "--no-print-directory", "-C", "sims/attack-engine", "test",
                                   f"GTEST_FLAGS=--gtest_output=xml:{TOP}/results/test/attack-bench/"],
          ["results/test/attack-bench"], needs=within("sims/", "tests/runtime/")),
    Stage("bus-bench", "socs", ["make", "--no-print-directory", "-C", "sims/attack-bus", "test",
                                f"GTEST_FLAGS=--gtest_output=xml:{TOP}/results/test/bus-bench/"],
          ["results/test/bus-bench"], needs=within("sims/", "tests/runtime/")),
    Stage("attack", "socs", ["scripts/attack", "--small"], needs=but_pages),
    Stage("synth", "socs", ["bench/synth/soc", "--check", "--out", "results/test/synth"], needs=but_pages),
    Stage("scripts", "socs", ["python3", "-m", "unittest", "discover", "-v", "-s", "tests/scripts", "-p", "*_test.py"], unittest=True),
    Stage("study", "socs", ["tests/study/run", "discover", "-v", "-s", "tests/study", "-p", "*_test.py"], unittest=True,
          needs=lambda name: but_pages(name) or name == "docs/sweeps.md"),
    Stage("mutation", "socs", ["tests/study/run", "discover", "-v", "-s", "tests/mutation", "-p", "*_test.py"], unittest=True,
          needs=within("python/hauberk/mutation/", "python/hauberk/table.py", "tests/mutation/", "scripts/mutate", "scripts/monitor_campaign.py", "workflow/", "microcode/")),
    Stage("plan", "socs", ["tests/study/run", "discover", "-v", "-s", "tests/plan", "-p", "*_test.py"], unittest=True,
          needs=within("python/hauberk/verification/", "python/hauberk/table.py", "python/hauberk/coverage/", "python/hauberk/mutation/", "tests/plan/", "scripts/plan", "workflow/")),
    Stage("formats", "socs", ["/usr/bin/python3", "-m", "unittest", "discover", "-v", "-s", "tests/formats", "-p", "*_test.py"], unittest=True),
    Stage("embedded", "socs", ["make", "--no-print-directory", "-C", "tests", "check-embedded"], needs=but_pages),
    Stage("comparisons", "socs", ["scripts/comparisons"], needs=but_pages),
]
