"""The mutants of a campaign, the suites that try them, and the report."""

import hashlib
import json
import os
import re
import shutil

from hauberk import table
from hauberk.mutation import monitor, verilog
from hauberk.mutation.mutant import Mutant

COLUMNS = ["place", "module", "kind", "before", "after", "number", "outcome", "library", "suite", "test", "seconds"]
KINDS = {**verilog.KINDS, **monitor.KINDS}
# A suite may take this many times longer than it did without a mutant, and as many seconds more
SLOWER, LONGER = 3, 30
# Few, and what tests miss first
WHOLE = ("narrow", "bound")


def chosen(mutants, most):
    """As many mutants: all of the kinds in WHOLE, if these are at most half of them, then of each source file and each kind in turn. Always the same ones."""
    first = sorted((mutant for mutant in mutants if mutant.kind in WHOLE), key=digest)
    first = first if 2 * len(first) <= most else []
    return first + in_turn(set(mutants) - set(first), most - len(first))


def in_turn(mutants, most):
    piles = {}
    for mutant in sorted(mutants, key=digest):
        piles.setdefault((mutant.place.partition(":")[0], mutant.kind), []).append(mutant)
    by_file = {}
    for (file, _), pile in sorted(piles.items(), key=lambda item: digest(item[1][0])):
        by_file.setdefault(file, []).append(pile)
    found = []
    while len(found) < most and any(by_file.values()):
        for file, waiting in by_file.items():
            if waiting and len(found) < most:
                pile = waiting.pop(0)
                found.append(pile.pop(0))
                waiting += [pile] * bool(pile)
    return found


def digest(mutant):
    return hashlib.sha256(json.dumps(identity(mutant)).encode()).hexdigest()


def identity(mutant):
    """What finds a mutant again."""
    return {name: getattr(mutant, name) for name in ("module", "kind", "before", "after", "number")}


def in_order(suites, mutant):
    """First the suites that the source file gave its name to, then the others, the quick ones first. `suites` are rows of a suite that have the mutant."""
    file = source(mutant.place)
    return sorted(suites, key=lambda row: (not row["suite"].rpartition(".")[2].startswith(file), row["seconds"]))


def first(suites):
    return suites[:1]


def others(suites, most):
    """All but the first, until all of them take more than `most` seconds."""
    wanted, spent = [], 0
    for at, suite in enumerate(suites):
        spent += suite["seconds"]
        if at and spent > most:
            break
        wanted.append(suite)
    return wanted[1:]


def hear(row, library, suite, outcome, test, seconds):
    """A mutant's row, when another suite has tried it: the quickest test that notices it is named."""
    rank = ("absent", "survived", "not built", "noticed by time", "noticed")
    known, new = rank.index(row["outcome"]), rank.index(outcome)
    if new > known or (new == known and test and seconds < row["seconds"]):
        row.update(outcome=outcome, **({"library": library, "suite": suite, "test": test, "seconds": seconds} if test else {}))


def source(place):
    """Name of the source file, without its ending."""
    return os.path.splitext(os.path.basename(place.partition(":")[0]))[0]


def judged(mutants, run, folder):
    """What a suite says of mutants: {mutant: (outcome, test, seconds)}, with the seconds that the test takes without a mutant; `run` runs it, on what is in
    the folder. Fails if the suite does not pass without a mutant."""
    os.makedirs(folder, exist_ok=True)
    found, waiting = {}, list(mutants)
    while waiting:
        for name in ("not-built", "present"):
            if os.path.exists(os.path.join(folder, name)):
                os.remove(os.path.join(folder, name))
        with open(os.path.join(folder, "mutants.json"), "w") as file:
            json.dump([identity(mutant) for mutant in waiting], file)
        said = run(folder)
        if said.outcome == "not built":
            half = len(waiting) // 2
            parts = [judged(part, run, folder) for part in (waiting[:half], waiting[half:])] if half else [{waiting[0]: ("not built", "", 0)}]
            return {**found, **{mutant: what for part in parts for mutant, what in part.items()}}
        if said.outcome == "failed" or (said.outcome == "ended" and not said.mutant):
            raise Unsound(said.test, said.message)
        noticed = {**said.noticed, **({said.mutant: ("noticed by time", said.test)} if said.outcome == "ended" else {})}
        for number, (outcome, test) in noticed.items():
            found[waiting[number - 1]] = outcome, test, round(said.built[test] / 1000)
        if said.outcome != "ended":
            present = numbers(os.path.join(folder, "present"))
            for number, mutant in enumerate(waiting, 1):
                found.setdefault(mutant, ("survived" if number in present else "absent", "", 0))
        waiting = [mutant for mutant in waiting if mutant not in found]
    return found


class Unsound(Exception):
    """A test fails without a mutant, or when it runs again on the same simulators."""


def numbers(path):
    if not os.path.exists(path):
        return set()
    with open(path) as file:
        return {int(line) for line in file}


def tried(mutant, suites, runner, folder, most):
    """Runs suites on a mutant until one notices it, or those that were run take more than `most` seconds without it. Its row of the report."""
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    with open(os.path.join(folder, "mutant.json"), "w") as file:
        json.dump(identity(mutant), file)
    row = {"place": mutant.place, **identity(mutant), "outcome": "absent", "library": "", "suite": "", "test": "", "seconds": 0}
    spent = 0
    for suite in in_order(suites, mutant):
        if spent and spent + suite["seconds"] > most:
            break
        spent += suite["seconds"]
        took, outcome, test = runner.run(suite["library"], suite["suite"], folder, SLOWER * suite["seconds"] + LONGER)
        row["seconds"] += round(took)
        if os.path.exists(os.path.join(folder, "not-built")):
            row["outcome"] = "not built"
            break
        if not os.path.exists(os.path.join(folder, "mutated")):
            continue
        row["outcome"] = "survived"
        if outcome in ("failed", "slow"):
            row.update(outcome="noticed" if outcome == "failed" else "noticed by time", library=suite["library"], suite=suite["suite"], test=test)
            break
    shutil.rmtree(folder, ignore_errors=True)
    return row


def report(rows):
    """The text of the report."""
    rows = sorted(rows, key=lambda row: (row["place"].partition(":")[0], int(re.search(r"\d+$", row["place"])[0]), row["kind"], row["before"], row["after"], int(row["number"])))
    return table.written([{name: row[name] for name in COLUMNS} for row in rows], COLUMNS)


def mutant_of(row):
    return Mutant(**{name: row[name] for name in ("module", "kind", "before", "after", "place")}, number=int(row["number"]), edits=())


def summary(rows):
    """Lines on how many there were of each outcome, by kind, and each survivor."""
    outcomes = ["noticed", "noticed by time", "equivalent", "survived", "not built", "absent"]
    kinds = [kind for kind in KINDS if any(row["kind"] == kind for row in rows)]
    lines = ["| mutant | " + " | ".join(outcomes) + " |", "|---|" + "--:|" * len(outcomes)]
    for kind in [*kinds, None]:
        of = [row for row in rows if kind in (None, row["kind"])]
        counts = (str(sum(row["outcome"] == outcome for row in of)) for outcome in outcomes)
        lines.append(f"| {KINDS[kind] if kind else 'all'} | " + " | ".join(counts) + " |")
    lines.append("")
    lines += [f"{row['place']}: {row['module']}: {row['before']} -> {row['after']}" for row in rows if row["outcome"] == "survived"]
    return lines
