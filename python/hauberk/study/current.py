"""Whether a recorded run is current: whether its digests are those of this tree.

docs/figures/verilog.csv has the digests of the Verilog of the recorded configurations, and the digest of the hardware's sources that they were
elaborated from. After a change of these sources no run is current until `make current` has elaborated the configurations again.
"""

import csv
import io
import os

from hauberk.study import digests, place
from hauberk.study.errors import StudyError, read_text, write_text


def path_of():
    return os.path.join(place.FIGURES, "verilog.csv")


def load():
    """{configuration: digest of its Verilog in this tree}; empty if the sources have changed."""
    if not os.path.exists(path_of()):
        return {}
    head, _, body = read_text(path_of(), "digests of Verilog").partition("\n")
    if head != f"# hardware: {digests.hardware()}":
        return {}
    lines = list(csv.reader(io.StringIO(body)))
    if any(len(line) != 2 for line in lines):
        raise StudyError(f"{path_of()} is damaged: run make current")
    return dict(lines[1:])


def save(found):
    lines = [f"# hardware: {digests.hardware()}", "config,verilog", *(f"{config},{digest}" for config, digest in sorted(found.items()))]
    write_text(path_of(), "\n".join(lines) + "\n")


def of_tree(run, verilog):
    """Whether a run has the digests of this tree. `verilog` are digests by configuration."""
    return (run.verilog, run.harness, run.sources) == (verilog.get(run.config), digests.harness(), digests.program(run.program, run.flags))
