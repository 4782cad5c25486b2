"""Where the compiled tests of the generators and of Rocket Chip's adapters are."""

import subprocess
import sys

from simulation import TOP
from test_stages import LIBRARIES

# Rocket Chip's side of the libraries
ADAPTERS = "src"


def class_paths(*parts):
    """{part: class path} of their tests, compiled; parts are LIBRARIES and ADAPTERS."""
    paths = compiled("2.13.15", {library: library for library in LIBRARIES if library in parts})
    return {**paths, **(compiled("2.12.20", {ADAPTERS: "hauberk"}) if ADAPTERS in parts else {})}


def compiled(scala, projects):
    """`projects` are {part: project of sbt}."""
    tasks = [f"{project}/Test/compile" for project in projects.values()] + [f"export {project}/Test/fullClasspath" for project in projects.values()]
    run = subprocess.run(["./sbt", f"++{scala}", *tasks], cwd=TOP, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
    paths = [line for line in run.stdout.splitlines() if line.startswith("/")]
    if run.returncode or len(paths) != len(projects):
        sys.exit(f"the tests of {', '.join(projects)} do not compile:\n{run.stdout[-3000:]}")
    return dict(zip(projects, paths))
