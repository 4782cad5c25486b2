"""Plots of a sweep: slowdown of each program, and mean slowdown against other costs of a configuration."""

import math

from matplotlib import pyplot

from hauberk.study.plots import svg_of

MARKERS = "oDsv^P*X"


def plots(study, points, dram):
    """{name of a file: SVG}"""
    found = {f"slowdown-{dram}.svg": bars(study, points)}
    for measure, label, scale in (("metadata_share", "metadata (% of DRAM)", 100), ("luts_increase", "additional LUTs", 1)):
        shown = [point for point in points if point["mean_slowdown"] is not None and point[measure] is not None]
        if shown:
            found[f"pareto-{measure.replace('_', '-')}-{dram}.svg"] = pareto(shown, measure, label, scale)
    return found


def bars(study, points):
    """Slowdown of each program on each configuration."""
    figure, axes = pyplot.subplots(figsize=(max(6, 0.5 * len(study.programs) * (len(points) + 1)), 4))
    width = 0.8 / max(1, len(points))
    for at, point in enumerate(points):
        values = [100 * point["slowdown"].get(program, math.nan) for program in study.programs]
        axes.bar([x + (at - (len(points) - 1) / 2) * width for x in range(len(values))], values, width, label=point["config"])
    axes.set_xticks(range(len(study.programs)), study.programs)
    axes.set_ylabel("slowdown (%)")
    axes.axhline(0, color="gray", linewidth=0.8)
    figure.legend(loc="outside upper left", fontsize="small", frameon=False)
    return svg_of(figure)


def best(points, x, y):
    """The Pareto front: points that no other point dominates."""
    return [p for p in points if not any(q is not p and q[x] <= p[x] and q[y] <= p[y] and (q[x] < p[x] or q[y] < p[y]) for q in points)]


def pareto(points, measure, label, scale):
    """The marker shows the protected properties. A line joins the Pareto front of the points with the same properties."""
    figure, axes = pyplot.subplots(figsize=(7, 4.5))
    kinds = list(dict.fromkeys(", ".join(point["claims"]) or "nothing" for point in points))
    for kind, marker in zip(kinds, MARKERS * len(kinds)):
        those = [point for point in points if (", ".join(point["claims"]) or "nothing") == kind]
        drawn = axes.scatter([100 * point["mean_slowdown"] for point in those], [scale * point[measure] for point in those], marker=marker, label=kind)
        front = sorted(best(those, "mean_slowdown", measure), key=lambda point: point["mean_slowdown"])
        axes.plot([100 * point["mean_slowdown"] for point in front], [scale * point[measure] for point in front], color=drawn.get_facecolor()[0],
                  linewidth=0.8, linestyle="--")
    for point in points:
        axes.annotate(point["config"].replace("RocketConfig", ""), (100 * point["mean_slowdown"], scale * point[measure]),
                      textcoords="offset points", xytext=(5, 5), fontsize="x-small")
    axes.margins(x=0.25, y=0.15)
    axes.set_xlabel("mean slowdown (%)")
    axes.set_ylabel(label)
    figure.legend(title="protects", loc="outside upper left", fontsize="small", frameon=False)
    return svg_of(figure)
