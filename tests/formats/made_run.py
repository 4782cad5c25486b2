"""A run that no simulator made: small banks in which a protector has put the image of a package, and nothing was written yet."""

import random

import data
from aes import Key
from layout import Bank, arrays_of, layout_of
from tags import image_tag

BASE, BANK_BYTES, IMAGE_BLOCKS = 0x80000000, 1 << 16, 20
FORMATS = {"plain": 16, "per-address": 16, "split": 64, "spilled": 16, "written bits": 512, "pairs": 16, "none": 0}


def shape(counter_format, integrity):
    tree = {"counter tree": "counters", "hash tree": "tags"}.get(integrity, "none")
    return {"countersPerLine": FORMATS[counter_format], "tagsPerLine": 0 if integrity == "none" else 8,
            "versionsPerLine": 16 if integrity == "log hash" else 0, "tree": tree, "arity": 8, "rootEntries": 2}


def description(mode, counter_format, integrity, engines):
    metadata = shape(counter_format, integrity)
    size, arrays = layout_of(BANK_BYTES, 64, metadata)
    banks = [{"base": BASE, "bytes": BANK_BYTES, "selectBits": [6][:engines - 1], "select": 64 * engine} for engine in range(engines)]
    return {"engines": engines, "dramBase": BASE, "dramBytes": engines * BANK_BYTES, "dataBytes": engines * size, "blockBytes": 64, "banks": banks,
            "mode": mode, "counterFormat": counter_format, "integrity": integrity, "metadata": metadata,
            "overPlaintext": integrity in ("hash tree", "log hash"), "claims": ["freshness"] if integrity not in ("none", "block tags") else [],
            "arrays": [{"base": base, "lines": lines, "entryBits": 32} for _, _, base, lines in arrays]}


class MadeRun:
    """Has what run.Run has."""

    def __init__(self, mode, counter_format, integrity, engines=2, seed=0):
        noise = random.Random(seed)
        self.base, self.uart, self.vendor = BASE, {}, {"staticKey": noise.randbytes(16).hex(), "segments": [
            {"address": hex(BASE + 64 * engines * 5), "fileBytes": 64 * engines * (IMAGE_BLOCKS - 5) - 7, "writable": False}]}
        self.header, self.description = {"imageBlocks": IMAGE_BLOCKS}, description(mode, counter_format, integrity, engines)
        self.dram = bytearray(noise.randbytes(engines * BANK_BYTES))
        self.image = self.plaintext = noise.randbytes(engines * IMAGE_BLOCKS * 64)
        words = [hex(noise.getrandbits(64)) for _ in range(2)]
        self.record = {"entropy": {"words": words}, "roots": {}}
        for engine in range(engines):
            self.load(engine)

    def bytes(self, address, count):
        return bytes(self.dram[address - self.base:address - self.base + count])

    def put(self, address, content):
        self.dram[address - self.base:address - self.base + len(content)] = content

    def load(self, engine):
        """The package, as the loader brings it; arrays that start as zeros; and roots of nothing written."""
        static, metadata = Key(bytes.fromhex(self.vendor["staticKey"])), self.description["metadata"]
        described = self.description["banks"][engine]
        bank = Bank(described["base"], described["bytes"], described["selectBits"], described["select"])
        arrays, _ = arrays_of(self.description["dataBytes"] // self.description["engines"], 64, metadata)
        places = {(kind, level): (base, lines) for kind, level, base, lines in arrays}
        if metadata["tree"] != "counters" and metadata["countersPerLine"]:
            base, lines = places["counter", 0]
            for line in range(lines):
                self.put(bank.address(base + 64 * line), bytes(64))
        for block in range(IMAGE_BLOCKS):
            address = bank.address(64 * block)
            plain = self.image[address - BASE:address - BASE + 64]
            stored = self.encrypted(static, engine, block, plain)
            self.put(address, stored)
            if metadata["tagsPerLine"]:
                hashed = plain if self.description["overPlaintext"] else stored
                tag = image_tag(static, engine, block, IMAGE_BLOCKS, hashed)
                self.put(bank.address(places["tag", 0][0] + block // 8 * 64) + block % 8 * 8, tag.to_bytes(8, "little"))
        self.add_roots(arrays, metadata)

    def encrypted(self, static, engine, block, plain):
        if self.description["mode"] == "direct CBC":
            return data.cbc(static, engine, block, 0, plain, encrypt=True)
        if self.description["mode"] == "XTS":
            return data.xts(static, engine, block, plain, encrypt=True)
        return data.counter_mode(static, engine, block, 0, plain)

    def add_roots(self, arrays, metadata):
        roots, last_lines = self.record["roots"], arrays[-1][3] if arrays else 0
        zeros = {"counters": {"RootTable.table": last_lines}, "tags": {"HashRoot.table": last_lines}}.get(metadata["tree"], {})
        if metadata["versionsPerLine"]:
            zeros = {"TouchedLines.bits": 1, **{f"LogAccumulators.sum_{index}": 1 for index in range(4)}}
        for name, count in zeros.items():
            roots.setdefault(name, []).append(["0x0"] * count)
