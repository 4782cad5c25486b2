#!/usr/bin/env python3
"""Prints a Verilator configuration that makes the roots of a protector in a SystemVerilog file visible to src/roots.cc, for reading only."""

import re
import sys

MEMORIES = ["RootTable", "HashRoot", "TouchedLines", "NumberTable"]
# Of these the widest registers: the sums of a log, the position of a re-encryption. They have no names in the Verilog.
REGISTERS = ["LogAccumulators", "RekeySweep"]


def shown(name, kind, body):
    """(module, variable) of all that a module has."""
    if kind in MEMORIES:
        return [(memory, "Memory") for memory in re.findall(r"^  (\w+) \w+_ext \(", body, re.M)]
    registers = [(int(bits), register) for bits, register in re.findall(r"^  reg +\[(\d+):0\] +(\w+);", body, re.M)]
    return [(name, register) for bits, register in registers if bits == max(registers)[0]]


def main():
    kinds = "|".join(MEMORIES + REGISTERS)
    with open(sys.argv[1]) as file:
        modules = re.findall(rf"^module (({kinds})(?:_\d+)?)\((.*?)^endmodule", file.read(), re.M | re.S)
    print("`verilator_config")
    for module, variable in sorted({each for found in modules for each in shown(*found)}):
        print(f'public_flat_rd -module "{module}" -var "{variable}"')


main()
