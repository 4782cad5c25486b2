"""Snakemake over a folder of results: jobs side by side, here or on a cluster; what was made before and still holds is not made again."""

import argparse
import hashlib
import json
import os
import subprocess
import sys
import time

import tree
from simulation import TOP


def add_options(parser):
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="jobs at a time, on this machine or where --executor sends them")
    parser.add_argument("--executor", default="local", help="where jobs run: local, slurm, or another executor of Snakemake that is installed")
    parser.add_argument("--snakemake", nargs=argparse.REMAINDER, default=[], metavar="OPTION", help="more options for Snakemake: the rest of the line")


def sources():
    """What Verilog is made of."""
    return tree.matching("src/main/**/*.scala", "generators/*/src/main/**/*.scala", "bootrom/build/bootrom.img", "build.sbt")


def digest(paths):
    total = hashlib.sha256()
    for path in paths:
        with open(path, "rb") as file:
            total.update(hashlib.sha256(file.read()).digest())
    return total.hexdigest()


def save(path, text):
    """Writes a file whole or not at all, and only if that changes it."""
    if os.path.exists(path):
        with open(path) as file:
            if file.read() == text:
                return
    with open(path + ".new", "w") as file:
        file.write(text)
    os.replace(path + ".new", path)


def progress(done, total, text, begun):
    """A line on what has ended, and how long the rest may take."""
    left = (time.time() - begun) / done * (total - done)
    rest = f", about {f'{left:.0f} s' if left < 100 else f'{left / 60:.0f} min'} left" if done < total else ""
    print(f"  {done:>4}/{total} {text}{rest}", flush=True)


class Scheduler:
    """Makes files of the folder `out`, which the caller has claimed, by the rules of a Snakefile under workflow/."""

    def __init__(self, name, out, snakefile, configuration, options):
        self.name, self.out, self.configuration, self.options = name, out, configuration, options
        self.snakefile = os.path.join(TOP, "workflow", snakefile)

    def prepare(self, inputs):
        """Writes what the rules read: the configuration, and NAME.sha256 of the files of each of the inputs."""
        os.makedirs(os.path.join(self.out, "logs"), exist_ok=True)
        for name, paths in inputs.items():
            save(os.path.join(self.out, name + ".sha256"), digest(paths) + "\n")
        save(os.path.join(self.out, "configuration.json"), json.dumps(self.configuration, indent=1) + "\n")

    def command(self, *arguments):
        executor = self.options.executor
        local = executor == "local"
        memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2 ** 20
        return [sys.executable, os.path.join(TOP, "workflow", "launch.py"), "--snakefile", self.snakefile, "--directory", self.out,
                "--configfile", os.path.join(self.out, "configuration.json"), "--executor", executor,
                "--cores" if local else "--jobs", str(self.options.jobs), "--resources", "kernel=1", *([f"mem_mb={memory}"] if local else []),
                *([] if local else ["--retries", "2"]), "--scheduler", "greedy", "--keep-going", "--rerun-incomplete", "--nolock", "--latency-wait", "60",
                *self.options.snakemake, *arguments]

    def pending(self, *targets):
        """Files that are not made, or no longer hold."""
        listing = subprocess.run(self.command("--summary", *targets), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if listing.returncode != 0:
            sys.exit(f"{self.name}: Snakemake cannot plan this:\n{listing.stderr.strip()}")
        rows = [line.split("\t") for line in listing.stdout.splitlines()[1:]]
        return [row[0] for row in rows if row[-1] != "no update"]

    def make(self, what, targets, follow=lambda: None):
        """Makes the targets, and calls `follow` every now and then; whether all went well."""
        with open(os.path.join(self.out, "logs", f"snakemake-{what}.log"), "w") as file:
            child = subprocess.Popen(self.command(*targets), stdin=subprocess.DEVNULL, stdout=file, stderr=subprocess.STDOUT)
            try:
                while child.poll() is None:
                    time.sleep(0.5)
                    follow()
            except KeyboardInterrupt:
                child.wait()
                sys.exit(f"{self.name}: interrupted; the next start goes on from here")
        follow()
        return child.returncode == 0

    def say(self, text):
        print(f"{self.name}: {text}", flush=True)
