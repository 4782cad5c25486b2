"""FireSim's results of all jobs, as one comparison."""

import dataclasses
import os
import re

from hauberk.study.errors import StudyError
from hauberk.study.firesim import counters
from hauberk.study.firesim.console import ConsoleLog
from hauberk.study.kinds.demo import Demo
from hauberk.study.lines import Lines
from hauberk.study.report import distinct
from hauberk.study.run import faults_of_end

# Every job's folder has it
SUMMARY = "HW_CFG_SUMMARY"
FIELD = re.compile(r"(RuntimeHWConfig|DeployQuintuplet): (.*)")
# Jobs of workloads/hauberk-single.yaml and hauberk-multicore.yaml, as FireMarshal names them
BARE_METAL = re.compile(r"hauberk-(?:single|multicore)-(.+)")
TRAFFIC = "Traffic in blocks of 64 bytes: under Linux from before a program to behind it, with the operating system's, otherwise from reset on."


class FireSimRun:
    """A program that a node ran, for the report of a demo. The DRAM of an FPGA is not checked."""
    latency = protected = plaintext = dram_check = None

    def __init__(self, config, section):
        self.config, self.section = config, section
        for name in ("program", "exit_code", "checksum", "cycles", "instret", "counters"):
            setattr(self, name, getattr(section, name))
        for name, value in counters.traffic(section.counters).items():
            setattr(self, name, value)

    @property
    def lookups(self):
        return self.hits + self.misses

    @property
    def problems(self):
        found = [*faults_of_end(self), *(f"raised the alarm of the {part}" for part in counters.alarms(self.counters))]
        return [f"{self.program} on {self.config} {problem}" for problem in found]


@dataclasses.dataclass
class Job:
    """A folder of results-workload/DATE-WORKLOAD. `hardware` names the entry of config_hwdb.yaml, or the recipe in a metasimulation; `config` is the
    target's configuration, without fragments and packages; `memory` the counts of the models of its memory channels."""
    folder: str
    hardware: str
    config: str
    is_bare_metal: bool
    runs: list
    end: tuple | None
    memory: list
    auto_counters: dict

    @property
    def name(self):
        return os.path.basename(self.folder)


def files(folder, name):
    return [os.path.join(folder, file) for file in sorted(os.listdir(folder)) if re.fullmatch(name, file)]


def hardware(path):
    """(hardware, configuration) of a job."""
    file = Lines(path, "hardware summary")
    fields = {mark[1]: (line, mark[2]) for line, text in file.lines if (mark := FIELD.fullmatch(text))}
    for name in ("RuntimeHWConfig", "DeployQuintuplet"):
        if name not in fields:
            file.refuse(file.last, f"the summary ends without {name}")
    line, quintuplet = fields["DeployQuintuplet"]
    parts = quintuplet.split("-")
    if len(parts) != 5:
        file.refuse(line, f"'{quintuplet}' is not PLATFORM-PROJECT-DESIGN-TARGET_CONFIG-PLATFORM_CONFIG")
    return fields["RuntimeHWConfig"][1], re.split("[_.]", parts[3])[-1]


def read_job(folder):
    name, config = hardware(os.path.join(folder, SUMMARY))
    log = ConsoleLog(os.path.join(folder, "uartlog"))
    # One for each clock of the target
    counted = {key: value for path in files(folder, r"AUTOCOUNTERFILE[0-9]*\.csv") for key, value in counters.auto_counters(path).items()}
    bare = BARE_METAL.fullmatch(os.path.basename(folder))
    sections = [log.bare_metal(bare[1], counted)] if bare else log.sections()
    if not sections:
        raise StudyError(f"{os.path.join(folder, 'uartlog')} has the section of no program")
    memory = [counters.memory_statistics(path) for path in files(folder, r"memory_stats[0-9]*\.csv")]
    return Job(folder, name, config, bool(bare), [FireSimRun(config, section) for section in sections], log.end, memory, counted)


def jobs_of(folder):
    inner = [os.path.join(folder, name) for name in sorted(os.listdir(folder))] if os.path.isdir(folder) else []
    found = [job for job in inner if os.path.exists(os.path.join(job, SUMMARY))]
    if not found:
        raise StudyError(f"{folder} holds no job with a {SUMMARY}: name a folder of FireSim's deploy/results-workload")
    return list(map(read_job, found))


@dataclasses.dataclass
class Results:
    jobs: list
    demo: Demo

    @property
    def problems(self):
        return [*self.demo.problems, *self.differences, *(f"the simulation of {job.name} did not end" for job in self.jobs if job.end is None)]

    @property
    def differences(self):
        """Protection must not change what a program computes."""
        reference, *others = self.demo.configs
        for program in self.demo.programs:
            for config in others:
                mine, base = self.demo.runs.get((config, program)), self.demo.runs.get((reference, program))
                if mine and base and mine.checksum != base.checksum:
                    yield f"{program} has another checksum on {config} than on {reference}"


def read(folders, baseline=None):
    """All jobs of the folders. `baseline` is a configuration, or None for the one that is not Hauberk's."""
    jobs = [job for folder in folders for job in jobs_of(folder)]
    runs = {}
    for job in jobs:
        for run in job.runs:
            twin = runs.setdefault((run.config, run.program), (job, run))
            if twin[1] is not run:
                raise StudyError(f"{run.program} ran on {run.config} more than once, in {twin[0].folder} and {job.folder}: collect them separately")
    configs = distinct(job.config for job in jobs)
    reference = baseline or the_other(configs)
    if reference not in configs or len(configs) < 2:
        raise StudyError(f"there are runs of {', '.join(configs)}: name results of {reference} and of another configuration")
    ordered = [reference, *(config for config in configs if config != reference)]
    return Results(jobs, Demo(ordered, distinct(program for _, program in runs), {key: run for key, (_, run) in runs.items()}, TRAFFIC))


def the_other(configs):
    found = [config for config in configs if not config.startswith("Hauberk")]
    if len(found) != 1:
        raise StudyError(f"{len(found)} of the configurations {', '.join(configs)} are without Hauberk: name the one to measure against with --baseline")
    return found[0]
