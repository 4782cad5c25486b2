"""A sweep: slowdown of each configuration under each DRAM timing, and against its other costs, as tables, plots and a page."""

import json
import os

import jinja2

from hauberk.study import comparison, digests, pareto, place
from hauberk.study.markdown import aligned, table
from hauberk.study.report import Report, count, geometric_mean, percent, short_name

TEMPLATES = os.path.join(place.TOP, "workflow")


def load(*path):
    try:
        with open(os.path.join(*path)) as file:
            return json.load(file)
    except (OSError, ValueError):
        return None


def report(plan, study, runs):
    points = comparison.measured(study, runs)
    figure = "\n\n".join(f"DRAM `{name}`:\n\n{slowdowns(study, [point for point in points if point.point.dram == name])}" for name in plan.dram)
    found = Report("", figure, {}, {study.name: figure}, problems=comparison.problems_of(points))
    if runs.out:
        found.text, found.files, missing = page(plan, study, points, runs)
        found.problems = ["not run: " + ", ".join(missing)] if missing else found.problems
    return found


def slowdowns(study, points):
    """The table for a page of the docs."""
    rows = [[short_name(point.point.config.replace("_", " ")), *(percent(point.slowdown(program), 1, "-") for program in study.programs),
             percent(point.mean, 1, "-")] for point in points]
    return table(["configuration", *study.programs, "mean"], rows)


def page(plan, study, points, runs):
    """Returns Markdown, files, and the runs that are missing."""
    found = {name: [facts(study, point, runs) for point in points if point.point.dram == name] for name in plan.dram}
    files, parts = {}, []
    for name, timing in plan.dram.items():
        plots = pareto.plots(study, found[name], name)
        files.update(plots)
        parts.append(part_of(study, found[name], name, timing, list(plots)))
    parts += map(firesim_part, study.firesim)
    missing = [f"{dram}/{config}/{program}" for dram in plan.dram for config in study.configs for program in study.programs
               if cycles(runs.get(dram, config, program)) is None]
    head = {"title": study.title, "plan": os.path.relpath(os.path.abspath(plan.path), place.TOP), "revision": digests.revision(),
            "baseline": study.baseline, "missing": missing}
    environment = jinja2.Environment(loader=jinja2.FileSystemLoader(TEMPLATES), autoescape=True)
    dram = {name: {field: value for field, value in timing.items() if value is not None} for name, timing in plan.dram.items()}
    files["summary.json"] = json.dumps({**head, "dram": dram, "points": [point for those in found.values() for point in those]}, indent=2) + "\n"
    files["index.html"] = environment.get_template("report.html.j2").render(**head, parts=parts)
    text = f"Revision {head['revision']}, by `make sweep PLAN={head['plan']}`, against {study.baseline}.\n\n" + "\n\n".join(map(markdown, parts))
    return text, files, head["missing"]


def cycles(run):
    """None unless the check of DRAM passed."""
    return run.cycles if run and run.dram_check == "pass" else None


def facts(study, measured, runs):
    """Costs of a configuration under a DRAM timing."""
    point = measured.point
    ours, theirs = ({program: cycles(runs.get(point.dram, config, program)) for program in study.programs} for config in (point.config, point.baseline))
    slowdown = {program: ours[program] / theirs[program] - 1 for program in study.programs if ours[program] and theirs[program]}
    soc = load(place.GENERATED, point.config, point.config + ".json") or {}
    size = soc.get("dramBytes", 0)
    area, bare = (load(runs.out, "area", config + ".json") for config in (point.config, point.baseline))
    return {"dram": point.dram, "config": point.config, "cycles": ours, "slowdown": slowdown, "mean_slowdown": geometric_mean(slowdown.values()),
            "claims": soc.get("claims", []), "metadata_share": 1 - soc.get("dataBytes", size) / size if size else None,
            "luts": area and area["soc"]["luts"], "luts_increase": area and bare and area["soc"]["luts"] - bare["soc"]["luts"]}


def part_of(study, points, name, timing, plots):
    rows = [[point["config"], ", ".join(point["claims"]) or "nothing", *(percent(point["slowdown"].get(program), 1, "-") for program in study.programs),
             percent(point["mean_slowdown"], 1, "-"), percent(point["metadata_share"], 1, "-", ""),
             *([count(point["luts"], "-"), count(point["luts_increase"], "-")] if study.area else [])] for point in points]
    return {"title": f"DRAM timing {name}", "plots": plots, "rows": rows, "texts": [1, 2],
            "text": "A read takes {latency} cycles, a beat of 8 bytes {beat}; the write queue holds {write_queue}.".format(**timing),
            "header": ["configuration", "protects", *study.programs, "mean", "metadata", *(["LUTs", "additional LUTs"] if study.area else [])]}


def firesim_part(path):
    """The table of a summary.json of `scripts/study firesim`."""
    rows = [[row["config"], row["program"], count(row["cycles"], "-"), percent(row["overhead"], 1, "-")] for row in load(path) or []]
    return {"title": "FireSim", "text": f"From {os.path.basename(path)}, measured on FPGAs.", "plots": [], "rows": rows, "texts": [1, 2],
            "header": ["configuration", "program", "cycles", "slowdown"]}


def markdown(part):
    columns = [(name, "left" if at in part["texts"] else "right") for at, name in enumerate(part["header"], 1)]
    return f"## {part['title']}\n\n{part['text']}\n\n{aligned(columns, part['rows'])}"
