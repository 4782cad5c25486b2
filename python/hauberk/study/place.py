"""Paths: the tree, its scripts, and the folders of records and plans."""

import glob
import os
import sys

TOP = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "..", ".."))
SCRIPTS = os.path.join(TOP, "scripts")
FIGURES = os.path.join(TOP, "docs", "figures")
GENERATED = os.path.join(TOP, "sims", "verilator", "generated-src")

# Modules such as runner, simulation and tree, which other scripts also import
if SCRIPTS not in sys.path:
    sys.path.append(SCRIPTS)


def plans():
    """The plans of the tree, whose studies the pages show."""
    return sorted(glob.glob(os.path.join(TOP, "bench", "plans", "*.yml")) + glob.glob(os.path.join(TOP, "bench", "sweeps", "*.yml")))
