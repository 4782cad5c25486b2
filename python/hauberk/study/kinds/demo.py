"""The overhead of each program, and the results of the checks of DRAM."""

import json

from hauberk.study import plots
from hauberk.study.markdown import table
from hauberk.study.report import MIXED, Report, count, distinct, geometric_mean, increase, percent, scaled, short_name
from hauberk.study.run import TRAFFIC

FROM_RESET = "Traffic in blocks of 64 bytes, from reset to exit, without the writes that initialise counters."


class Demo:
    """Runs of programs on configurations. The first configuration is the baseline. `runs` are by (config, program), without those that are
    missing."""

    def __init__(self, configs, programs, runs, traffic=FROM_RESET):
        self.configs, self.programs, self.runs, self.traffic = configs, programs, runs, traffic

    @property
    def in_order(self):
        return [self.runs[config, program] for program in self.programs for config in self.configs if (config, program) in self.runs]

    def cycles(self, config, program):
        run = self.runs.get((config, program))
        return run and run.cycles

    def overhead(self, config, program):
        """Cycles added against the first configuration, as a fraction of its cycles; None without both."""
        return increase(self.cycles(config, program), self.cycles(self.configs[0], program))

    def mean(self, config):
        return geometric_mean(self.overhead(config, program) for program in self.programs)

    @property
    def timings(self):
        return distinct(run.timing for run in self.in_order if run.latency is not None)

    @property
    def problems(self):
        """One phrase for each fault."""
        missing = [f"{program} on {config} did not run" for program in self.programs for config in self.configs if (config, program) not in self.runs]
        mixed = [MIXED] if len(self.timings) > 1 else []
        return missing + mixed + [problem for run in self.in_order for problem in run.problems]


def report(plan, study, runs):
    demo = collected(study, runs)
    overheads = overheads_of(demo)

    def plot():
        return plot_of(demo)

    return Report("\n\n".join(report_text(demo)), f"{overheads}\n\n{verdict(demo)}", files(demo, plot), {study.name: overheads}, {study.name: plot},
                  demo.problems)


def collected(study, runs):
    dram = study.points[0].dram
    found = {(config, program): run for config in study.configs for program in study.programs if (run := runs.get(dram, config, program))}
    return Demo(study.configs, list(study.programs), found)


def files(demo, plot):
    return {"summary.json": json.dumps(record(demo), indent=2) + "\n", "overhead.svg": plot}


def overheads_of(demo):
    reference, *others = demo.configs
    rows = [[program, count(demo.cycles(reference, program)), *(percent(demo.overhead(config, program), 1) for config in others)] for program in demo.programs]
    return table(["program", f"{short_name(reference)} cycles", *(f"{short_name(config)} overhead" for config in others)],
                 [*rows, ["geometric mean", "", *(percent(demo.mean(config), 1) for config in others)]])


def verdict(demo):
    """The results of the checks of DRAM."""
    runs = [run for run in demo.in_order if run.dram_check is not None]
    if not runs:
        return "DRAM was not dumped: nothing is said of what it holds."
    guarded = [run for run in runs if run.protected]
    return (f"{sum(run.dram_check == 'pass' for run in runs)} of {len(runs)} DRAM dumps hold what the reference model expects; "
            f"{sum(run.plaintext == 0 for run in guarded)} of {len(guarded)} dumps of protected memory hold no word of image or results in the clear.")


def timing_text(timing):
    latency, beat, _, outstanding, write_queue, _ = timing
    return (f"{latency} cycles to the first beat, {beat} cycles per beat, at most {outstanding} reads and {outstanding} writes in flight"
            + (f", {write_queue} writes held by the controller" if write_queue else ""))


def report_text(demo):
    """The paragraphs of the whole report."""
    dram = f" DRAM: {'; or '.join(map(timing_text, demo.timings))}." if demo.timings else ""
    return ["Cycles of each program's kernel, against the same SoC without protection." + dram, overheads_of(demo), verdict(demo),
            "## Every run",
            f"{demo.traffic} `plaintext`: non-zero words of image and results that stand unencrypted at their places in DRAM at the end.", details(demo)]


def details(demo):
    head = ["program", "config", "exit code", "cycles", "instret", "data reads", "data writes", "metadata reads", "metadata writes", "counter hits",
            "plaintext", "DRAM check"]
    return table(head, [[run.program, short_name(run.config), str(run.exit_code), count(run.cycles), count(run.instret),
                         *(count(getattr(run, name), "") for name in TRAFFIC), hits(run), count(run.plaintext), run.dram_check or "not made"]
                        for run in demo.in_order])


def hits(run):
    return percent(run.hits / run.lookups, 1, sign="") if run.hits is not None and run.lookups else ""


def plot_of(demo):
    def heights(config):
        return scaled([*(demo.overhead(config, program) for program in demo.programs), demo.mean(config)])

    return plots.bars("What memory encryption costs", "program", f"cycles added to {short_name(demo.configs[0])} (%)",
                      [*demo.programs, "geometric mean"], [(short_name(config), heights(config)) for config in demo.configs[1:]])


def record(demo):
    """The runs as JSON. A missing value is null."""
    return [{
        "config": run.config, "program": run.program, "exit_code": run.exit_code, "cycles": run.cycles, "instret": run.instret,
        "overhead": demo.overhead(run.config, run.program),
        "dram": None if run.data_reads is None else {name: getattr(run, name) for name in TRAFFIC},
        "counter_cache": None if run.hits is None else {"hits": run.hits, "misses": run.misses},
        "plaintext_words_in_dram": run.plaintext, "dram_check": run.dram_check} for run in demo.in_order]
