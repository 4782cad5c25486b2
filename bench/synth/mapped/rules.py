"""What an FPGA cannot have, or what would waste it. Each rule finds offences: sentences."""

from . import cells

# Modules of Rocket Chip whose registers have to be reset asynchronously: there, an interrupt crosses clocks.
ASYNCHRONOUS = ("AsyncResetRegVec",)
# A memory of fewer bits is as well off in flip-flops.
LEAST_MEMORY_BITS = 1024


def latches(netlist):
    for cell in netlist.of_kind(cells.LATCHES):
        yield f"{netlist.place(cell)} is a latch: give it a value in every case"


def loops(netlist):
    nets = netlist.loops()
    if nets:
        yield f"there is a combinational loop through {nets[0]}" + (f" and {len(nets) - 1} more nets" if nets[1:] else "")


def black_boxes(netlist):
    for kind, place in netlist.black_boxes:
        yield f"{place} is a black box, {kind}: give it Verilog that can be synthesized"


def asynchronous_resets(netlist):
    for cell in netlist.of_kind(cells.ASYNCHRONOUS):
        modules = netlist.instances[netlist.owners[cell]][1]
        if not modules[-1].startswith(ASYNCHRONOUS):
            yield f"{netlist.place(cell)} is reset asynchronously: reset it synchronously"


def flip_flop_memory(path, memory, scala):
    """Of a memory that protector or bus has; those of Rocket Chip are its own affair."""
    if memory["kind"] is None and memory["words"] * memory["bits"] >= LEAST_MEMORY_BITS:
        yield (f"{path}{f' ({scala})' if scala else ''}, {memory['words']} words of {memory['bits']} bits, {memory['writers']} written at a time, "
               "became flip-flops: read and write it as a block RAM or distributed RAM can")


NETLIST_RULES = (latches, loops, black_boxes, asynchronous_resets)
