"""Latency that instruction decryption adds to fetches, beside the model of its paper (docs/emu.md)."""

import json

from hauberk.study import ibench, plots
from hauberk.study.errors import StudyError
from hauberk.study.markdown import table
from hauberk.study.report import Report, distinct
from hauberk.study.run import flags_of

# A slowdown of 1.00, to the two decimals of the paper: random replacement changes the third
NONE = 1.005


def report(plan, study, runs):
    model = modelled(study, runs)
    problems = [f"{what} is {value:.4f}, bound {bound}" for what, value, bound in figures(model) if bound is not None and value > bound]
    text = body(model)

    def plot():
        return plot_of(model)

    return Report(f"## {study.title}\n\n{text}", figures_table(model),
                  {f"{study.name}.json": json.dumps(record(plan, model), indent=2) + "\n", f"{study.name}.md": text + "\n", f"{study.name}.svg": plot},
                  {study.name: text}, {study.name: plot}, problems)


def modelled(study, runs):
    def profile(series, x):
        name = f"{series}-{x}" if x else series
        point = next((point for point in study.points if (point.series, point.x) == (series, x)), None)
        run = point and runs.get(point.dram, point.config, study.programs[0], flags_of(point.hints, point.sealed))
        if not run:
            raise StudyError(f"iBench did not run as {name}: run make ibench")
        return ibench.profile(name, run.console)

    modes = distinct(point.series for point in study.points if point.x)
    return ibench.Model(profile("none", ""), {mode: (profile(mode, "plain"), profile(mode, "sealed")) for mode in modes})


def figures(model):
    """(name, value, bound or None)"""
    def counter(mode, bound):
        return bound if mode == "counter" else None

    return [
        *((f"cycles added to a fetch in plaintext, {mode} mode", cycles, 0.0) for mode, cycles in model.added_plain.items()),
        *((f"cycles added to a sealed fetch, {mode} mode", cycles, counter(mode, 0.0)) for mode, cycles in model.added_sealed.items()),
        *((f"worst slowdown, {mode} mode", model.worst(mode), counter(mode, NONE)) for mode in model.modes),
        ("model against measurement, worst error", model.error, 0.022),
        ("fetches against loads, from memory", model.fetches_against_loads, None)]


def figures_table(model):
    return table(["figure", "measured", "bound"],
                 [[what, f"{value:.4f}", "reported" if bound is None else f"at most {bound}"] for what, value, bound in figures(model)])


def body(model):
    head = ["cycles", *(f"{line.kib} KiB" for line in model.none.fetches), "never cached"]
    latencies = [[profile.name, *(f"{line.per_step:.2f}" for line in profile.fetches), f"{profile.miss:.3f}"] for profile in model.profiles]
    loads = ["loads (lat_mem_rd)", *(f"{line.per_step:.2f}" for line in model.none.loads), ""]
    slowdowns = [[f"{row.mode}, {row.tasks}", f"{row.measured:.4f}", f"{row.predicted:.4f}", f"{100 * row.error:.2f} %"] for row in model.slowdowns]
    return "\n\n".join([figures_table(model), "### Latency of a branch a line", table(head, [*latencies, loads]),
                        "### Sealed tasks against the same in plaintext", table(["mode, tasks", "measured", "equation 8", "error"], slowdowns)])


def plot_of(model):
    return plots.bars("iBench: a branch in every line", "footprint", "cycles per branch", [f"{line.kib} KiB" for line in model.none.fetches],
                      [(profile.name, [line.per_step for line in profile.fetches]) for profile in model.profiles])


def record(plan, model):
    return {"command": plan.command, "figures": [{"figure": what, "value": value, "bound": bound} for what, value, bound in figures(model)],
            "profiles": [{"profile": profile.name, "lines": [vars(line) for line in profile.lines]} for profile in model.profiles],
            "slowdowns": [{**vars(row), "error": row.error} for row in model.slowdowns]}
