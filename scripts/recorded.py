"""Figures that scripts measure: docs/figures/NAME.csv, and the pages that show them (python/hauberk/study)."""

import os
import shutil
import subprocess
import sys

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.append(os.path.join(TOP, "python"))
from hauberk.study.markdown import shown as markdown  # noqa: F401
from hauberk.study.place import FIGURES
from hauberk.study.records import load, path_of, record  # noqa: F401


def show():
    """Puts the figures on the pages."""
    subprocess.run([os.path.join(TOP, "scripts", "figures")], check=True, stdin=subprocess.DEVNULL)


def put_into_docs(names, out, command):
    """Records the tables NAME.md that the command has just left, and copies a plot that a page shows."""
    for name in names:
        with open(os.path.join(out, name + ".md")) as file:
            record(name, command, file.read())
        if os.path.exists(os.path.join(FIGURES, name + ".svg")):
            shutil.copy(os.path.join(out, name + ".svg"), FIGURES)
    show()
