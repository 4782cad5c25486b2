"""make current: lists the recorded runs of earlier hardware with the cost to repeat them, and repeats them."""

import concurrent.futures
import os
import subprocess
import textwrap
import time

from hauberk.study import collection, current, digests, figures, pages, place, plan_file, recording, rows, verb
from hauberk.study.markdown import table

import runner
import scheduler
import simulation
from run_folder import claimed

RESULTS = os.path.join(place.TOP, "results", "current")


def add_options(parser):
    parser.add_argument("--run", action="store_true", help="repeat the runs that are stale, and record them")
    scheduler.add_options(parser)


def run(options):
    """The exit code."""
    found = rows.load()
    failed = elaborate(dict.fromkeys(run.config for run in found), options.jobs)
    stale = [run for run in found if not current.of_tree(run, current.load())]
    good = True
    if options.run and stale:
        good = repeat(stale, options)
        stale = [run for run in rows.load() if not current.of_tree(run, current.load())]
    figures.from_rows.cache_clear()
    pages.show()
    print(told(found, stale, failed))
    return 0 if good and not failed else 1


def elaborate(configs, jobs):
    """Writes docs/figures/verilog.csv. Returns {configuration that cannot be elaborated: sentence}."""
    if not configs:
        return {}
    prepare()
    begun, failed = time.time(), {}
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        made = {pool.submit(verilog_of, config): config for config in configs}
        for done, future in enumerate(concurrent.futures.as_completed(made), 1):
            config, said = made[future], future.result()
            failed.update({config: said} if said else {})
            scheduler.progress(done, len(made), f"{config} {'cannot be elaborated' if said else 'elaborated'}", begun)
    found = {config: digests.verilog(os.path.join(place.GENERATED, config, "verilog.sha256")) for config in configs if config not in failed}
    current.save(found)
    return failed


def prepare():
    """Builds the inputs of all elaborations, so that these do not wait for each other."""
    simulation.make("bootrom")
    subprocess.run([os.path.join(place.SCRIPTS, "classpath"), "hauberk"], stdout=subprocess.DEVNULL)


def verilog_of(config):
    """Elaborates a configuration, unless it is up to date. Returns the error message, or an empty text."""
    done = subprocess.run(["make", "--no-print-directory", "-s", "-C", os.path.join(place.TOP, "sims", "verilator"), f"CONFIG={config}", "verilog"],
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    lines = [line for line in done.stdout.splitlines() if line.startswith("Error")]
    return "" if done.returncode == 0 else (lines or done.stdout.splitlines() or ["it failed"])[0]


def told(found, stale, failed):
    """The runs of earlier hardware with their cost, and the tables of earlier hardware with their commands."""
    texts = [f"{config}: {said}" for config, said in failed.items()]
    if stale:
        by_config = {}
        for run in stale:
            by_config.setdefault(run.config, []).append(run)
        texts.append(table(["configuration", "runs to repeat", "CPU minutes"], [[config, str(len(runs)), minutes(runs)] for config, runs in by_config.items()]))
        texts.append(f"{len(stale)} of the recorded runs are of earlier hardware, and took {minutes(stale)} minutes of CPU, without the building of "
                     f"{len(by_config)} simulators. make current RUN=1 repeats them.")
    else:
        texts.append(f"All of the {len(found)} recorded runs are of this hardware.")
    older = {}
    for figure in map(figures.of, figures.names()):
        if not figure.is_current and figure.name not in figures.from_rows():
            older.setdefault(figure.command, []).append(figure.name)
    if older:
        texts.append("Tables of earlier hardware that are not made of recorded runs:\n\n" + "\n".join(
            f"{command}\n" + textwrap.fill(", ".join(names), 120, initial_indent="    ", subsequent_indent="    ", break_on_hyphens=False) for command, names in older.items()))
    return "\n\n".join([*texts, *pages.stale_on_readme()])


def minutes(runs):
    return f"{sum(run.cpu_seconds or 0 for run in runs) / 60:.1f}"


def repeat(stale, options):
    """Repeats these runs and records those that pass. Returns whether all passed. An interrupted start resumes."""
    left, good = {run.key: run for run in stale}, True
    for path in place.plans():
        plan = plan_file.read(path, names=False)
        known = collection.Recorded(plan, left.values())
        wanted = [one for one in collection.wanted(plan) if one.of(known)]
        if wanted:
            good = repeat_of(plan, wanted, options) and good
            left = {key: run for key, run in left.items() if key not in known.asked}
    return good


def repeat_of(plan, wanted, options):
    folders = {one.folder for one in wanted}
    runs = [run for run in verb.runs_of(plan, None) if run["folder"] in folders]
    name = os.path.splitext(os.path.basename(plan.path))[0]
    with claimed(os.path.join(RESULTS, name), keep=True) as out:
        made = runner.Runner("current", out, runs, ["touch", "repeated"], "repeated", options, payload=plan.payload, sim_opt="-O1").make()
        found = collection.Folders(out, plan)
        new = [run for one in wanted if (run := one.of(found)) and run.ended_well]
        recording.merge(new, out)
    return made and len(new) == len(wanted)
