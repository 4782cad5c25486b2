"""Linux from boot to power-off on several configurations, each against the same SoC without protection."""

import json

from hauberk.study import linux_console, plots
from hauberk.study.errors import StudyError
from hauberk.study.markdown import table
from hauberk.study.report import MIXED, Report, count, distinct, increase, percent, ratio, scaled, short_name
from hauberk.study.run import TRAFFIC

EXPLAINED = ("From reset to power-off in Verilator. Overheads are cycles added against the same SoC unprotected, with as many cores and the same L2 and bus; "
             "kHz is by CPU time. Pages are of 4 KiB: used are those that are not zero at the end, for DRAM was zero at the start.")
BOOT, TOTAL = "boot", "boot to power-off"


class Linux:
    """A boot: its run, and the marks that init wrote."""

    def __init__(self, run):
        self.run, self.config = run, run.config
        self.console = linux_console.parse((run.console or "").replace(" | ", "\n"), f"the console of {run.config}")
        self.fragments = set(run.config.split("_")[:-1])

    @property
    def is_baseline(self):
        """Whether neither memory nor bus is protected."""
        return self.run.protected == 0 and not self.run.bus_secured

    @property
    def kilohertz(self):
        return self.run.total_cycles / self.run.cpu_seconds / 1000 if self.run.cpu_seconds else None

    def cycles(self, measure):
        if measure == BOOT:
            return self.console.booted
        if measure == TOTAL:
            return self.run.total_cycles
        return next((program.cycles for program in self.console.programs if program.name == measure), None)

    @property
    def problems(self):
        run, console = self.run, self.console
        checked = run.dram_check != "fail: not checked"
        found = [
            run.exit_code != 0 and f"ended with exit code {run.exit_code}", console.booted is None and "never came to init",
            console.booted is not None and console.done is None and "did not come to the end of its programs",
            not checked and "has a DRAM that was not checked", checked and run.dram_check != "pass" and f"has the DRAM check '{run.dram_check}'",
            run.protected and run.pages_plaintext and f"left {run.pages_plaintext} pages in DRAM that show plaintext",
            # Otherwise the check does not detect plaintext
            run.protected == 0 and run.pages_plaintext == 0 and "left no plaintext, though nothing encrypts it",
            *(f"ran {program.name}, which ended with {program.exit_code}" for program in console.programs if program.exit_code)]
        return [f"{self.config} {problem}" for problem in found if problem]


class Results:
    def __init__(self, configs, boots):
        self.configs, self.boots = configs, boots
        self.programs = distinct(program.name for boot in boots for program in boot.console.programs)
        self.measures = [BOOT, *self.programs, TOTAL]

    def baseline(self, boot):
        """The unprotected boot with the same number of cores, and with a shared bus if this one has one. It has no fragment that this one
        lacks. Of several, the one with most fragments is chosen."""
        if boot.is_baseline:
            return None
        fitting = [other for other in self.boots if other.is_baseline and other.run.cores == boot.run.cores
                   and (other.run.bus_secured is None) == (boot.run.bus_secured is None) and other.fragments <= boot.fragments]
        return max(fitting, key=lambda other: len(other.fragments), default=None)

    def overhead(self, boot, measure):
        """Cycles added, as a fraction of the baseline's; None of a baseline."""
        other = self.baseline(boot)
        return other and increase(boot.cycles(measure), other.cycles(measure))

    @property
    def problems(self):
        """One phrase for each fault."""
        ran = [boot.config for boot in self.boots]
        missing = [f"{config} did not run" for config in self.configs if config not in ran]
        mixed = len({boot.run.timing for boot in self.boots}) > 1
        fewer = [f"{boot.config} did not run {program}" for boot in self.boots for program in self.programs
                 if program not in [one.name for one in boot.console.programs]]
        return [*missing, *([MIXED] if mixed else []),
                *(problem for boot in self.boots for problem in boot.problems), *fewer, *self.differences]

    @property
    def differences(self):
        """Neither protection nor the number of cores may change what a program computes."""
        for name in self.programs:
            found = [(boot.config, program.checksum) for boot in self.boots for program in boot.console.programs if program.name == name]
            for config, checksum in found[1:]:
                if checksum != found[0][1]:
                    yield f"{name} has another checksum on {config} than on {found[0][0]}"


