"""Tables and plots of a sweep, from the records of its runs: sweep_report.py PLAN FOLDER, called by workflow/Snakefile.

Writes index.html, summary.md, summary.json and the plots. Runs that are missing are named, and the others reported.
"""

import json
import math
import os
import subprocess
import sys

sys.dont_write_bytecode = True
import jinja2
import matplotlib
matplotlib.use("Agg")
from matplotlib import pyplot

import sweep_plan
from simulation import TOP

matplotlib.rcParams.update({"svg.hashsalt": "hauberk", "figure.constrained_layout.use": True, "axes.spines.top": False, "axes.spines.right": False})
TEMPLATES = os.path.join(TOP, "workflow")
GENERATED = os.path.join(TOP, "sims", "verilator", "generated-src")
MARKERS = "oDsv^P*X"


def load(*path):
    try:
        with open(os.path.join(*path)) as file:
            return json.load(file)
    except (OSError, ValueError):
        return None


def kernel_cycles(folder):
    """What a program says of itself; None for a run that is not there or was not found good."""
    check = load(folder, "check.json")
    if not check or check["dram_check"] != "pass":
        return None
    with open(os.path.join(folder, "uart.log")) as file:
        said = [line.split() for line in file]
    counts = [int(words[1]) for words in said if len(words) == 2 and words[0] == "cycles"]
    return counts[-1] if counts else None


def mean(ratios):
    return math.exp(sum(map(math.log, ratios)) / len(ratios)) if ratios else None


def point(plan, out, dram, config):
    """What is known of a configuration under a DRAM timing."""
    def cycles(config, program):
        return kernel_cycles(os.path.join(out, "runs", dram, config, program))

    runs = {program: (cycles(config, program), cycles(plan.baseline, program)) for program in plan.programs}
    slowdowns = {program: ours / theirs - 1 for program, (ours, theirs) in runs.items() if ours and theirs}
    soc = load(GENERATED, config, config + ".json") or {}
    bytes_of = soc.get("dramBytes", 0)
    area, bare = load(out, "area", config + ".json"), load(out, "area", plan.baseline + ".json")
    return {"dram": dram, "config": config, "cycles": {program: ours for program, (ours, _) in runs.items()}, "slowdown": slowdowns,
            "mean_slowdown": mean([1 + slowdown for slowdown in slowdowns.values()]) - 1 if slowdowns else None,
            "claims": soc.get("claims", []), "metadata_share": 1 - soc.get("dataBytes", bytes_of) / bytes_of if bytes_of else None,
            "luts": area and area["soc"]["luts"], "luts_increase": area and bare and area["soc"]["luts"] - bare["soc"]["luts"]}


def percent(value, sign="+"):
    return "-" if value is None else f"{100 * value:{sign}.1f} %"


def count(value):
    return "-" if value is None else f"{value:,}"


def best(points, x, y):
    """Points that no other beats in one of both measures without losing in the other."""
    return [p for p in points if not any(q is not p and q[x] <= p[x] and q[y] <= p[y] and (q[x] < p[x] or q[y] < p[y]) for q in points)]


def save(figure, out, name):
    figure.savefig(os.path.join(out, name), metadata={"Date": None})
    pyplot.close(figure)
    return name


def bars(plan, points, out, dram):
    """Slowdown of each program on each configuration."""
    figure, axes = pyplot.subplots(figsize=(max(6, 0.5 * len(plan.programs) * (len(points) + 1)), 4))
    width = 0.8 / max(1, len(points))
    for at, found in enumerate(points):
        values = [100 * found["slowdown"].get(program, math.nan) for program in plan.programs]
        axes.bar([x + (at - (len(points) - 1) / 2) * width for x in range(len(values))], values, width, label=found["config"])
    axes.set_xticks(range(len(plan.programs)), plan.programs)
    axes.set_ylabel("slowdown (%)")
    axes.axhline(0, color="gray", linewidth=0.8)
    figure.legend(loc="outside upper left", fontsize="small", frameon=False)
    return save(figure, out, f"slowdown-{dram}.svg")


