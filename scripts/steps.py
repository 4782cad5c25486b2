"""The steps of a checked run, as command lines: image, simulation, check. `run-program` and workflow/Snakefile run them."""

import os

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
IMAGE = os.path.join(TOP, "scripts", "hauberk-image")
SEAL = os.path.join(TOP, "scripts", "hauberk-seal")


def image(elf, soc, package):
    """Encrypts a program under a fresh key, for the SoC of this description."""
    return [IMAGE, "pack", "--elf", elf, "--soc", soc, "--out", package]


def simulation(simulator, soc, package, program, folder, flags=()):
    """Runs the image; leaves uart.log, run.json and dram.bin in the folder."""
    return [simulator, package, "--config-json", soc, "--program", program, "--uart-log", os.path.join(folder, "uart.log"),
            "--stats", os.path.join(folder, "run.json"), "--dump", os.path.join(folder, "dram.bin"),
            "--watch", os.path.join(package, "plaintext.bin"), *flags]


def check(package, folder, flags=()):
    """Compares the DRAM of a run with what the program should have left; leaves check.json in the folder."""
    return [IMAGE, "check", "--package", package, "--run", os.path.join(folder, "run.json"), "--dump", os.path.join(folder, "dram.bin"),
            "--uart", os.path.join(folder, "uart.log"), "--out", os.path.join(folder, "check.json"), *flags]


def seal(elf, soc, out, flags):
    """Seals pages of a program; leaves the sealed program and `out`.credentials.json."""
    return [SEAL, "--elf", elf, "--soc", soc, "--out", out, *flags]
