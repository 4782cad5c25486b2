"""Figures that scripts measure: docs/figures/NAME.csv, and the pages that show them (python/hauberk/study)."""

import functools
import os
import shutil
import subprocess
import sys

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.append(os.path.join(TOP, "python"))
from hauberk.study import digests, markdown as tables, records
from hauberk.study.errors import StudyError
from hauberk.study.place import FIGURES


def said(action):
    """The action; bad input ends the script with its sentence."""
    @functools.wraps(action)
    def guarded(*arguments, **options):
        try:
            return action(*arguments, **options)
        except StudyError as error:
            sys.exit(str(error))

    return guarded


load, path_of, record, markdown, revision = said(records.load), records.path_of, said(records.record), tables.shown, digests.revision


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
