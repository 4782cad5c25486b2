"""The hardware of the contract as a model: runs a steered program and counts right and wrong hints. It shares no code with the replay."""

import functools
import operator

from unicorn import UC_HOOK_MEM_READ, UC_HOOK_MEM_WRITE, UC_MEM_WRITE
from unicorn.riscv_const import UC_RISCV_REG_X0

from . import contract
from .board import DRAM, Board

GLOBAL = "global"
COUNTS = "total right wrong notApplied rightWithoutHint hints increments ignored writes global".split()


class Id:
    """What was written under an id since its register grew."""

    def __init__(self):
        self.lowest, self.highest, self.known = None, None, set()

    def is_new(self, block, filtered):
        return self.lowest is None or block < self.lowest or block > self.highest or filtered and block not in self.known

    def note(self, block):
        self.lowest = block if self.lowest is None else min(self.lowest, block)
        self.highest = block if self.highest is None else max(self.highest, block)
        self.known.add(block)


class Model:
    def __init__(self, path, hardware):
        self.hardware, self.board = hardware, Board(path)
        self.values = [1] * hardware.registers
        self.writes = [0] * hardware.registers      # hinted writes since the register grew
        self.ids = {}
        self.pending = ({}, {})                     # {slot: (block, id)}, of loads and of stores
        self.pairs = {}                             # {block: pair}
        self.last = {}                              # {place: block}, of the table of last pairs
        self.counts = dict.fromkeys(COUNTS, 0)
        self.board.unknown = self._instruction
        self.board.machine.hook_add(UC_HOOK_MEM_READ | UC_HOOK_MEM_WRITE, self._access, begin=DRAM, end=DRAM + self.board.dram - 1)

    def run(self, patience):
        self.board.run(patience)
        return self.counts

    def _instruction(self, address, word):
        decoded = contract.decode(word)
        if decoded is None:
            return
        if decoded[0] == "next":
            self._grow(decoded[1])
            return
        _, kind, identifier, base, units = decoded
        self.counts["hints"] += 1
        place = self.board.machine.reg_read(UC_RISCV_REG_X0 + base) + units * contract.OFFSET_UNIT
        block = (place & (1 << 64) - 1) // self.hardware.block
        self.pending[kind][block % contract.PENDING_HINTS] = block, identifier

    def _taken(self, kind, block):
        """The id of the pending hint for an access, which uses it up."""
        slot, waiting = block % contract.PENDING_HINTS, self.pending[kind]
        return waiting.pop(slot)[1] if slot in waiting and waiting[slot][0] == block else None

    def _grow(self, register):
        if register >= self.hardware.registers:
            self.counts["ignored"] += 1
            return
        self.counts["increments"] += 1
        self.values[register] += 1
        self.writes[register] = 0
        self.ids = {identifier: known for identifier, known in self.ids.items() if identifier % self.hardware.registers != register}

    def _access(self, machine, kind, address, size, value, data):
        for block in range(address // self.hardware.block, (address + size - 1) // self.hardware.block + 1):
            if kind == UC_MEM_WRITE:
                self._write(block)
            else:
                self._read(block)

    def _read(self, block):
        counts, pair = self.counts, self.pairs.get(block)
        counts["total"] += 1
        identifier = self._taken(contract.LOAD, block)
        if identifier is None:
            counts["notApplied"] += 1
            counts["rightWithoutHint"] += pair is None or self.hardware.last > 0 and self.last[self._place(block)] == block
        else:
            expected = identifier, self.values[identifier % self.hardware.registers]
            counts["right" if pair == expected else "wrong"] += 1

    def _write(self, block):
        self.counts["writes"] += 1
        identifier = self._taken(contract.STORE, block)
        pair = GLOBAL
        if identifier is not None:
            register = identifier % self.hardware.registers
            known = self.ids.setdefault(identifier, Id())
            if known.is_new(block, self.writes[register] < self.hardware.pairs):
                known.note(block)
                pair = identifier, self.values[register]
            self.writes[register] += 1
        self.counts["global"] += pair is GLOBAL
        self.pairs[block] = pair
        if self.hardware.last:
            self.last[self._place(block)] = block

    def _place(self, block):
        """Of the block in the table of last pairs: a hash that keeps neighbours apart."""
        bits = self.hardware.last.bit_length() - 1
        return functools.reduce(operator.xor, (block >> at & self.hardware.last - 1 for at in range(0, 64, bits)))
