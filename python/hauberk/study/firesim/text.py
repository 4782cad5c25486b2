"""The report on FireSim's results."""

import collections
import os

from hauberk.study.errors import write_text
from hauberk.study.firesim.counters import is_alarm
from hauberk.study.kinds import demo
from hauberk.study.markdown import table
from hauberk.study.report import count


def write(results, out):
    """summary.json, summary.md and overhead.svg."""
    text = "\n\n".join(["# What protection costs", *demo.report_text(results.demo), "## Every node",
                        "Over its whole run: target cycles, and what the models of its DRAM took.", nodes(results), "## Counters",
                        "What protector and bus counted: during the programs of a node under Linux, by their registers, and during its whole run, by "
                        "AutoCounter's last sample.", counters(results)])
    for name, content in {**demo.files(results.demo, demo.plot_of(results.demo)), "summary.md": text + "\n"}.items():
        write_text(os.path.join(out, name), content)


def nodes(results):
    def total(job, counter):
        found = [counts[counter] for counts in job.memory if counter in counts]
        return sum(found) if found else None

    return table(["job", "hardware", "cycles", "reads", "writes"],
                 [[job.name, job.hardware, count(job.end and job.end[1]), count(total(job, "totalReads")), count(total(job, "totalWrites"))]
                  for job in results.jobs])


def counters(results):
    rows = []
    for job in results.jobs:
        programs = collections.Counter()
        # Without an operating system the counts of a program are AutoCounter's
        for run in [] if job.is_bare_metal else job.runs:
            programs.update(run.counters)
        for name in sorted({*programs, *job.auto_counters}):
            if not is_alarm(name):
                rows.append([f"{job.name} on {job.hardware}: {name}", count(programs[name] if name in programs else None), count(job.auto_counters.get(name))])
    return table(["counter", "programs", "whole run"], rows)
