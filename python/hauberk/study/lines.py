"""Text files by lines, with errors that name the file and the line."""

import re

from hauberk.study.errors import StudyError, read_text


class Lines:
    """Lines with their numbers, without line ends. `what` names the kind of file in messages."""

    def __init__(self, path, what, text=None):
        self.path = path
        text = read_text(path, what) if text is None else text
        self.lines = [(number, line.strip()) for number, line in enumerate(text.rstrip("\n").split("\n"), 1)]

    @property
    def last(self):
        return self.lines[-1][0]

    def refuse(self, line, problem):
        raise StudyError(f"{self.path}, line {line}: {problem}")

    def number(self, line, what, text):
        """A number in decimal, not negative."""
        if not re.fullmatch(r"[0-9]+", text):
            self.refuse(line, f"{what} is '{text}', which is no number")
        return int(text)
