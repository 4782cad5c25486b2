"""Runs stages by workflow/stages.smk, and prints what they print while they run.

A stage is a command that a script gives itself. At its end it writes what came of it, as JSON, to the file that --ended names.
"""

import json
import os

import scheduler
from simulation import TOP


class Stages:
    """`stages` are {name: {command, after}}; `after` names the stages that have to end before. Everything is written below the folder `out`, which
    the caller has claimed."""

    def __init__(self, name, out, stages, options):
        self.out, self.stages = out, stages
        self.scheduler = scheduler.Scheduler(name, out, "stages.smk", {"stages": stages}, options)
        self.shown = dict.fromkeys(stages, 0)

    def run(self, keep=lambda result: False, inputs=()):
        """{stage: what came of it, None if it ended without a word}. What `keep` accepts is not made again while `inputs`, which are files, are as
        they were."""
        self.forget(keep)
        self.scheduler.prepare({"sources": list(inputs)})
        self.scheduler.make("stages", self.targets(), self.follow)
        return {name: self.result(name) for name in self.stages}

    def pending(self, keep, inputs):
        """Names of the stages that `run` will run."""
        self.forget(keep)
        self.scheduler.prepare({"sources": list(inputs)})
        pending = set(self.scheduler.pending(*self.targets()))
        return {name for name, target in zip(self.stages, self.targets()) if target in pending}

    def targets(self):
        return [f"stages/{name}.json" for name in self.stages]

    def forget(self, keep):
        """Removes what stages have printed, and results that are not kept."""
        for name in self.stages:
            kept = self.result(name)
            for path in [self.log(name)] + ([] if kept is not None and keep(kept) else [self.path(name)]):
                if os.path.exists(path):
                    os.remove(path)

    def path(self, name):
        return os.path.join(self.out, "stages", name + ".json")

    def log(self, name):
        return os.path.join(self.out, "logs", name + ".out")

    def ended_since(self, name, begun):
        path = self.path(name)
        return self.result(name) is not None and os.stat(path).st_mtime >= begun

    def result(self, name):
        try:
            with open(self.path(name)) as file:
                return json.load(file)
        except (OSError, ValueError):
            return None

    def follow(self):
        """Prints the whole lines that were written since."""
        for name in self.stages:
            if os.path.exists(self.log(name)):
                with open(self.log(name), "rb") as file:
                    file.seek(self.shown[name])
                    new = file.read()
                whole = new[:new.rfind(b"\n") + 1]
                self.shown[name] += len(whole)
                print(whole.decode(errors="replace"), end="", flush=True)


def add_options(parser):
    """What a stage's command line has."""
    parser.add_argument("--stage", metavar="NAME", help="run this stage only, here; workflow/stages.smk calls this")
    parser.add_argument("--ended", metavar="FILE", help="where --stage writes what came of it")
    scheduler.add_options(parser)


def command(script, name, *arguments):
    """The command line of a stage of this script."""
    return ["python3", os.path.join(TOP, "scripts", script), "--stage", name, *arguments]


def ended(options, result):
    scheduler.save(os.path.abspath(options.ended), json.dumps(result) + "\n")
