"""Attacks on pages of Linux, configuration by configuration. scripts/linux-attack writes the configuration, with `payload` and `sim_opt` of soc.smk."""

import os


include: "soc.smk"


rule machine:
    """Packages the payload, boots it, and attacks it."""
    input: simulator="simulators/{soc}", elf="payloads/{soc}.elf", script="script.sha256"
    output: "{soc}.json"
    log: "logs/{soc}.attack.log"
    resources: mem_mb=4000, runtime=240
    shell: "{config[top]}/scripts/linux-attack --machine {wildcards.soc} --simulator {input.simulator} --elf {input.elf} --made {output} >{log} 2>&1"
