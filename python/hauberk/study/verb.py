"""Runs a plan: builds its inputs, runs and checks each program, reports, and records rows with --docs."""

import dataclasses
import os
import sys

from hauberk.study import collection, place, plan_file, plan_parts
from hauberk.study.errors import StudyError

import runner
import scheduler
from run_folder import claimed


def add_options(parser):
    parser.add_argument("plan", metavar="PLAN", help="such as bench/plans/demo.yml")
    parser.add_argument("--studies", nargs="+", metavar="STUDY", help="default: all of the plan")
    parser.add_argument("--configs", nargs="+", metavar="CONFIG", help="of studies whose plan lists configs: these, of which the first is the baseline")
    parser.add_argument("--programs", nargs="+", metavar="PROGRAM", help="replace the plan's programs")
    parser.add_argument("--out", help="default: results and the name of the plan")
    parser.add_argument("--list", action="store_true", help="check the plan, list its runs, and run nothing")
    parser.add_argument("--max-cycles", type=int, help="a run that has not ended by then fails")
    parser.add_argument("--docs", action="store_true", help="record the runs in docs/figures/runs.csv and show them on the pages")
    scheduler.add_options(parser)


def chosen_plan(options, names=True):
    """The plan, changed by the options of the command line."""
    plan = plan_file.read(options.plan, names)
    known = [study.name for study in plan.studies]
    for name in options.studies or []:
        if name not in known:
            raise StudyError(f"there is no study {name}: choose among {', '.join(known)}")
    if names:
        refuse_unknown(options)
    studies = [study for study in plan.studies if not options.studies or study.name in options.studies]
    return plan.chosen([narrowed(study, options) for study in studies])


def refuse_unknown(options):
    """Refuses unknown names on the command line."""
    wrong = list(plan_parts.misnamed([part for name in options.configs or [] for part in name.split("_")]).values())
    wrong += [plan_parts.no_program(name) for name in options.programs or [] if not plan_parts.is_program(name)]
    if wrong:
        raise StudyError("\n".join(wrong))


def narrowed(study, options):
    if options.configs:
        if study.kind not in ("demo", "linux"):
            raise StudyError(f"the study {study.name} lists points, not configurations: leave out --configs")
        if study.kind == "demo" and len(set(options.configs)) < 2 or len(set(options.configs)) != len(options.configs):
            raise StudyError("name two or more configurations, each once")
        baseline = options.configs[0] if study.kind == "demo" else ""
        points = [dataclasses.replace(study.points[0], series=config, config=config, baseline=baseline) for config in options.configs if config != baseline]
        study = dataclasses.replace(study, baseline=baseline, points=tuple(points))
    return dataclasses.replace(study, programs=tuple(options.programs)) if options.programs else study


def runs_of(plan, max_cycles):
    """The runs for the runner; StudyError if two points want other hints for the same run."""
    limit, found = max_cycles or plan.max_cycles or runner.MAX_CYCLES, {}
    kinds = {program: study.kind for study in plan.studies for program in study.programs}
    for one in collection.wanted(plan):
        timing = {name: value for name, value in plan.dram[one.dram].items() if value is not None}
        timing |= {"jitter": one.seed} if one.seed else {}
        is_linux = kinds[one.program] == "linux"
        run = runner.run_of(one.folder, one.config, one.program, hints=list(one.hints) if one.hints is not None else None, sealed=one.sealed,
                            payload=is_linux, check_flags=["--pages"] if is_linux else [],
                            sim_flags=["--max-cycles", limit, *runner.dram_flags(**timing)])
        if found.setdefault(one.folder, run) != run:
            raise StudyError(f"two points want other hints for {one.program} on {one.config}: give one a configuration of its own")
    return list(found.values())


def default_out(plan):
    sweeps = [study.kind for study in plan.studies] == ["sweep"]
    return os.path.join(place.TOP, "results", *(["sweeps"] if sweeps else []), os.path.splitext(os.path.basename(plan.path))[0])


def report_command(options):
    more = [text for name in ("studies", "configs", "programs") if getattr(options, name) for text in (f"--{name}", *getattr(options, name))]
    return [sys.executable, os.path.join(place.SCRIPTS, "study"), "report", os.path.abspath(options.plan), "--out", ".", *more]


def run(options):
    """The exit code."""
    plan = chosen_plan(options)
    runs = runs_of(plan, options.max_cycles)
    if options.list:
        configs = [one["config"] for one in runs]
        print(*(one["folder"] for one in runs), sep="\n")
        print(f"{len(set(configs))} configurations, {len(runs)} runs")
        return 0
    areas = [config for study in plan.studies if study.area for config in study.configs]
    name = os.path.splitext(os.path.basename(plan.path))[0]
    with claimed(os.path.abspath(options.out or default_out(plan)), keep=True) as out:
        # Compilation takes longer than the runs of most simulators
        few = any(study.kind != "linux" and study.kind != "demo" for study in plan.studies)
        made = runner.Runner(name, out, runs, report_command(options), "summary.md", options, payload=plan.payload, areas=areas,
                             sim_opt="-O1" if few else "-Os").make()
        if made and options.docs:
            from hauberk.study import recording
            recording.record(plan, out)
    if any(study.kind == "sweep" for study in plan.studies):
        print(f"{name}: open {os.path.relpath(os.path.join(out, 'index.html'))}")
    return 0 if made else 1
