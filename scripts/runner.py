"""Builds SoCs and runs programs on them by workflow/Snakefile: what was made before and still holds is not made again."""

import json
import os
import subprocess
import time

import scheduler
import simulation
import tree
from simulation import TOP

# A program that has not ended by then hangs; the longest needs a tenth of it
MAX_CYCLES = 200_000_000
# Lines of a failed step that are shown
SHOWN = 15
STEPS = ["seal.log", "image.log", "simulation.log", "check.log"]


def run_of(folder, config, program, elf=None, sim_flags=(), check_flags=(), sealed=False, payload=False, hints=None):
    """A checked run of a program on a configuration; it leaves run.json, check.json and uart.log in `folder`, a path below the results. `hints` are
    the flags of hauberk-steer for an embedded program whose counters are steered."""
    return {"folder": folder, "config": config, "program": program, "elf": elf or simulation.elf(program),
            "sim_flags": list(map(str, sim_flags)), "check_flags": list(check_flags), "sealed": sealed, "payload": payload, "hints": hints}


def dram_flags(latency, beat, write_queue=0, **more):
    flags = {"latency": latency, "beat": beat, "write-queue": write_queue, **more}
    return [text for name, value in flags.items() for text in (f"--dram-{name}", str(value))]


def harness_files():
    return tree.matching("sims/compiler.mk", "sims/verilator/Makefile", "sims/verilator/src/*", "sims/common/*")


class Runner:
    """The runs of a folder of results, and the report on them.

    `out` is the folder, which the caller has claimed; `report` the command that makes the file `output` in it, from finished runs; `payload` what
    make tests/linux is given; `areas` the configurations that are synthesized.
    """

    def __init__(self, name, out, runs, report, output, options, payload=(), areas=(), sim_opt="-Os"):
        self.out, self.runs, self.report = out, runs, report
        self.configuration = {"top": TOP, "runs": runs, "payload": list(payload), "areas": list(areas), "sim_opt": os.environ.get("SIM_OPT", sim_opt),
                              "report": {"command": report, "output": output}}
        self.scheduler = scheduler.Scheduler(name, out, "Snakefile", self.configuration, options)
        self.say = self.scheduler.say

    def make(self):
        """Makes all that is missing; whether all is there now. What fails is named and leaves the rest."""
        if not simulation.prepare(any(simulation.is_embedded(run["program"]) for run in self.runs)):
            self.say("building failed, see above")
            return False
        begun = time.time()
        self.scheduler.prepare({"sources": scheduler.sources(), "harness": harness_files()})
        configs = list(dict.fromkeys(run["config"] for run in self.runs))
        self.say(f"{len(configs)} configurations, {len(self.runs)} runs")
        # Whether a run still holds is seen by the hash of its Verilog, so hashes come first
        built = self.scheduler.make("verilog", [f"verilog/{config}.sha256" for config in configs])
        pending = self.pending()
        self.say(f"{len(pending)} of {len(self.runs)} runs to make")
        # A report takes a moment, and may have been made by other tools or from another plan
        made = self.scheduler.make("runs", ["--forcerun", "report", "--", self.configuration["report"]["output"]],
                                   self.follower([run for run in self.runs if run["folder"] in pending]))
        failed = [] if made else [run for run in self.runs if run["folder"] in self.pending()]
        self.explain(failed)
        # Runs that are there are reported, whatever became of the others
        reported = made or not failed or subprocess.call(self.report, cwd=self.out, stdin=subprocess.DEVNULL) == 0
        if made or not failed:
            self.show(os.path.join("logs", "report.log"))
        self.say(f"{len(self.runs) - len(failed)} of {len(self.runs)} runs went well, {len(self.runs) - len(pending)} kept from before, "
                 f"{time.time() - begun:.0f} s in all")
        if failed:
            self.say("failed: " + ", ".join(run["folder"] for run in failed))
        return built and made and reported

    def pending(self):
        """Folders of the runs that are not made, or no longer hold."""
        files = self.scheduler.pending(self.configuration["report"]["output"])
        return {os.path.dirname(path) for path in files if os.path.basename(path) == "check.json"}

    def follower(self, runs):
        """Says of each of the runs when it has ended."""
        begun = time.time()
        width = max(len(run["config"]) for run in self.runs)
        waiting = {run["folder"]: run for run in runs}

        def follow():
            for folder in [folder for folder in waiting if self.ended_since(folder, begun)]:
                run = waiting.pop(folder)
                sealed = "sealed " if run["sealed"] else ""
                scheduler.progress(len(runs) - len(waiting), len(runs), f"{run['config']:{width}} {sealed}{run['program']:12} {self.outcome(folder)}", begun)

        return follow

    def ended_since(self, folder, begun):
        try:
            return os.stat(os.path.join(self.out, folder, "check.json")).st_mtime >= begun
        except OSError:
            return False

    def outcome(self, folder):
        try:
            with open(os.path.join(self.out, folder, "run.json")) as file:
                record = json.load(file)
        except (OSError, ValueError):
            return "without a record"
        return f"exit code {record['exit_code']}, {record['cycles']:>11,} cycles, {record['kHz']:.0f} kHz"

    def explain(self, failed):
        """Shows the ends of the last steps of failed runs, those that they share once."""
        shown = set()
        for run in failed:
            logs = [os.path.join("logs", f"{run['config']}.{step}.log") for step in ("verilog", "simulator", "payload")]
            logs += [os.path.join(run["folder"], name) for name in STEPS]
            there = [log for log in logs if os.path.exists(os.path.join(self.out, log))]
            last = max(there, key=lambda log: os.stat(os.path.join(self.out, log)).st_mtime, default=None)
            if last not in shown:
                self.say(f"{run['folder']} failed: " + (f"{last} ends with" if last else f"see {self.out}/logs/snakemake-runs.log"))
                self.show(last or "", "    ")
            shown.add(last)

    def show(self, log, indent=""):
        path = os.path.join(self.out, log)
        if os.path.isfile(path):
            with open(path, errors="replace") as file:
                print(*(indent + line.rstrip("\n") for line in file.readlines()[-SHOWN:]), sep="\n", flush=True)
