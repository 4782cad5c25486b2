"""What the cells of UltraScale+ are, as `synth_xilinx -family xcup` uses them."""

import re

# Of a distributed RAM, the LUTs it takes in a SLICEM (UG574).
LUT_RAMS = {
    "RAM32X1S": 1, "RAM64X1S": 1, "RAM128X1S": 2, "RAM256X1S": 4, "RAM512X1S": 8,
    "RAM32X1D": 2, "RAM64X1D": 2, "RAM128X1D": 4, "RAM256X1D": 8,
    "RAM32M": 4, "RAM64M": 4, "RAM32M16": 8, "RAM64M8": 8, "RAM64X8SW": 8, "RAM32X16DR8": 8,
}
SHIFT_REGISTERS = {"SRL16E": 1, "SRLC32E": 1}
LUTS = {"LUT1", "LUT2", "LUT3", "LUT4", "LUT5", "LUT6", "INV"}
CARRIES = {"CARRY4", "CARRY8"}
LOGIC = LUTS | CARRIES | {"MUXF7", "MUXF8", "MUXF9"}
FLIP_FLOPS = {"FDRE", "FDSE", "FDRE_1", "FDSE_1"}
ASYNCHRONOUS = {"FDCE", "FDPE", "FDCE_1", "FDPE_1"}
LATCHES = {"LDCE", "LDPE"}
CLOCKS = {"C", "G", "CLK", "WCLK", "CLKARDCLK", "CLKBWRCLK"}
BLOCK_RAMS = {"RAMB18E2": 0.5, "RAMB36E2": 1.0}
ULTRA_RAMS = {"URAM288", "URAM288_BASE"}
DSPS = {"DSP48E2"}
KNOWN = set(LUT_RAMS) | set(SHIFT_REGISTERS) | LOGIC | FLIP_FLOPS | ASYNCHRONOUS | LATCHES | set(BLOCK_RAMS) | ULTRA_RAMS | DSPS

RESOURCES = ("luts", "luts_as_memory", "flip_flops", "block_rams", "ultra_rams", "dsps")


def resources(kinds):
    """Sums up cells, given as {kind: number}. A LUT as memory is a LUT, too."""
    total = dict.fromkeys(RESOURCES, 0)
    for kind, number in kinds.items():
        as_memory = number * (LUT_RAMS.get(kind, 0) + SHIFT_REGISTERS.get(kind, 0))
        total["luts_as_memory"] += as_memory
        total["luts"] += as_memory + (number if kind in LUTS else 0)
        total["flip_flops"] += number if kind in FLIP_FLOPS | ASYNCHRONOUS | LATCHES else 0
        total["block_rams"] += number * BLOCK_RAMS.get(kind, 0)
        total["ultra_rams"] += number if kind in ULTRA_RAMS else 0
        total["dsps"] += number if kind in DSPS else 0
    return total


def arcs(kind, parameters, inputs, outputs):
    """The combinational arcs of a cell: pairs of an output's bit and the bits it depends on. Ports are {name: [bit]}."""
    if kind in CARRIES:
        return carry_arcs(inputs, outputs)
    if kind in LOGIC:
        return all_to_all(inputs, outputs)
    if kind in LUT_RAMS:
        return [(bit, address(port, inputs)) for port, bits in outputs.items() for bit in bits]
    if kind in SHIFT_REGISTERS:
        taps = wires(inputs, r"A\d?")
        return [(bit, taps) for bit in outputs.get("Q", [])] if taps else []
    if kind in DSPS and not (register(parameters, "MREG") or register(parameters, "PREG")):
        through = {port: bits for port, bits in inputs.items() if not samples(port, parameters)}
        return all_to_all(through, outputs)
    return []


def ends(kind, inputs):
    """The bits at which paths end: those that a clock samples. The clock itself is none of them."""
    return [] if kind in LOGIC else [bit for port, bits in inputs.items() if port not in CLOCKS for bit in bits]


def wires(ports, name):
    """The bits of ports of a name, without constants."""
    return [bit for port, bits in ports.items() if re.fullmatch(name, port) for bit in bits if isinstance(bit, int)]


def all_to_all(inputs, outputs):
    everything = wires(inputs, r".*")
    return [(bit, everything) for bits in outputs.values() for bit in bits]


def carry_arcs(inputs, outputs):
    # Bit by bit: taken as a whole, a chain would seem to feed itself.
    begin = inputs.get("CI", []) + inputs.get("CYINIT", []) + inputs.get("CI_TOP", [])
    select, data = inputs.get("S", []), inputs.get("DI", [])
    for i, bit in enumerate(outputs.get("O", [])):
        yield bit, begin + select[: i + 1] + data[:i]
    for i, bit in enumerate(outputs.get("CO", [])):
        yield bit, begin + select[: i + 1] + data[: i + 1]


def address(port, inputs):
    """What selects the bits that an output of a distributed RAM shows."""
    if port.startswith("DO"):
        return wires(inputs, "ADDR" + port[2:])
    return wires(inputs, r"DPRA\d?" if port == "DPO" else r"A\d?")


def samples(port, parameters):
    """Whether a DSP has a register behind this port."""
    return port in CLOCKS or port.startswith(("CE", "RST")) or port in ("A", "B", "C", "D") and register(parameters, port + "REG")


def register(parameters, name):
    """A DSP has a register unless it says that it has not."""
    return int(parameters.get(name, "1"), 2) != 0
