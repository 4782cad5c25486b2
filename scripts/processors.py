"""Processors with secure contexts, for the applications of docs/contexts.md: a manufacturer, its processors, and Linux on one of them."""

import argparse
import json
import os
import subprocess
import sys

import attest
from simulation import TOP

# Linux boots sooner so
FAST_DRAM = "--dram-latency 3 --dram-beat 1"
ATTEST = os.path.join(TOP, "scripts", "hauberk-attest")
LIBRARY = os.path.join(TOP, "libhauberk")


def parser(name, description):
    """The options of an application."""
    made = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    made.add_argument("--config", default="AegisContextsRocketConfig", help="the SoC (default: %(default)s)")
    made.add_argument("--sim-flags", default=FAST_DRAM, help="of the simulator: DRAM that is fast (default: %(default)s)")
    made.add_argument("--out", default=os.path.join(TOP, "results", name), metavar="FOLDER")
    return made


def run(*command):
    if subprocess.run(command, cwd=TOP, stdin=subprocess.DEVNULL).returncode != 0:
        sys.exit(f"this failed, see above: {' '.join(command)}")


def tell(*command):
    return subprocess.run([ATTEST, *command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def write(folder, name, contents):
    path = os.path.join(folder, name)
    with open(path, "w") as file:
        file.write(contents)
    return path


def make_manufacturer(folder, name, path):
    run(ATTEST, "authority", "--name", name, "--out", os.path.join(folder, path))


def make_processor(folder, name):
    """Its fuses, as the simulator takes them, and its certificate."""
    secret = os.urandom(attest.WORD)
    credentials = write(folder, f"{name}.credentials.json", json.dumps({"contextSecret": secret.hex()}))
    run(ATTEST, "certify", "--authority", os.path.join(folder, "maker"), "--name", name,
        "--key", attest.point_of(attest.key_of(secret).public_key()).hex(), "--out", os.path.join(folder, f"{name}.pem"))
    return credentials


def build(*programs):
    run("make", "--no-print-directory", "-C", LIBRARY, *(f"build/{program}.tee" for program in programs))


def image(program):
    return os.path.join(LIBRARY, "build", f"{program}.tee")


def linux(chosen, folder, credentials, job, *sim_flags):
    """Builds Linux with a job, and gives the command that runs it."""
    config, flags = chosen.config, " ".join([chosen.sim_flags, f"--credentials '{credentials}'", *sim_flags])
    run("make", "--no-print-directory", "-C", "tests/linux", f"CONFIG={config}", "OWN=", "BENCHMARKS=", "WATCHED=", f"JOB={job}")
    return ["make", "--no-print-directory", "-C", os.path.join(TOP, "sims", "verilator"), f"CONFIG={config}", "run-binary",
            f"BINARY={TOP}/tests/linux/build/{config}/linux.elf", f"RUN_DIR={folder}/run", f"EXTRA_SIM_FLAGS={flags}"]
