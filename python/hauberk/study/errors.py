"""What a user can put right."""

import os
import tempfile


class StudyError(Exception):
    """A sentence that says what to change, or several, one a line. The command ends with exit code 2."""


def read_text(path, what):
    """The text of a file; StudyError names what is missing."""
    try:
        with open(path, encoding="utf-8", errors="replace", newline="") as file:
            return file.read()
    except OSError as error:
        raise StudyError(f"cannot read the {what} {path}: {error.strerror}") from None


def write_text(path, text):
    """Writes a file whole or not at all. A full disk leaves the old file as it was."""
    try:
        os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
        with tempfile.NamedTemporaryFile("w", dir=os.path.dirname(os.path.abspath(path)), delete=False, encoding="utf-8", newline="") as file:
            try:
                file.write(text)
                file.flush()
            except OSError:
                os.unlink(file.name)
                raise
        os.chmod(file.name, 0o644)
        os.replace(file.name, path)
    except OSError as error:
        raise StudyError(f"cannot write {path}: {error.strerror}; nothing was changed") from None
