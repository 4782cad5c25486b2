"""A figure of a paper: the slowdown at each point beside the paper's, and, where nothing is swept, program by program."""

import json

from hauberk.study import comparison, plots
from hauberk.study.markdown import table
from hauberk.study.report import Report, count, distinct, percent, scaled


def report(plan, study, runs):
    points = comparison.measured(study, runs)
    text = body(study, points)

    def plot():
        return plot_of(study, points)

    return Report(f"## {study.title}\n\n{text}", points_table(points),
                  {f"{study.name}.json": json.dumps(record(study, points), indent=2) + "\n", f"{study.name}.md": text + "\n", f"{study.name}.svg": plot},
                  {study.name: text}, {study.name: plot}, comparison.problems_of(points), points)


def body(study, points):
    parts = [f"{study.source}. {study.note}", points_table(points)]
    if not study.x_axis:
        rows = [[program, *(percent(point.slowdown(program)) for point in points)] for program in study.programs]
        parts.append(table(["program", *(point.point.label for point in points)], rows))
    return "\n\n".join(parts)


COLUMNS = {
    "point": lambda measured: measured.point.label,
    "mean slowdown": lambda measured: percent(measured.mean) + spread(measured),
    "worst program": lambda measured: worst(measured),
    "bus traffic": lambda measured: percent(measured.bus_traffic, missing=""),
    "counter hits": lambda measured: percent(measured.hit_rate, 1, "", ""),
    "metadata per data block": lambda measured: "" if measured.metadata_traffic is None else f"{measured.metadata_traffic:.3f}",
    "the paper": lambda measured: papers(measured.point.paper),
}


def points_table(points):
    """A column that is empty at every point is left out, except the columns that every memory protector has."""
    bus = any(point.bus_traffic is not None for point in points)
    shown = [name for name, text in COLUMNS.items() if (name != "bus traffic" and not bus) or any(map(text, points))]
    return table(shown, [[COLUMNS[name](point) for name in shown] for point in points])


def spread(measured):
    """The confidence interval, if runs were repeated."""
    return "" if measured.interval is None else f" ± {percent(measured.interval, sign='')}"


def worst(measured):
    return f"{measured.worst.program} {percent(measured.worst.slowdown)}" if measured.worst else "?"


def papers(value):
    if value is None:
        return ""
    parts = [value.mean is not None and f"mean {percent(value.mean)}", value.worst is not None and f"worst {percent(value.worst)}", value.note]
    return "; ".join(part for part in parts if part)


def plot_of(study, points):
    if study.x_axis:
        axis, groups = study.x_axis, distinct(point.x for point in study.points)
        means = {(point.point.series, point.point.x): point.mean for point in points}
        series = [(name, scaled(means.get((name, x)) for x in groups)) for name in distinct(point.series for point in study.points)]
    else:
        axis, groups = "program", [*study.programs, "geometric mean"]
        series = [(point.point.label, scaled([*map(point.slowdown, study.programs), point.mean])) for point in points]
    return plots.bars(study.title, axis, "slowdown (%)", groups, series)


def record(study, points):
    """The study as JSON. Slowdowns are fractions. A value that was not measured, or that the paper does not give, is null."""
    return {"study": study.name, "title": study.title, "source": study.source, "note": study.note, "baseline": study.baseline,
            "points": [point_record(point) for point in points]}


def point_record(measured):
    point = measured.point
    return {
        "series": point.series, "x": point.x, "config": point.config, "dram": point.dram, "mean_slowdown": measured.mean,
        **({} if measured.interval is None else {"mean_interval": measured.interval}),
        "worst_program": measured.worst and measured.worst.program, "worst_slowdown": measured.worst and measured.worst.slowdown,
        "mean_bus_traffic_increase": measured.bus_traffic, "counter_hit_rate": measured.hit_rate, "metadata_per_data_block": measured.metadata_traffic,
        "initialisation_cycles": measured.start_up,
        "paper": point.paper and {"mean": point.paper.mean, "worst": point.paper.worst, "note": point.paper.note},
        "programs": [{
            "program": pair.program, "cycles": pair.own.cycles, "baseline_cycles": pair.reference.cycles, "slowdown": pair.slowdown,
            "bus_cycles_used": pair.own.bus_used, "bus_traffic_increase": pair.bus_traffic, "authentications": pair.own.bus_authentications,
            "counter_hits": pair.own.hits, "counter_misses": pair.own.misses, "data_blocks": pair.data, "metadata_blocks": pair.metadata,
            "dram_check": pair.own.dram_check} for pair in measured.pairs]}


def start_up(points):
    """Start-up cycles of every scheme, with one line for each number of cycles of a scheme."""
    firsts = {}
    for point in points:
        if point.start_up is not None:
            firsts.setdefault((point.point.config.split("_")[-1], point.point.dram, point.start_up), point)
    rows = [[point.point.config, point.point.dram, count(point.start_up)] for point in firsts.values()]
    return "## Start-up\n\nCycles from reset until the protector can be armed, apart from keys.\n\n" + table(["configuration", "DRAM", "cycles"], rows)
