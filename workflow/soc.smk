"""What a run needs of a configuration: Verilog, simulator, and firmware with Linux. `sim_opt` and `payload` of the configuration are what make is given."""

import os
import shlex

SIMS = os.path.join(config["top"], "sims", "verilator")
GENERATED = os.path.join(SIMS, "generated-src")

wildcard_constraints:
    soc=r"[\w-]+",


rule verilog:
    """The Verilog of a configuration, as its hash: most changes of the sources leave most configurations as they were."""
    input: "sources.sha256"
    output: "verilog/{soc}.sha256"
    log: "logs/{soc}.verilog.log"
    resources: mem_mb=3500, runtime=60
    shell: "make --no-print-directory -s -C {SIMS} CONFIG={wildcards.soc} verilog >{log} 2>&1 && cp {GENERATED}/{wildcards.soc}/verilog.sha256 {output}"


rule simulator:
    """A link or a copy, for the next one is built where this one was."""
    input: verilog="verilog/{soc}.sha256", harness="harness.sha256"
    output: "simulators/{soc}"
    log: "logs/{soc}.simulator.log"
    params: make=lambda wildcards: f"SIM_OPT={config['sim_opt']}"
    resources: mem_mb=4000, runtime=120
    shell: "make --no-print-directory -s -C {SIMS} CONFIG={wildcards.soc} {params.make} >{log} 2>&1 && cp -f {GENERATED}/{wildcards.soc}/simulator {output}"


rule payload:
    """Firmware, kernel and programs for a configuration. Payloads share the kernel, so they are built one after the other."""
    input: "verilog/{soc}.sha256"
    output: "payloads/{soc}.elf"
    log: "logs/{soc}.payload.log"
    params: make=lambda wildcards: " ".join(map(shlex.quote, config["payload"]))
    resources: kernel=1, mem_mb=4000, runtime=120
    shell:
        "make --no-print-directory -s -C {config[top]}/tests/linux CONFIG={wildcards.soc} {params.make} >{log} 2>&1 && "
        "cp {config[top]}/tests/linux/build/{wildcards.soc}/linux.elf {output}"
