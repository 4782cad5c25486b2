"""Tables of coverage: the points of a suite, the share of each source file, and the points that nothing covers."""

import re

from hauberk import table
from hauberk.coverage.points import KINDS

COLUMNS = ["file", "kind", "covered", "points", "excluded", "revision"]
MODULE = re.compile(r"\bclass \w+[^{]*\bextends Module\b")


class ReportError(Exception):
    pass


def save(path, covered):
    path.write_text(table.written([{"kind": kind, "place": place, "what": what, "covered": int(hit)} for (kind, place, what), hit in sorted(covered.items())],
                          ["kind", "place", "what", "covered"]))


def load(path):
    return {(row["kind"], row["place"], row["what"]): row["covered"] == "1" for row in table.read(path.read_text())}


def file_of(place):
    return place.rpartition(":")[0]


def without_points(sources, covered):
    """A line for each module of {file: text} that no suite simulates, which would not count otherwise."""
    seen = {file_of(place) for _, place, _ in covered}
    return {("line", f"{file}:{text[:MODULE.search(text).start()].count(chr(10)) + 1}", "no suite simulates this module"): False
            for file, text in sources.items() if file not in seen and MODULE.search(text)}


def excluded(covered, exclusions):
    """Points that do not count. An exclusion is {file, kind, point, reason}; `point` is a pattern. One that excludes no hole is refused."""
    found = set()
    for row in exclusions:
        if not row["reason"]:
            raise ReportError(f"tests/coverage/exclusions.csv has no reason for {row['point']} of {row['file']}")
        of = {point for point, hit in covered.items()
              if not hit and point[0] == row["kind"] and file_of(point[1]) == row["file"] and re.fullmatch(row["point"], point[2])}
        if not of:
            raise ReportError(f"tests/coverage/exclusions.csv: no {row['kind']} of {row['file']} that is not covered is {row['point']}: remove the row")
        found |= of
    return found


def shares(covered, out, revision):
    """Rows of each file and kind."""
    found = {}
    for point, hit in covered.items():
        row = found.setdefault((file_of(point[1]), KINDS.index(point[0])),
                               {"file": file_of(point[1]), "kind": point[0], "covered": 0, "points": 0, "excluded": 0, "revision": revision})
        if point in out:
            row["excluded"] += 1
        else:
            row["points"] += 1
            row["covered"] += hit
    return [row for _, row in sorted(found.items())]


def holes(covered, out):
    """Rows of the points that nothing covers, in the order of the sources."""
    missing = [point for point, hit in covered.items() if not hit and point not in out]
    missing.sort(key=lambda point: (file_of(point[1]), int(point[1].rpartition(":")[2]), *point))
    return [{"place": place, "kind": kind, "point": what} for kind, place, what in missing]
