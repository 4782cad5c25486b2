"""What was decided and what it should bring, as JSON and as text."""

import json

import numpy

from . import needs, paper, pruning, replay


def summary(program, values, allocation, hardware, lost):
    """Everything but code size, which the linked programs have. `lost` hints have no room for their offset."""
    outcome = replay.Outcome(values, allocation, hardware)
    return {
        "hardware": dict(hardware._asdict()),
        "registers": len(allocation.used_registers()),
        "ids": len(allocation.used_ids()),
        "hints": {"loads": len(allocation.loads), "stores": len(allocation.stores), "increments": len(allocation.increments), "lost": lost},
        "loads": {"total": outcome.total, "right": outcome.right, "wrong": outcome.wrong, "notApplied": outcome.not_applied,
                  "rightWithoutHint": outcome.known_not_applied},
        "counters": {"writes": len(values.write_times), "global": outcome.global_writes, "largestRegister": outcome.largest_register},
        "cyclesSaved": pruning.cycles(values, allocation, hardware),
        "functions": _by_function(program, values, outcome),
        "needs": needs.table(paper.Plan(program, values)),
    }


def _by_function(program, values, outcome):
    reads = numpy.bincount(values.read_accesses)
    found = {}
    for access in program.accesses:
        if access.index < len(reads) and reads[access.index]:
            counts = found.setdefault(access.function.name, {"loads": 0, "right": 0})
            counts["loads"] += int(reads[access.index])
            counts["right"] += int(outcome.rights[access.index])
    return dict(sorted(found.items(), key=lambda pair: (-pair[1]["loads"], pair[0])))


def text(report):
    loads, hints, code = report["loads"], report["hints"], report["code"]
    share = lambda count: f"{100 * count / max(1, loads['total']):6.2f} %"
    lines = [f"registers             {report['registers']} of {report['hardware']['registers']}",
             f"ids                   {report['ids']} of {report['hardware']['ids']}",
             f"hints                 {hints['loads']} loads, {hints['stores']} stores, {hints['increments']} increments; {hints['lost']} do not fit",
             f"code                  {code['before']} bytes, then {code['after']}: {code['growth']:+.2f} %",
             f"loads                 {loads['total']}",
             f"  right               {share(loads['right'])}",
             f"  wrong               {share(loads['wrong'])}",
             f"  not applied         {share(loads['notApplied'])}",
             f"    right all the same {share(loads['rightWithoutHint'])}",
             f"cycles saved          {report['cyclesSaved']} against the global counter",
             f"largest register      {report['counters']['largestRegister']}; {report['counters']['global']} of {report['counters']['writes']}"
             " writes use the global counter", "",
             "to cover these loads  registers: shared across, within, not; ids: shared, not"]
    for threshold, row in report["needs"].items():
        lines.append(f"  {threshold:3} %               {row['registers_across']:4} {row['registers_within']:4} {row['registers_none']:4}; "
                     f"{row['ids_across']:4} {row['ids_none']:4}")
    return "\n".join(lines) + "\n"


def write(report, path):
    with open(path + ".json", "w") as file:
        json.dump(report, file, indent=2)
        file.write("\n")
    with open(path + ".txt", "w") as file:
        file.write(text(report))
