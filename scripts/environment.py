"""Virtual environments of Python, made once for each version of their requirements, in the cache folder."""

import fcntl
import hashlib
import os
import subprocess
import sys
import venv

import store

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def python(requirements, purpose):
    """The interpreter of an environment with the packages of this file, which is named from the top of the repository."""
    path = os.path.join(TOP, requirements)
    with open(path, "rb") as file:
        digest = hashlib.sha256(file.read() + sys.version.encode()).hexdigest()[:16]
    cache = store.folder()
    folder = os.path.join(cache, os.path.basename(os.path.dirname(path)) + "-" + digest)
    interpreter = os.path.join(folder, "bin", "python")
    complete = os.path.join(folder, "complete")
    if os.path.exists(complete):
        return interpreter
    with open(folder + ".lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not os.path.exists(complete):
            print(f"installing {purpose} into {folder}", flush=True)
            venv.create(folder, with_pip=True, clear=True)
            if subprocess.call([interpreter, "-m", "pip", "install", "-q", "--disable-pip-version-check", "-r", path]) != 0:
                sys.exit(f"pip cannot install {requirements}: see its message, then run this again")
            with open(complete, "w"):
                pass
    return interpreter


def enter(requirements, purpose):
    """Goes on in the environment: the script is run again by its interpreter, unless it is running there."""
    interpreter = python(requirements, purpose)
    if os.path.realpath(sys.prefix) != os.path.realpath(os.path.dirname(os.path.dirname(interpreter))):
        os.execv(interpreter, [interpreter, *sys.argv])
