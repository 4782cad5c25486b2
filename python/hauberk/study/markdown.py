"""Tables in Markdown."""

import re


def table(head, rows, texts=1):
    """A table, padded for terminals. The first `texts` columns are aligned left, the others right."""
    return aligned([[name, "left" if at < texts else "right"] for at, name in enumerate(head)], rows)


def aligned(columns, rows):
    """`columns` are (name, left or right)."""
    widths = [max([3, len(name)] + [len(row[at]) for row in rows]) for at, (name, _) in enumerate(columns)]

    def line(row):
        padded = [text.rjust(width) if side == "right" else text.ljust(width) for text, width, (_, side) in zip(row, widths, columns)]
        return "| " + " | ".join(padded) + " |"

    marks = ["-" * (width - 1) + (":" if side == "right" else "-") for width, (_, side) in zip(widths, columns)]
    return "\n".join([line([name for name, _ in columns]), line(marks), *map(line, rows)])


def cells(line):
    return [cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip().strip("|"))]


def parse(text):
    """Paragraphs, and tables as {columns, rows}."""
    blocks = [block for block in re.split(r"\n{2,}", text.strip("\n")) if block]
    return [parse_table(block.split("\n")) if block.startswith("|") else block for block in blocks]


def parse_table(lines):
    alignments = ["right" if mark.endswith(":") else "left" for mark in cells(lines[1])]
    return {"columns": [list(pair) for pair in zip(cells(lines[0]), alignments)], "rows": [cells(line) for line in lines[2:]]}


def shown(content):
    """A paragraph or a table of `parse`."""
    return content if isinstance(content, str) else aligned(content["columns"], content["rows"])
