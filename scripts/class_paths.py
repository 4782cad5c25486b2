"""Where the compiled tests of the generators are."""

import subprocess
import sys

from simulation import TOP
from test_stages import LIBRARIES


def class_paths():
    """Of the tests of each library, compiled."""
    tasks = [f"{library}/Test/compile" for library in LIBRARIES] + [f"export {library}/Test/fullClasspath" for library in LIBRARIES]
    run = subprocess.run(["./sbt", "++2.13.15", *tasks], cwd=TOP, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
    paths = [line for line in run.stdout.splitlines() if line.startswith("/")]
    if run.returncode or len(paths) != len(LIBRARIES):
        sys.exit(f"the generators' tests do not compile:\n{run.stdout[-3000:]}")
    return dict(zip(LIBRARIES, paths))
