"""From inputs to a profile or a program, each by way of a temporary folder: a failure leaves no output behind."""

import copy
import os
import shutil
import tempfile

from elftools.elf.elffile import ELFFile

from . import aim, cache, early, generate, matching, measured, paper, patching, profile, pruning, recorder, report, saved, spelled
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


def make_steered(tools, inputs, out, profile_path, hardware, algorithm="measured", growth=None, data_cache=None, steps=True,
                 early_hints=True):
    """The steered program of a profile. Returns the report.

    `growth` is the most that code may grow, in percent. `data_cache` is (bytes, ways) of a cache whose lines are the blocks.
    Without `steps` no hint is aimed at another block than that of its access. Without `early_hints` each hint stands at its access; so it does with a
    data cache, where the pad is made when the load misses.
    """
    with tempfile.TemporaryDirectory(prefix="hauberk-steer-") as folder:
        given = Inputs(tools, inputs, folder)
        program = given.program()
        trace = profile.load(profile_path, program)
        values = Values(trace, hardware.block, last_pairs=hardware.last)
        units, nudges = aim.aim(program, values, hardware, steps and data_cache is None)
        if data_cache:
            trace, performed = cache.filtered(trace, *data_cache, hardware.block)
            values = Values(trace, hardware.block, performed, hardware.last)
        plain = given.link(given.program(), "plain")
        before = code_size(plain)
        allocation = ALGORITHMS[algorithm](program, values, hardware)
        allocation.units, allocation.nudges = units, nudges
        most = allocation.size() if growth is None else int(before * growth / 100) // INSERTED_BYTES
        planner = early.Planner(program, values, hardware) if early_hints and not data_cache else None
        allocated = copy.deepcopy(allocation)
        steered, lost, is_shrunk = steer_within(given, program, values, allocation, hardware, planner, before, growth, most)
        if planner is not None and is_shrunk and planner.loops(allocation):
            # The hints before loops took the room of others, which may be worth more
            saved_cycles = pruning.cycles(values, allocation, hardware) + planner.loops(allocation)
            planner.uses_loops = False
            steer_within(given, program, values, allocated, hardware, planner, before, growth, most)
            planner.uses_loops = pruning.cycles(values, allocated, hardware) < saved_cycles
            allocation = allocation if planner.uses_loops else allocated
            steered, lost = steer_all(given, program, values, allocation, hardware, planner)
        result = report.summary(program, values, allocation, hardware, lost)
        result["algorithm"] = algorithm
        after = code_size(steered)
        result["code"] = {"before": before, "after": after, "growth": 100 * (after - before) / before}
        result["allocation"] = saved.to_json(program, allocation)
        deliver(steered, out)
        return result


def steer_within(given, program, values, allocation, hardware, planner, before, growth, most):
    """(path of the linked program, hints given up, whether hints were left out for room). `before` bytes of code may grow by `growth` percent."""
    is_shrunk = False
    while True:
        pruning.fit(values, allocation, hardware, most)
        steered, lost = steer_all(given, program, values, allocation, hardware, planner)
        excess = 0 if growth is None else code_size(steered) - before * (1 + growth / 100)
        if excess <= 0:
            return steered, lost, is_shrunk
        # Spelled addresses, longer branches and hints before loops have grown the code further
        most, is_shrunk = min(most, allocation.size()) - int(excess // INSERTED_BYTES) - 1, True


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


def steer_all(given, program, values, allocation, hardware, planner=None):
    """(path of the linked program, number of hints given up). Hints that do not fit after linking are spelled out or given up, until all fit."""
    hintable, given_up = matching.hintable(program), set()
    while True:
        if planner is not None:
            planner.place(allocation)
        path, lost = steer(given, allocation)
        if not lost:
            return path, len(given_up)
        out = {number for number in lost if number in allocation.spelled or not spelled.spellable(program, number)}
        allocation.spelled |= set(lost) - out
        given_up |= out
        for number in out:
            allocation.stores.pop(number, None)
            allocation.loads.pop(number, None)
        if out:
            pruning.settle(values, allocation, hintable - given_up, hardware)


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
