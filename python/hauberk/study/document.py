"""A YAML document whose nodes have line numbers. All mistakes are reported together."""

import difflib

import yaml

from hauberk.study.errors import StudyError


def nearest(name, known):
    close = difflib.get_close_matches(name, known, 1)
    return f" (is it {close[0]}?)" if close else ""


def compose(path):
    """The root node; None of an empty document."""
    try:
        with open(path) as file:
            return yaml.compose(file, Loader=yaml.SafeLoader)
    except OSError as error:
        raise StudyError(f"cannot read the plan {path}: {error.strerror}") from None
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise StudyError(f"{path} is not YAML: {error}") from None


class Reader:
    """Walks through nodes and collects complaints, each with its line."""

    def __init__(self, path):
        self.path, self.complaints = path, []

    def complain(self, node, text):
        self.complaints.append((node.start_mark.line + 1, text))

    def finish(self):
        if self.complaints:
            raise StudyError("\n".join(f"{self.path}:{line}: {text}" for line, text in sorted(self.complaints)))

    def mapping(self, node, what, known=None, needed=()):
        """{key: node of its value}"""
        if not isinstance(node, yaml.MappingNode):
            self.complain(node, f"{what} must be a list of `name: value`")
            return {}
        found = {}
        for key, value in node.value:
            if not isinstance(key, yaml.ScalarNode):
                self.complain(key, f"a name in {what} must be one word")
            elif known and key.value not in known:
                self.complain(key, f"{what} has no {key.value}{nearest(key.value, known)}: it may have {', '.join(known)}")
            elif key.value in found:
                self.complain(key, f"{key.value} stands here twice: leave one")
            else:
                found[key.value] = value
        for name in needed:
            if name not in found:
                self.complain(node, f"{name} is missing")
        return found

    def items(self, node, what):
        if isinstance(node, yaml.SequenceNode) and node.value:
            return node.value
        self.complain(node, f"{what} must be a list, such as [a, b]")
        return []

    def text(self, node, what, default=""):
        """The text of a node; the default where there is none."""
        if node is None or isinstance(node, yaml.ScalarNode):
            return default if node is None else node.value
        self.complain(node, f"{what} must be one name")
        return default

    def texts(self, node, what):
        """(text, node) of each item"""
        return [(self.text(item, what), item) for item in self.items(node, what)] if node is not None else []

    def choice(self, node, what, known, default):
        """One of the known names, or the default if there is no node."""
        name = self.text(node, what, default)
        if node is not None and name not in known:
            self.complain(node, f"{what} is {name}{nearest(name, known)}: it must be {' or '.join(known)}")
        return name

    def whole(self, node, what, least):
        try:
            value = int(self.text(node, what))
        except ValueError:
            self.complain(node, f"{what} must be a whole number, at least {least}")
            return least
        if value < least:
            self.complain(node, f"{what} is {value}: it must be at least {least}")
        return value

    def fraction(self, node, what):
        try:
            return None if node is None else float(self.text(node, what))
        except ValueError:
            self.complain(node, f"{what} must be a number, such as 0.02")
            return None
