"""The part of scripts/mutate that breaks the monitor of secure contexts (microcode), on its tests on this machine."""

import json
import os
import shutil
import subprocess
import sys

import scheduler
import stages
import store
import tree
from simulation import TOP

sys.path.append(os.path.join(TOP, "python"))
from hauberk.mutation import campaign, host, monitor

MONITOR = "monitor"
# Of a suite without a mutant, in seconds
LONGEST = 300


def whole(out, options, only=None):
    """Rows of the report, of the mutants in `only`, if it is given, or of as many as are wanted."""
    found = [mutant for path in monitor.sources(TOP) for mutant in monitor.mutants(path.name, path.read_text())]
    wanted = campaign.chosen(found, options.of or len(found)) if only is None else [mutant for mutant in found if mutant in only]
    print(f"mutate: {len(wanted)} of {len(found)} mutants of the monitor", flush=True)
    return run(out, {mutant: host.suites_of(mutant) for mutant in wanted}, options)


def measured(out):
    """{name: row} of the suites, which pass without a mutant."""
    tests, rows = host.HostTests(TOP), {}
    for name, suite in host.SUITES.items():
        folder = os.path.join(out, "suites", f"suite-{MONITOR}-{name}")
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        subprocess.run(["make", "--no-print-directory", "-C", os.path.join(TOP, "tests", "contexts", suite.folder)], check=True)
        took, outcome, test = tests.run(MONITOR, name, folder, LONGEST)
        if outcome != "passed":
            sys.exit(f"mutate: without a mutant {name} does not pass: {outcome} {test}")
        rows[name] = {"library": MONITOR, "suite": name, "seconds": round(took) + 1}
    return rows


def run(out, trials, options):
    """Rows of the report. `trials` are {mutant: names of suites}; a stage tries all mutants of a file."""
    suites, files, work = measured(out), {}, {}
    for mutant, names in trials.items():
        files.setdefault(mutant.module.partition(":")[0], []).append(
            {**campaign.identity(mutant), "place": mutant.place, "most": options.most, "suites": [suites[name] for name in names]})
    os.makedirs(os.path.join(out, "mutants"), exist_ok=True)
    for file, mutants in files.items():
        chosen = [{**mutant, "suites": [suite["suite"] for suite in mutant["suites"]]} for mutant in mutants]
        name = f"{MONITOR}-{file}-" + store.digest_of(chosen)[:16]
        scheduler.save(os.path.join(out, "mutants", name + ".json"), json.dumps(mutants, indent=1) + "\n")
        work[name] = {"command": stages.command("mutate", name), "after": []}
    found = stages.Stages("mutate", out, work, options).run(
        lambda rows: True, tree.matching("microcode/**/*", "tests/contexts/host/**/*", "tests/contexts/assembly/*", "python/hauberk/mutation/*.py"),
        lambda rows: f"{os.path.basename(rows[0]['place']).partition(':')[0]}: {sum(row['outcome'] == 'survived' for row in rows)} of {len(rows)} survived")
    lost = [name for name, rows in found.items() if rows is None]
    if lost:
        sys.exit(f"mutate: {lost[0]} did not end; see results/mutate/logs/{lost[0]}.out")
    return [row for rows in found.values() for row in rows]


def tried(out, name):
    """Rows of the mutants of one file."""
    with open(os.path.join(out, "mutants", name + ".json")) as file:
        contents = json.load(file)
    tests = host.HostTests(TOP)
    return [campaign.tried(campaign.mutant_of(content), content["suites"], tests, os.path.join(out, "tries", name), content["most"]) for content in contents]
