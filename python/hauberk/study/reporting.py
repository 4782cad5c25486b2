"""Reports on a plan's runs: the files of its folder of results."""

import importlib
import json
import os

from hauberk.study import bounds
from hauberk.study.collection import Folders
from hauberk.study.errors import write_text
from hauberk.study.kinds import slowdown
from hauberk.study.report import distinct


def report_of(plan, study, runs):
    return importlib.import_module(f"hauberk.study.kinds.{study.kind}").report(plan, study, runs)


def write(plan, out):
    """Reports on the runs below `out`. Returns the faults."""
    runs = Folders(out, plan)
    reports = [report_of(plan, study, runs) for study in plan.studies]
    points = {study.name: report.points for study, report in zip(plan.studies, reports) if study.kind == "slowdown"}
    texts = [report.text for report in reports]
    problems = distinct(problem for report in reports for problem in report.problems)
    printed = [report.printed for report in reports]
    files = {name: text for report in reports for name, text in report.files.items()}
    if points:
        files["bounds.json"] = json.dumps(bounds.record(plan, points), indent=2) + "\n"
        texts.append(slowdown.start_up([point for those in points.values() for point in those]))
        problems += bounds.missed(plan, points)
    if plan.bounds:
        texts.insert(0, bounds.text(plan, points))
        printed = texts[:1]
    for name, text in files.items():
        write_text(os.path.join(out, name), text() if callable(text) else text)
    # Last: Snakemake waits for this file
    write_text(os.path.join(out, "summary.md"), "\n\n".join([f"# {plan.title}", *(text for text in texts if text)]) + "\n")
    print("\n\n".join(printed))
    return problems
