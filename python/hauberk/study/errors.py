"""Errors that a user can correct, and files that are written whole or not at all."""

import os


class StudyError(Exception):
    """One sentence with the correction, or several, one a line. The command ends with exit code 2."""


def read_text(path, what):
    """The text of a file; StudyError names a file that cannot be read."""
    try:
        with open(path, encoding="utf-8", errors="replace", newline="") as file:
            return file.read()
    except OSError as error:
        raise StudyError(f"cannot read the {what} {path}: {error.strerror}") from None


def write_text(path, text):
    """Writes a file whole or not at all. A full disk leaves the old file as it was."""
    new = f"{path}.new{os.getpid()}"
    try:
        os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
        with open(new, "w", encoding="utf-8", newline="") as file:
            file.write(text)
        os.replace(new, path)
    except OSError as error:
        if os.path.exists(new):
            os.unlink(new)
        raise StudyError(f"cannot write {path}: {error.strerror}; nothing was changed") from None
