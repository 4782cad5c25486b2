"""The command line of scripts/study."""

import argparse
import os
import sys

from hauberk.study.errors import StudyError

DESCRIPTION = """Runs studies and reports on them.

scripts/study run PLAN           runs the plan, or goes on with it, into results/PLAN (docs/sweeps.md)
scripts/study report PLAN        reports on runs that are there; called by workflow/Snakefile
scripts/study current            lists the recorded runs of earlier hardware; --run repeats them
scripts/study firesim FOLDER...  reports on folders of FireSim's deploy/results-workload (firesim/README.md)
"""


def parser():
    made = argparse.ArgumentParser(prog="study", description=DESCRIPTION, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = made.add_subparsers(dest="command", required=True, metavar="COMMAND")
    from hauberk.study import refresh, verb
    run = commands.add_parser("run", help="run a plan", description=DESCRIPTION, formatter_class=argparse.RawDescriptionHelpFormatter)
    verb.add_options(run)
    report = commands.add_parser("report", help="report on the runs of a plan")
    report.add_argument("plan", metavar="PLAN")
    report.add_argument("--out", required=True, help="the folder of results")
    for name in ("studies", "configs", "programs"):
        report.add_argument(f"--{name}", nargs="+")
    refresh.add_options(commands.add_parser("current", help="say which recorded runs are of earlier hardware"))
    firesim = commands.add_parser("firesim", help="report on results of FireSim")
    firesim.add_argument("folders", nargs="+", metavar="FOLDER", help="of FireSim's deploy/results-workload, one or more to compare")
    firesim.add_argument("--out", required=True, help="the folder to write to")
    firesim.add_argument("--baseline", metavar="CONFIG", help="what the others are measured against (default: the configuration that is not Hauberk's)")
    return made


def firesim(options):
    from hauberk.study.firesim import results, text
    from hauberk.study.kinds import demo
    found = results.read(options.folders, options.baseline)
    text.write(found, options.out)
    print(demo.overheads_of(found.demo))
    return verdict(found.problems)


def report(options):
    from hauberk.study import reporting, verb
    return verdict(reporting.write(verb.chosen_plan(options, names=False), os.path.abspath(options.out)))


def verdict(problems):
    """The exit code; the problems go to standard error."""
    if problems:
        print(f"study: {'; '.join(problems)}", file=sys.stderr)
    return 1 if problems else 0


def main(arguments=None):
    """The exit code: 0; 1 for a fault of a run; 2 for bad input."""
    options = parser().parse_args(arguments)
    from hauberk.study import refresh, verb
    commands = {"run": verb.run, "report": report, "current": refresh.run, "firesim": firesim}
    try:
        return commands[options.command](options)
    except StudyError as error:
        print(error, file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
