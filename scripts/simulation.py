"""What scripts share that build and run simulators: the makefiles, programs, and tables of the docs."""

import concurrent.futures
import glob
import os
import re
import shutil
import subprocess

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


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


def in_parallel(jobs, function, items):
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        return list(pool.map(lambda item: function(*item), items))


def prepare():
    """Builds programs, harness and boot ROM, and compiles the Scala sources; whether all went well."""
    if make("tests") or make("sims/verilator", "harness") or make("bootrom"):
        return False
    return subprocess.call([os.path.join(TOP, "scripts", "classpath"), "hauberk"], stdout=subprocess.DEVNULL) == 0


def build(config):
    """Builds the simulator of a configuration; whether that went well."""
    return make("sims/verilator", f"CONFIG={config}") == 0


def elf(program):
    return os.path.join(TOP, "tests", "build", program + ".riscv")


def put_into_docs(names, out):
    """A table replaces what stands between its marks; a plot that a page shows is copied to docs/figures."""
    tables = {}
    for name in names:
        with open(os.path.join(out, name + ".md")) as file:
            tables[name] = file.read()
    marked = re.compile(rf"(<!-- study ({'|'.join(tables)}) -->\n).*?(<!-- end -->)", re.S)
    figures = os.path.join(TOP, "docs", "figures")
    os.makedirs(figures, exist_ok=True)
    for page in glob.glob(os.path.join(TOP, "docs", "*.md")):
        with open(page) as file:
            text = file.read()
        with open(page, "w") as file:
            file.write(marked.sub(lambda found: found[1] + tables[found[2]] + found[3], text))
        for name in re.findall(r"\(figures/([\w-]+)\.svg\)", text):
            if name in tables:
                shutil.copy(os.path.join(out, name + ".svg"), figures)
