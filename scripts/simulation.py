"""What the scripts that run many simulations share: building through the makefiles, one checked run, and its outcome."""

import concurrent.futures
import glob
import json
import os
import re
import shutil
import subprocess

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# A program that has not ended by then hangs; the longest needs a tenth of it.
MAX_CYCLES = 200_000_000


def make(folder, *arguments, log=None):
    """Runs make in a folder of the repository; its exit code."""
    command = ["make", "--no-print-directory", "-s", "-C", os.path.join(TOP, folder), *arguments]
    if log is None:
        return subprocess.call(command, stdin=subprocess.DEVNULL)
    with open(log, "w") as out:
        return subprocess.call(command, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT)


def known_programs():
    listing = subprocess.run(["make", "--no-print-directory", "-s", "-C", os.path.join(TOP, "tests"), "list"],
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


def run(folder, config, program, *flags, verb="run-binary"):
    """One program on one configuration, its DRAM checked; whether all went well. Leaves its records in `folder`.

    With the verb run-sealed the program is sealed first.
    """
    os.makedirs(os.path.dirname(folder), exist_ok=True)
    log = folder + ".log"
    code = make("sims/verilator", verb, f"CONFIG={config}", f"BINARY={elf(program)}", f"RUN_DIR={folder}",
                "EXTRA_SIM_FLAGS=" + " ".join(["--max-cycles", str(MAX_CYCLES), *map(str, flags)]), log=log)
    print(f"  {config:24} {'sealed ' if verb == 'run-sealed' else ''}{program:12} {outcome(folder, code)}", flush=True)
    if code:
        with open(log, errors="replace") as file:
            print(*("    " + line.rstrip("\n") for line in file.readlines()[-15:]), sep="\n", flush=True)
    discard_images(folder, program)
    return code == 0


def outcome(folder, code):
    try:
        with open(os.path.join(folder, "run.json")) as file:
            record = json.load(file)
    except (OSError, ValueError):
        return "did not run"
    verdict = "" if code == 0 else "  FAILED"
    return f"exit code {record['exit_code']}, {record['cycles']:>11,} cycles, {record['kHz']:.0f} kHz{verdict}"


def discard_images(folder, program):
    """Dumps and images are checked by now, and each is as large as the DRAM."""
    for image in (os.path.join(folder, program + ".pkg"), folder + "-sealed"):
        shutil.rmtree(image, ignore_errors=True)
    if os.path.exists(os.path.join(folder, "dram.bin")):
        os.remove(os.path.join(folder, "dram.bin"))


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
