"""Runs stages by workflow/stages.smk, and prints what they print while they run.

A stage is a command that a script gives itself. At its end it writes what came of it, as JSON, to the file that --ended names.
"""

import json
import os
import time

import scheduler
from simulation import TOP


class Stages:
    """`stages` are {name: {command, after}}; `after` names the stages that have to end before. Everything is written below the folder `out`, which
    the caller has claimed."""

    def __init__(self, name, out, stages, options):
        self.out, self.stages = out, stages
        self.scheduler = scheduler.Scheduler(name, out, "stages.smk", {"stages": stages}, options)
        self.shown = dict.fromkeys(stages, 0)

    def run(self, keep=lambda result: False, inputs=(), said=None):
        """{stage: what came of it, None if it ended without a word}. What `keep` accepts is not made again while `inputs`, which are files, are as
        they were. `said` gives the words for a stage that has ended: then a line of progress has them."""
        for name in self.stages:
            kept = self.result(name)
            for path in [self.log(name)] + ([] if kept is not None and keep(kept) else [self.path(name)]):
                if os.path.exists(path):
                    os.remove(path)
        self.scheduler.prepare({"sources": list(inputs)})
        targets = {name: f"stages/{name}.json" for name in self.stages}
        pending = set(self.scheduler.pending(*targets.values())) if said else set()
        waiting, begun = [name for name in self.stages if targets[name] in pending], time.time()
        total = len(waiting)

        def follow():
            self.follow()
            for name in [name for name in waiting if self.ended_since(name, begun)]:
                waiting.remove(name)
                scheduler.progress(total - len(waiting), total, said(self.result(name)), begun)

        self.scheduler.make("stages", targets.values(), follow)
        return {name: self.result(name) for name in self.stages}

    def path(self, name):
        return os.path.join(self.out, "stages", name + ".json")

    def log(self, name):
        return os.path.join(self.out, "logs", name + ".out")

    def ended_since(self, name, begun):
        return self.result(name) is not None and os.stat(self.path(name)).st_mtime >= begun

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
