"""From inputs to a profile or a program, each by way of a temporary folder: a failure leaves no output behind."""

import os
import shutil
import tempfile

from elftools.elf.elffile import ELFFile

from . import aim, generate, matching, measured, paper, patching, profile, pruning, recorder, report, saved
from .errors import SteerError
from .objects import Object
from .program import Program
from .trace import Values

ALGORITHMS = {"measured": measured.allocate, "paper": paper.allocate}
INSERTED_BYTES = 4


class Inputs:
    """The gathered object of a whole program."""

    def __init__(self, tools, inputs, folder):
        self.tools, self.folder = tools, folder
        self.gathered = os.path.join(folder, "gathered.o")
        tools.gather(inputs, self.gathered)

    def program(self):
        return Program(Object(self.gathered))

    def link(self, program, name):
        path = os.path.join(self.folder, name)
        program.object.write(path + ".o")
        self.tools.link(path + ".o", path)
        return path


def make_profile(tools, inputs, out, patience, most):
    """Runs the program and writes its profile. Returns what the program printed."""
    with tempfile.TemporaryDirectory(prefix="hauberk-steer-") as folder:
        program = Inputs(tools, inputs, folder).program()
        digest = program.digest()
        trace, printed = recorder.record(program, tools, folder, patience, most)
        profile.save(os.path.join(folder, "profile"), program, digest, trace)
        deliver(os.path.join(folder, "profile"), out)
        return printed


def make_plain(tools, inputs, out):
    """The program without hints."""
    with tempfile.TemporaryDirectory(prefix="hauberk-steer-") as folder:
        given = Inputs(tools, inputs, folder)
        deliver(given.link(given.program(), "plain"), out)


def make_steered(tools, inputs, out, profile_path, hardware, algorithm="measured", growth=None):
    """The steered program of a profile. Returns the report. `growth` is the most that code may grow, in percent."""
    with tempfile.TemporaryDirectory(prefix="hauberk-steer-") as folder:
        given = Inputs(tools, inputs, folder)
        program = given.program()
        values = Values(profile.load(profile_path, program), hardware.block)
        units = aim.aim(program, values, hardware.block)
        plain = given.link(given.program(), "plain")
        before = code_size(plain)
        allocation = ALGORITHMS[algorithm](program, values, hardware)
        allocation.units = units
        if growth is not None:
            pruning.fit(values, allocation, hardware, int(before * growth / 100) // INSERTED_BYTES)
        steered, lost = steer(given, allocation)
        for number in lost:
            allocation.loads.pop(number, None)
            allocation.stores.pop(number, None)
        result = report.summary(program, values, allocation, hardware, len(lost))
        result["algorithm"] = algorithm
        after = code_size(steered)
        result["code"] = {"before": before, "after": after, "growth": 100 * (after - before) / before}
        result["allocation"] = saved.to_json(program, allocation)
        deliver(steered, out)
        return result


def make_again(tools, inputs, out, allocation_path, hardware):
    """The steered program of an allocation."""
    with tempfile.TemporaryDirectory(prefix="hauberk-steer-") as folder:
        given = Inputs(tools, inputs, folder)
        program = given.program()
        allocation = saved.load(allocation_path, program, matching.hintable(program))
        if allocation.registers != hardware.registers:
            raise SteerError(f"the allocation is for {allocation.registers} registers: give --registers {allocation.registers}")
        steered, _ = steer(given, allocation)
        deliver(steered, out)


def steer(given, allocation):
    """(path of the linked program, accesses whose hint was lost)."""
    program = given.program()
    generate.rewrite(program, allocation)
    path = given.link(program, "steered")
    lost = patching.patch(path)
    given.tools.strip_marks(path)
    return path, lost


def code_size(path):
    """Bytes of executable sections."""
    with open(path, "rb") as file:
        return sum(section["sh_size"] for section in ELFFile(file).iter_sections() if section["sh_flags"] & 4)


def deliver(path, out):
    try:
        shutil.copy(path, out)
    except OSError as error:
        raise SteerError(f"{out} cannot be written: {error.strerror}") from error
