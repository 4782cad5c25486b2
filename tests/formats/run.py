"""The files that a run leaves, and the description of its SoC."""

import functools
import json
import os
import re

from layout import Bank, layout_of
from refusal import Refused, demand


def loaded(*path):
    try:
        with open(os.path.join(*path)) as file:
            return json.load(file)
    except (OSError, ValueError) as problem:
        raise Refused(f"{os.path.join(*path)} cannot be read: {problem}") from None


class Run:
    def __init__(self, folder):
        self.folder = folder
        self.record = loaded(folder, "run.json")
        package = os.path.join(folder, self.record["program"] + ".pkg")
        self.vendor, self.header = loaded(package, "vendor.json"), loaded(package, "header.json")
        self.description = self.vendor["soc"]
        self.image, self.plaintext = self.read(package, "image.bin"), self.read(package, "plaintext.bin")
        self.dram = bytearray(self.read(folder, "dram.bin"))
        demand(self.record["ending"] == "finished", f"the run ended as '{self.record['ending']}': metadata may be in caches still")
        demand(len(self.dram) == self.description["dramBytes"], f"dram.bin has {len(self.dram)} bytes, not {self.description['dramBytes']}")

    def read(self, *path):
        try:
            with open(os.path.join(*path), "rb") as file:
                return file.read()
        except OSError as problem:
            raise Refused(f"{os.path.join(*path)} cannot be read: {problem.strerror}") from None

    @property
    def base(self):
        return self.description["dramBase"]

    @functools.cached_property
    def uart(self):
        """The numbers that the program printed of itself, as its results have them in memory."""
        text = self.read(self.folder, "uart.log").decode(errors="replace")
        return dict(re.findall(r"^(checksum|cycles|instret) (\w+)$", text, re.M))

    def bytes(self, address, count):
        return bytes(self.dram[address - self.base:address - self.base + count])


class Memory:
    """A bank of a dump, by local addresses."""

    def __init__(self, run, index):
        self.run, self.index, described = run, index, run.description
        bank = described["banks"][index]
        self.bank = Bank(bank["base"], bank["bytes"], bank["selectBits"], bank["select"])
        self.block_bytes = described["blockBytes"]
        self.data_bytes, arrays = layout_of(bank["bytes"], self.block_bytes, described["metadata"])
        self.arrays = {(kind, level): (base, count) for kind, level, base, count in arrays}
        said = [(array["base"], array["lines"]) for array in described["arrays"]]
        demand(self.data_bytes * len(described["banks"]) == described["dataBytes"] and [array[2:] for array in arrays] == said,
               f"bank {index}: the description has other arrays than docs/formats.md")

    @property
    def blocks(self):
        return self.data_bytes // self.block_bytes

    @property
    def levels(self):
        return max((level for _, level in self.arrays), default=0)

    def lines(self, kind, level=0):
        return self.arrays[kind, level][1] if (kind, level) in self.arrays else 0

    def line(self, kind, index, level=0):
        return self.run.bytes(self.line_address(kind, index, level), self.block_bytes)

    def line_address(self, kind, index, level=0):
        return self.bank.address(self.arrays[kind, level][0] + self.block_bytes * index)

    def block(self, block):
        return self.run.bytes(self.block_address(block), self.block_bytes)

    def block_address(self, block):
        return self.bank.address(block * self.block_bytes)
