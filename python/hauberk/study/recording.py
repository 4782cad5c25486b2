"""Records the results of a plan, and writes the pages."""

import contextlib
import fcntl
import os

from hauberk.study import collection, current, digests, figures, pages, place, records, reporting, rows
from hauberk.study.errors import write_text


def record(plan, out):
    """Records the runs below `out`, all of which passed, as rows, and the reports of hauberk-steer as tables."""
    runs = collection.Folders(out, plan)
    merge([one.of(runs) for one in collection.wanted(plan)], out)
    for study in plan.studies:
        report = reporting.report_of(plan, study, runs)
        if study.kind == "steering":
            stored(plan, report)
        else:
            # Rows replace the table
            for name in filter(lambda name: os.path.exists(records.path_of(name)), report.figures):
                os.remove(records.path_of(name))
    figures.from_rows.cache_clear()
    pages.show()


def merge(runs, out):
    """Records these runs, and the digests of their configurations."""
    new = [made(run, out) for run in runs]
    with locked():
        rows.merge(new)
        current.save({**current.load(), **{run.config: run.verilog for run in new if run.verilog}})


@contextlib.contextmanager
def locked():
    """Holds off other studies that record at the same time."""
    folder = os.open(place.FIGURES, os.O_RDONLY)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        yield
    finally:
        os.close(folder)


def stored(plan, report):
    for name, text in report.figures.items():
        records.record(name, plan.command, text)
        if name in report.plots and os.path.exists(figures.plot_path(name)):
            write_text(figures.plot_path(name), report.plots[name]())


def made(run, out):
    """The run with the digests of its inputs."""
    run.verilog = digests.verilog(os.path.join(out, "verilog", f"{run.config}.sha256"))
    run.harness, run.sources, run.revision = digests.harness(), digests.program(run.program, run.flags), digests.revision()
    return run