def report(plan, study, runs):
    configs = study.configs
    found = [run for config in configs if (run := runs.get(study.points[0].dram, config, "linux"))]
    if not found:
        raise StudyError(f"there are no runs of {', '.join(configs)}: run {plan.command}")
    results = Results(configs, list(map(Linux, found)))
    plot = plot_of(results)
    tables = {study.name: overview(results), f"{study.name}-programs": programs(results)}
    text = "\n\n".join([EXPLAINED, overview(results), "## The programs", "Cycles that each program measures of its own work, as without an operating system.",
                        programs(results)])
    files = {"summary.json": json.dumps([record(results, boot) for boot in results.boots], indent=2) + "\n", **({"overhead.svg": plot} if plot else {})}
    return Report(text, "\n\n".join(tables.values()), files, tables, {study.name: plot} if plot else {}, results.problems)


def overview(results):
    head = ["config", "boot cycles", "overhead", "total cycles", "overhead", "counter hits", "pages used", "in plaintext", "DRAM check", "seconds", "kHz"]
    return table(head, [[
        short_name(boot.config), count(boot.console.booted), percent(results.overhead(boot, BOOT), 1, ""), count(boot.run.total_cycles),
        percent(results.overhead(boot, TOTAL), 1, ""), percent(ratio(boot.run.hits, boot.run.lookups), 1, "", ""), count(boot.run.pages_used),
        count(boot.run.pages_plaintext), boot.run.dram_check, f"{boot.run.wall_seconds:.0f}", f"{boot.kilohertz or 0:.0f}"] for boot in results.boots])


def programs(results):
    bases = [boot for boot in results.boots if boot.is_baseline]
    others = [boot for boot in results.boots if not boot.is_baseline]
    return table(["program", *(f"{short_name(boot.config)} cycles" for boot in bases), *(f"{short_name(boot.config)} overhead" for boot in others)],
                 [[name, *(count(boot.cycles(name)) for boot in bases), *(percent(results.overhead(boot, name), 1, "") for boot in others)]
                  for name in results.programs])


def plot_of(results):
    """Returns the function that draws it; None if there is nothing to compare."""
    compared = [boot for boot in results.boots if results.baseline(boot)]
    if not compared:
        return None

    def heights(boot):
        return scaled(results.overhead(boot, measure) for measure in results.measures)

    return lambda: plots.bars("What memory encryption costs under Linux", "", "cycles added to the same SoC unprotected (%)", results.measures,
                              [(short_name(boot.config), heights(boot)) for boot in compared])


def record(results, boot):
    """A boot as JSON. Overheads are fractions. A missing value is null."""
    run = boot.run
    return {
        "config": run.config, "cores": run.cores, "exit_code": run.exit_code, "boot_cycles": boot.console.booted, "total_cycles": run.total_cycles,
        "boot_overhead": results.overhead(boot, BOOT), "total_overhead": results.overhead(boot, TOTAL), "initialisation_cycles": run.initialisation_cycles,
        "wall_seconds": run.wall_seconds, "kHz_cpu": boot.kilohertz,
        "programs": [{"program": program.name, "exit_code": program.exit_code, "checksum": program.checksum, "cycles": program.cycles,
                      "instret": program.instret, "overhead": results.overhead(boot, program.name)} for program in boot.console.programs],
        "protector": {"hits": run.hits, "misses": run.misses}, "counter_hit_rate": ratio(run.hits, run.lookups),
        "dram": {name: getattr(run, name) for name in TRAFFIC}, "pages_used": run.pages_used, "plaintext_pages_in_dram": run.pages_plaintext,
        "dram_check": None if run.dram_check == "fail: not checked" else run.dram_check}
