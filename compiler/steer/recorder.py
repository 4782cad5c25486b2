"""Records what a program's loads read: runs it on the board and notes every access and every function entry."""

import array

import numpy
from elftools.elf.elffile import ELFFile
from unicorn import UC_HOOK_CODE, UC_HOOK_MEM_READ, UC_HOOK_MEM_WRITE, UC_MEM_WRITE
from unicorn.riscv_const import UC_RISCV_REG_PC

from .board import DRAM, Board
from .errors import SteerError
from .linking import MARK
from .trace import Trace

WORD = 8                    # the smallest block: an access across two is two events


def mark(program):
    """Symbols at all accesses and entries, so that they are found in the linked program."""
    for access in program.accesses:
        program.object.add_marker(f"{MARK}a{access.index}", access.section, access.offset)
    for function in program.functions:
        program.object.add_marker(f"{MARK}f{function.index}", function.section, function.start)
    for point in program.points:
        program.object.add_marker(f"{MARK}p{point.index}", point.section, point.offset)


def marked(path):
    """({address: access}, {address: events}) of a linked program with marks."""
    accesses, spots = {}, {}
    with open(path, "rb") as file:
        for symbol in ELFFile(file).get_section_by_name(".symtab").iter_symbols():
            if symbol.name.startswith(MARK):
                kind, number = symbol.name[len(MARK)], int(symbol.name[len(MARK) + 1:])
                if kind == "a":
                    accesses[symbol["st_value"]] = number
                else:
                    spots.setdefault(symbol["st_value"], []).append(-1 - 2 * number - (kind == "p"))
    return accesses, spots


class Recorder:
    """Makes the events of a trace."""

    def __init__(self, path, most):
        self.board = Board(path)
        self.accesses, spots = marked(path)
        self.most = most
        self.who, self.where = array.array("i"), array.array("I")
        machine = self.board.machine
        machine.hook_add(UC_HOOK_MEM_READ | UC_HOOK_MEM_WRITE, self._access, begin=DRAM, end=DRAM + self.board.dram - 1)
        for address, events in spots.items():
            # The entry of a function comes before a loop that starts there
            machine.hook_add(UC_HOOK_CODE, self._pass, user_data=sorted(events, key=lambda event: event % 2 == 0), begin=address, end=address)

    def run(self, patience):
        self.board.run(patience)
        return Trace(numpy.frombuffer(self.who, dtype=numpy.int32), numpy.frombuffer(self.where, dtype=numpy.uint32))

    def _access(self, machine, kind, address, size, value, data):
        number = self.accesses.get(machine.reg_read(UC_RISCV_REG_PC))
        if number is None:
            return
        event = 2 * number + (kind == UC_MEM_WRITE)
        self.who.append(event)
        self.where.append(address - DRAM)
        last = (address + size - 1) // WORD * WORD
        if last > address:
            self.who.append(event)
            self.where.append(last - DRAM)
        if len(self.who) > self.most:
            self.board.failure = f"the profile has more than {self.most} accesses: give the program a smaller input, or raise --most"
            machine.emu_stop()

    def _pass(self, machine, address, size, events):
        for event in events:
            self.who.append(event)
            self.where.append(0)


def record(program, tools, folder, patience, most):
    """(trace, console output) of a run of the unrewritten program. Marks are added to the program's object."""
    mark(program)
    program.object.write(f"{folder}/marked.o")
    tools.link(f"{folder}/marked.o", f"{folder}/marked.elf")
    recorder = Recorder(f"{folder}/marked.elf", most)
    trace = recorder.run(patience)
    if recorder.board.exit_code:
        raise SteerError(f"the program ends with exit code {recorder.board.exit_code}: profile an input that succeeds")
    return trace, recorder.board.text
