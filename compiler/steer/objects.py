"""Relocatable objects in memory: sections, symbols and relocations, read with pyelftools and written back.

Every section keeps its number, so that groups and section headers need no change.
"""

import collections
import functools
import struct

from elftools.common.exceptions import ELFError
from elftools.elf.elffile import ELFFile

from .errors import SteerError

SHT_SYMTAB, SHT_RELA, SHT_NOBITS = 2, 4, 8
SHF_ALLOC, SHF_EXECINSTR = 2, 4
SHN_XINDEX = 0xffff
STB_GLOBAL, STV_HIDDEN = 1, 2
STT_FUNC, STT_SECTION = 2, 3

HEADER = struct.Struct("<16sHHIQQQIHHHHHH")
SECTION = struct.Struct("<IIQQQQIIQQ")
SYMBOL = struct.Struct("<IBBHQQ")
RELA = struct.Struct("<QQq")


class Symbol:
    def __init__(self, name, info, other, section, value, size):
        self.name, self.info, self.other, self.section, self.value, self.size = name, info, other, section, value, size

    @property
    def kind(self):
        return self.info & 15

    @property
    def is_global(self):
        return self.info >> 4 != 0


class Relocation:
    def __init__(self, offset, kind, symbol, addend):
        self.offset, self.kind, self.symbol, self.addend = offset, kind, symbol, addend


class Section:
    def __init__(self, index, name, header, data):
        self.index, self.name, self.header, self.data = index, name, list(header), data
        self.relocations = []

    @property
    def kind(self):
        return self.header[1]

    @property
    def is_code(self):
        return self.header[2] & (SHF_ALLOC | SHF_EXECINSTR) == SHF_ALLOC | SHF_EXECINSTR and self.kind != SHT_NOBITS


class Object:
    """`sections` by number, `symbols` by number. The relocations of a section are those that apply to it."""

    def __init__(self, path):
        check_isa(path)
        with open(path, "rb") as file:
            raw = file.read()
        self.header = list(HEADER.unpack_from(raw))
        offset, count = self.header[6], self.header[12]
        headers = [SECTION.unpack_from(raw, offset + number * SECTION.size) for number in range(count)]
        names = headers[self.header[13]][4]
        self.sections = []
        for number, header in enumerate(headers):
            start = names + header[0]
            data = b"" if header[1] in (0, SHT_NOBITS) else raw[header[4]:header[4] + header[5]]
            self.sections.append(Section(number, raw[start:raw.index(b"\0", start)].decode(), header, data))
        self.table = next((section for section in self.sections if section.kind == SHT_SYMTAB), None)
        if self.table is None:
            raise SteerError(f"{path} has no symbols: do not strip it")
        self.symbols = [self._symbol(entry) for entry in SYMBOL.iter_unpack(self.table.data)]
        for section in self.sections:
            if section.kind == SHT_RELA:
                target = self.sections[section.header[7]]
                target.relocations = [Relocation(at, info & 0xffffffff, info >> 32, addend) for at, info, addend in RELA.iter_unpack(section.data)]

    def _symbol(self, entry):
        name, info, other, section, value, size = entry
        if section == SHN_XINDEX:
            raise SteerError("the program has more than 65279 sections: compile it without -ffunction-sections")
        strings = self.sections[self.table.header[6]].data
        return Symbol(strings[name:strings.index(b"\0", name)].decode(), info, other, section, value, size)

    @functools.cached_property
    def used_symbols(self):
        """Numbers of the symbols that a loaded section refers to."""
        return {entry.symbol for section in self.sections if section.header[2] & SHF_ALLOC for entry in section.relocations}

    @functools.cached_property
    def symbols_of(self):
        """{section number: its symbols}, as they were read."""
        found = collections.defaultdict(list)
        for symbol in self.symbols:
            found[symbol.section].append(symbol)
        return found

    def code(self):
        return [section for section in self.sections if section.is_code]

    def add_marker(self, name, section, value):
        """A hidden global symbol. The linker keeps its address right when it relaxes code."""
        self.symbols.append(Symbol(name, STB_GLOBAL << 4, STV_HIDDEN, section.index, value, 0))

    def write(self, path):
        strings = bytearray(b"\0")
        known = {"": 0}
        table = bytearray()
        for symbol in self.symbols:
            if symbol.name not in known:
                known[symbol.name] = len(strings)
                strings += symbol.name.encode() + b"\0"
            table += SYMBOL.pack(known[symbol.name], symbol.info, symbol.other, symbol.section, symbol.value, symbol.size)
        self.table.data = bytes(table)
        self._set_strings(strings)
        for section in self.sections:
            if section.kind == SHT_RELA:
                section.data = b"".join(RELA.pack(entry.offset, entry.symbol << 32 | entry.kind, entry.addend)
                                        for entry in self.sections[section.header[7]].relocations)
        body = bytearray(HEADER.size)
        for section in self.sections[1:]:
            body += bytes(-len(body) % max(1, section.header[8]))
            section.header[4] = len(body)
            if section.kind != SHT_NOBITS:
                section.header[5] = len(section.data)
                body += section.data
        body += bytes(-len(body) % 8)
        self.header[6] = len(body)
        body += b"".join(SECTION.pack(*section.header) for section in self.sections)
        body[:HEADER.size] = HEADER.pack(*self.header)
        with open(path, "wb") as file:
            file.write(body)

    def _set_strings(self, strings):
        """Symbol names in the section of their own that the linker gives them."""
        section = self.sections[self.table.header[6]]
        if section.index == self.header[13]:
            raise SteerError("symbol names and section names share a section: link the objects with GNU ld")
        section.data = bytes(strings)


def check_isa(path):
    """Refuses anything but ELF for 64-bit little-endian RISC-V."""
    try:
        with open(path, "rb") as file:
            elf = ELFFile(file)
            if elf["e_machine"] != "EM_RISCV" or elf.elfclass != 64 or not elf.little_endian:
                raise SteerError(f"{path} is for {elf.get_machine_arch()} of {elf.elfclass} bits: compile it for 64-bit little-endian RISC-V")
    except OSError as error:
        raise SteerError(f"{path} cannot be read: {error.strerror}") from error
    except ELFError as error:
        raise SteerError(f"{path} is not an ELF file: name objects, archives or programs that a RISC-V compiler made") from error
