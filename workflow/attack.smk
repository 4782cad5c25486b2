"""Campaigns of attacks, one for each scheme. scripts/attack writes the configuration: `options` for every campaign."""

import os
import shlex

TOP = config["top"]


wildcard_constraints:
    scheme=r"\w+",


rule campaign:
    input: "sources.sha256", "benches.sha256"
    output: "{scheme}.json"
    log: "{scheme}.log"
    params:
        command=lambda wildcards: shlex.join([os.path.join(TOP, "scripts", "attack"), "--campaign", wildcards.scheme, *config["options"]]),
    resources: mem_mb=3000, runtime=600
    shell: "{params.command} --out {output} >{log} 2>&1"
