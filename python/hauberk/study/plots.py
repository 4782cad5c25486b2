"""Bars in groups, as SVG. The same numbers give the same bytes."""

import io
import math

import matplotlib
matplotlib.use("Agg")
from matplotlib import pyplot

matplotlib.rcParams.update({"svg.hashsalt": "hauberk", "figure.constrained_layout.use": True, "axes.spines.top": False, "axes.spines.right": False})
# Distinguishable without colour vision (Okabe and Ito), the lighter ones last
COLOURS = ["#d55e00", "#0072b2", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"]


def svg_of(figure):
    text = io.StringIO()
    figure.savefig(text, format="svg", metadata={"Date": None})
    pyplot.close(figure)
    return "".join(line.rstrip() + "\n" for line in text.getvalue().splitlines())


def bars(title, x_axis, y_axis, groups, series):
    """`series` are (name, height of a bar for each group; None for no bar)."""
    figure, axes = pyplot.subplots(figsize=(11, 5))
    width = 0.75 / max(1, len(series))
    for at, (name, heights) in enumerate(series):
        shift = (at - (len(series) - 1) / 2) * width
        axes.bar([x + shift for x in range(len(groups))], [math.nan if height is None else height for height in heights], width, label=name,
                 color=COLOURS[at % len(COLOURS)])
    axes.set_xticks(range(len(groups)), groups, rotation=35, ha="right")
    axes.set_title(title)
    axes.set_xlabel(x_axis)
    axes.set_ylabel(y_axis)
    axes.axhline(0, color="gray", linewidth=0.8)
    axes.grid(axis="y", color="#dddddd")
    axes.set_axisbelow(True)
    if series:
        figure.legend(loc="outside lower center", ncols=3, frameon=False)
    return svg_of(figure)
