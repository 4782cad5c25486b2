"""What scripts share that build and run simulators: the makefiles, and programs."""

import os
import subprocess

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# make test-thorough
THOROUGH = "HAUBERK_THOROUGH" in os.environ


def make(folder, *arguments, log=None):
    """Runs make in a folder of the repository; its exit code."""
    command = ["make", "--no-print-directory", "-s", "-C", os.path.join(TOP, folder), *arguments]
    if log is None:
        return subprocess.call(command, stdin=subprocess.DEVNULL)
    with open(log, "w") as out:
        return subprocess.call(command, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT)


def known_programs(kind="list"):
    listing = subprocess.run(["make", "--no-print-directory", "-s", "-C", os.path.join(TOP, "tests"), kind],
                             check=True, stdout=subprocess.PIPE, text=True)
    return listing.stdout.split()


def prepare(embedded=False):
    """Builds programs, harness and boot ROM, and compiles the Scala sources; whether all went well."""
    if make("tests") or (embedded and make("tests", "embedded")) or make("sims/verilator", "harness") or make("bootrom"):
        return False
    return subprocess.call([os.path.join(TOP, "scripts", "classpath"), "hauberk"], stdout=subprocess.DEVNULL) == 0


def build(config):
    """Builds the simulator of a configuration; whether that went well."""
    return make("sims/verilator", f"CONFIG={config}") == 0


def elf(program):
    """The program's file, of tests/build or, with its input in its name, of tests/build/embedded."""
    return os.path.join(TOP, "tests", "build", *(["embedded"] if is_embedded(program) else []), program + ".riscv")


def is_embedded(program):
    return program.endswith(("-small", "-large"))
