#!/usr/bin/python3
"""Decrypts and verifies the DRAM that runs left, by docs/formats.md alone, and compares it with the programs."""

import argparse
import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import mutants
from refusal import Refused
from run import Run
from verify import verify


def report(run, with_mutants):
    """What was verified, as a line. Raises Refused."""
    counts = [f"{count} {what}" for what, count in verify(run).items()]
    return ", ".join(counts + ([f"{mutants.refused(run)} mutants refused"] if with_mutants else []))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mutants", action="store_true", help="change dump and roots in one place at a time, too: each must be refused")
    parser.add_argument("folders", nargs="+", help="of runs, as `make run-binary` leaves them")
    options = parser.parse_args()
    failed = False
    for folder in options.folders:
        try:
            print(f"{folder}: {report(Run(folder), options.mutants)}", flush=True)
        except Refused as why:
            failed = True
            print(f"{folder}: refused: {why}", file=sys.stderr)
    sys.exit(failed)


if __name__ == "__main__":
    main()
