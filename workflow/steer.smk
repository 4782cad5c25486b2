"""Embedded programs whose counters are steered: a profile of the small input, and with it hints for any input."""

import glob
import os

STEER = os.path.join(TOP, "scripts", "hauberk-steer")
COMPILER = sorted(glob.glob(os.path.join(TOP, "compiler", "steer", "*.py")))
EMBEDDED = os.path.join(TOP, "tests", "build", "embedded")
LINK = os.path.join(TOP, "tests", "embedded", "link.ld")
HINTS = {(run["config"], run["program"]): run["hints"] for run in config["runs"] if run["hints"] is not None}

wildcard_constraints:
    embedded=r"[\w-]+-(small|large)",
    name=r"\w+",


rule profile:
    input: EMBEDDED + "/{name}-small.o", COMPILER
    output: "profiles/{name}"
    log: "logs/{name}.profile.log"
    resources: mem_mb=2000, runtime=30
    shell: "{STEER} profile {input[0]} -T {LINK} -o {output} >{log} 2>&1"


rule steer:
    """A program with hints, and the report on them."""
    input: EMBEDDED + "/{embedded}.o", lambda wildcards: "profiles/" + wildcards.embedded.rsplit("-", 1)[0], COMPILER
    output: "steered/{soc}/{embedded}.riscv", "steered/{soc}/{embedded}.json", "steered/{soc}/{embedded}.txt"
    log: "logs/{soc}.{embedded}.steer.log"
    params:
        flags=lambda wildcards: shlex.join(HINTS[wildcards.soc, wildcards.embedded]),
        report=lambda wildcards, output: output[1][:-len(".json")],
    resources: mem_mb=3000, runtime=60
    shell: "{STEER} build {input[0]} -T {LINK} --profile {input[1]} {params.flags} --report {params.report} -o {output[0]} >{log} 2>&1"
