"""Tables in files of comma-separated values, with a line of column names."""

import csv
import io


def written(rows, columns):
    """Text of rows, {column: value}, which have these columns and no others."""
    out = io.StringIO()
    writer = csv.DictWriter(out, columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def read(text):
    return list(csv.DictReader(io.StringIO(text)))
