"""Instructions of a code section, disassembled with capstone: accesses to memory, branches, calls."""

import collections
import re

import capstone

LOADS = {"lb", "lbu", "lh", "lhu", "lw", "lwu", "ld", "flw", "fld", "flq", "flh"}
STORES = {"sb", "sh", "sw", "sd", "fsw", "fsd", "fsq", "fsh"}
BRANCHES = {"beq", "bne", "blt", "bge", "bltu", "bgeu", "beqz", "bnez", "blez", "bgez", "bltz", "bgtz"}
JUMPS = {"j", "jal"}
REGISTERS = ("zero ra sp gp tp t0 t1 t2 s0 s1 a0 a1 a2 a3 a4 a5 a6 a7 s2 s3 s4 s5 s6 s7 s8 s9 s10 s11 t3 t4 t5 t6").split()
OPERAND = re.compile(r"(-?\w+)\((\w+)\)$")

WIDTHS = {"b": 1, "h": 2, "w": 4, "d": 8, "q": 16}

# kind: "load", "store", "atomic", "branch", "jump", "call", "return", "indirect" or "plain". base, displacement and width are those of loads and
# stores; width is in bytes. A branch has a displacement, too.
Instruction = collections.namedtuple("Instruction", "offset size kind base displacement width", defaults=(None, None, None))


class Disassembler:
    def __init__(self):
        self.engine = capstone.Cs(capstone.CS_ARCH_RISCV, capstone.CS_MODE_RISCV64 | capstone.CS_MODE_RISCVC)

    def instructions(self, data, start, end):
        """Each instruction between two offsets. Unknown encodings are plain instructions of the length that their low bits give."""
        at = start
        while at < end:
            for _, size, mnemonic, operands in self.engine.disasm_lite(data[at:end], at):
                yield self._classified(at, size, mnemonic.removeprefix("c."), operands)
                at += size
            if at < end:
                size = 4 if data[at] & 3 == 3 else 2
                yield Instruction(at, size, "plain")
                at += size

    @staticmethod
    def _classified(at, size, mnemonic, operands):
        name = mnemonic.removesuffix("sp")
        if name in LOADS or name in STORES:
            displacement, base = OPERAND.search(operands).groups()
            return Instruction(at, size, "load" if name in LOADS else "store", REGISTERS.index(base), int(displacement, 0),
                               WIDTHS[name.rstrip("u")[-1]])
        kind = _control(mnemonic, operands)
        return Instruction(at, size, kind, None, int(operands.split()[-1], 0) if kind == "branch" else None)


def _control(mnemonic, operands):
    if mnemonic.startswith(("amo", "lr.", "sc.")):
        return "atomic"
    if mnemonic in BRANCHES:
        return "branch"
    if mnemonic in JUMPS:
        return "call" if mnemonic == "jal" and not operands.startswith("zero") else "jump"
    if mnemonic in ("ret", "mret") or mnemonic == "jr" and operands == "ra":
        return "return"
    if mnemonic == "jr" or mnemonic == "jalr" and operands.startswith("zero"):
        return "indirect"
    if mnemonic == "jalr":
        return "call"
    return "plain"