def pareto(points, out, dram, measure, label, scale):
    """Slowdown against what else it costs. The marker says what is protected; a line joins the points that none with the same promises beats."""
    shown = [found for found in points if found["mean_slowdown"] is not None and found[measure] is not None]
    if not shown:
        return []
    figure, axes = pyplot.subplots(figsize=(7, 4.5))
    kinds = list(dict.fromkeys(", ".join(found["claims"]) or "nothing" for found in shown))
    for kind, marker in zip(kinds, MARKERS * len(kinds)):
        those = [found for found in shown if (", ".join(found["claims"]) or "nothing") == kind]
        drawn = axes.scatter([100 * found["mean_slowdown"] for found in those], [scale * found[measure] for found in those], marker=marker, label=kind)
        front = sorted(best(those, "mean_slowdown", measure), key=lambda found: found["mean_slowdown"])
        axes.plot([100 * found["mean_slowdown"] for found in front], [scale * found[measure] for found in front], color=drawn.get_facecolor()[0],
                  linewidth=0.8, linestyle="--")
    for found in shown:
        axes.annotate(found["config"].replace("RocketConfig", ""), (100 * found["mean_slowdown"], scale * found[measure]),
                      textcoords="offset points", xytext=(5, 5), fontsize="x-small")
    axes.margins(x=0.25, y=0.15)
    axes.set_xlabel("mean slowdown (%)")
    axes.set_ylabel(label)
    figure.legend(title="protects", loc="outside upper left", fontsize="small", frameon=False)
    return [save(figure, out, f"pareto-{measure.replace('_', '-')}-{dram}.svg")]


def part_of(plan, points, out, dram, timing):
    rows = [[found["config"], ", ".join(found["claims"]) or "nothing", *(percent(found["slowdown"].get(program)) for program in plan.programs),
             percent(found["mean_slowdown"]), percent(found["metadata_share"], ""),
             *([count(found["luts"]), count(found["luts_increase"])] if plan.area else [])] for found in points]
    plots = [bars(plan, points, out, dram), *pareto(points, out, dram, "metadata_share", "metadata (% of DRAM)", 100),
             *pareto(points, out, dram, "luts_increase", "additional LUTs", 1)]
    return {"title": f"DRAM timing {dram}", "plots": plots, "rows": rows, "texts": [1, 2],
            "text": "A read takes {latency} cycles, a beat of 8 bytes {beat}; the write queue holds {write_queue}.".format(**timing),
            "header": ["configuration", "protects", *plan.programs, "mean", "metadata", *(["LUTs", "additional LUTs"] if plan.area else [])]}


def firesim_part(path):
    """What FireSim's manager ran, and `hauberk-report firesim` collected."""
    rows = [[row["config"], row["program"], count(row["cycles"]), percent(row["overhead"])] for row in load(path) or []]
    return {"title": "FireSim", "text": f"From {os.path.basename(path)}, measured on FPGAs.", "plots": [], "rows": rows, "texts": [1, 2],
            "header": ["configuration", "program", "cycles", "slowdown"]}


def markdown(part):
    align = ["---" if at in part["texts"] else "---:" for at in range(1, len(part["header"]) + 1)]
    lines = [part["header"], align, *part["rows"]]
    return f"## {part['title']}\n\n{part['text']}\n\n" + "".join(f"| {' | '.join(line)} |\n" for line in lines)


def revision():
    described = subprocess.run(["git", "-C", TOP, "describe", "--always", "--dirty"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    return described.stdout.strip() or "unknown"


def main(path, out):
    plan = sweep_plan.read(path)
    points = {dram: [point(plan, out, dram, config) for config in plan.points] for dram in plan.dram}
    missing = [f"{dram}/{config}/{program}" for dram in plan.dram for config in plan.configs for program in plan.programs
               if kernel_cycles(os.path.join(out, "runs", dram, config, program)) is None]
    parts = [part_of(plan, points[dram], out, dram, timing) for dram, timing in plan.dram.items()] + list(map(firesim_part, plan.firesim))
    facts = {"title": plan.title, "plan": os.path.relpath(path, TOP), "revision": revision(), "baseline": plan.baseline, "missing": missing}
    with open(os.path.join(out, "summary.json"), "w") as file:
        json.dump({**facts, "dram": plan.dram, "points": [found for dram in points.values() for found in dram]}, file, indent=2)
        file.write("\n")
    with open(os.path.join(out, "summary.md"), "w") as file:
        file.write(f"# {plan.title}\n\nRevision {facts['revision']}, by `make sweep PLAN={facts['plan']}`, against {plan.baseline}.\n\n"
                   + "\n".join(map(markdown, parts)))
    page = jinja2.Environment(loader=jinja2.FileSystemLoader(TEMPLATES), autoescape=True).get_template("report.html.j2").render(**facts, parts=parts)
    # Last, and whole: this is what Snakemake waits for
    with open(os.path.join(out, "index.html.new"), "w") as file:
        file.write(page)
    os.replace(os.path.join(out, "index.html.new"), os.path.join(out, "index.html"))
    if missing:
        sys.exit("not run: " + ", ".join(missing))


main(*sys.argv[1:])
