"""The files of this project: those that git tracks, or, in a tree without git, those that .gitignore does not name."""

import fnmatch
import glob
import os
import subprocess
import sys

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def walked(top):
    """All files that .gitignore's names of folders and patterns of files leave."""
    ignored, names = [], os.path.join(top, ".gitignore")
    if os.path.exists(names):
        with open(names) as file:
            ignored = file.read().split()
    folders = {line.rstrip("/") for line in ignored if line.endswith("/")}
    for folder, inner, files in os.walk(top):
        inner[:] = sorted(set(inner) - folders - {".git"})
        for name in sorted(files):
            if not any(fnmatch.fnmatch(name, pattern) for pattern in ignored):
                yield os.path.relpath(os.path.join(folder, name), top)


def matching(*patterns):
    """Paths of all files that fit patterns, which are named from the top of the tree, in their order."""
    return sorted(path for pattern in patterns for path in glob.glob(os.path.join(TOP, pattern), recursive=True) if os.path.isfile(path))


def tracked(*patterns, top=TOP):
    """Names from the top of the tree, in their order; of files in any folder that fit one of the patterns, if there are any."""
    if os.path.exists(os.path.join(top, ".git")):
        names = subprocess.run(["git", "-C", top, "ls-files"], check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()
    else:
        names = walked(top)
    return sorted(name for name in names if not patterns or any(fnmatch.fnmatch(name, pattern) for pattern in patterns))


if __name__ == "__main__":
    print("\n".join(tracked(*sys.argv[1:])))
