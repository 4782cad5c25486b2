"""Folders that belong to a run: made by it, marked as its own, and never anybody else's."""

import contextlib
import fcntl
import os
import shutil
import sys

MARK = ".hauberk-run"
TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# What is in these is made by runs alone, and ignored by git.
OUTPUT = [os.path.join(TOP, "results"), os.path.join(TOP, "sims", "verilator", "output")]


def refusal(folder):
    """Why nothing may be removed from this folder; None if it is not there, is empty, or is a run's own."""
    if not os.path.lexists(folder):
        return None
    if not os.path.isdir(folder):
        return f"{folder} is not a folder: name another one for the run"
    path = os.path.realpath(folder)
    if any(os.path.commonpath([path, own]) == own != path for own in OUTPUT):
        return None
    if os.listdir(folder) and not os.path.exists(os.path.join(folder, MARK)):
        return f"{folder} is not empty, and no run of Hauberk made it: empty it, or name another folder for the run"
    return None


@contextlib.contextmanager
def claimed(folder, keep=False):
    """The folder, empty but for its mark unless `keep`, for as long as the context lasts. Exits with one sentence if it holds
    what no run made, cannot be made, or is another run's at this time."""
    complaint = refusal(folder)
    if complaint:
        sys.exit(complaint)
    try:
        os.makedirs(folder, exist_ok=True)
        mark = open(os.path.join(folder, MARK), "a")
    except OSError as error:
        sys.exit(f"cannot make the folder {folder} for the run: {error.strerror}")
    with mark:
        try:
            fcntl.flock(mark, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            sys.exit(f"another run is using {folder}: wait until it has ended, or name another folder for this one")
        if not keep:
            for name in os.listdir(folder):
                path = os.path.join(folder, name)
                if name == MARK:
                    continue
                if os.path.isdir(path) and not os.path.islink(path):
                    shutil.rmtree(path)
                else:
                    os.remove(path)
        yield folder
