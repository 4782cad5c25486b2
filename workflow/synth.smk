"""Synthesis of configurations. bench/synth/soc calls this, and is called for each of them."""


wildcard_constraints:
    soc=r"[\w-]+",


rule configuration:
    input: "sources.sha256", "bench.sha256"
    output: "measured/{soc}.json"
    log: "logs/{soc}.log"
    resources: mem_mb=6000, runtime=240
    shell: "{config[top]}/bench/synth/soc --one {wildcards.soc} --out . --made {output} >{log} 2>&1"
