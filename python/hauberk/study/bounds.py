"""Bounds of a plan, and the measured values."""

from hauberk.study.kinds import slowdown
from hauberk.study.markdown import table
from hauberk.study.report import percent


def reached(plan, points):
    """(bound, its point or None, the value or None) of each bound. `points` are {study: measured points}."""
    for bound in plan.bounds:
        point = next((point for point in points[bound.study] if bound.matches(point.point)), None)
        yield bound, point, point and (point.bus_traffic if bound.of == "bus traffic" else point.mean)


def text(plan, points):
    return table(["figure", "bound", "measured", "worst program"],
                 [[bound.figure, percent(bound.at_most), percent(value), "" if bound.of == "bus traffic" else slowdown.worst(point) if point else "?"]
                  for bound, point, value in reached(plan, points)])


def record(plan, points):
    return [{"figure": bound.figure, "study": bound.study, "series": bound.series, "x": bound.x, "of": bound.of, "at_most": bound.at_most,
             "measured": value, "met": value is not None and value <= bound.at_most} for bound, _, value in reached(plan, points)]


def missed(plan, points):
    return [f"{bound.figure} misses its bound" for bound, _, value in reached(plan, points) if value is not None and value > bound.at_most]
