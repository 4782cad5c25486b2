"""Stages: commands that say at their end what came of them, in stages/NAME.json, each after those that it names.

scripts/stages.py writes the configuration: `stages`, by name, which are {command, after}.
"""

import shlex

STAGES = config["stages"]


wildcard_constraints:
    stage=r"[\w.-]+",


rule stage:
    input: "sources.sha256", lambda wildcards: [f"stages/{name}.json" for name in STAGES[wildcards.stage]["after"]]
    output: "stages/{stage}.json"
    log: "logs/{stage}.out"
    params: command=lambda wildcards: shlex.join(STAGES[wildcards.stage]["command"])
    shell: "{params.command} --ended {output} >{log} 2>&1"
