"""Completes hints after linking: where the linker chose base and offset of an access, its hint takes them from the access."""

import struct

from elftools.elf.elffile import ELFFile

from . import contract
from .errors import SteerError
from .instructions import Disassembler
from .recorder import marked

HINT_BYTES = 4


def patch(path):
    """The accesses whose final offset does not fit a hint. A nop takes the place of their hints."""
    accesses, _ = marked(path)
    with open(path, "rb") as file:
        segments = [(segment["p_vaddr"], segment["p_filesz"], segment["p_offset"]) for segment in ELFFile(file).iter_segments()
                    if segment["p_type"] == "PT_LOAD"]
    with open(path, "rb") as file:
        image = bytearray(file.read())
    lost = []
    for address, number in accesses.items():
        at = next((offset + address - start for start, size, offset in segments if start <= address < start + size), None)
        if at is None:
            raise SteerError(f"code at 0x{address:x} is in no segment of the linked program: check the link script")
        access = next(Disassembler().instructions(image[at:at + 4], 0, 4))
        _, kind, identifier, _, _ = contract.decode(struct.unpack_from("<I", image, at - HINT_BYTES)[0])
        units = contract.offset_units(access.displacement)
        if units is None:
            lost.append(number)
        word = contract.NOP if units is None else contract.hint(kind, identifier, access.base, units)
        struct.pack_into("<I", image, at - HINT_BYTES, word)
    with open(path, "wb") as file:
        file.write(image)
    return lost
