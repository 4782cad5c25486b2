#!/usr/bin/python3
"""Decrypts and verifies the DRAM of a run by formats.py, which knows docs/formats.md and no source of Hauberk.

tests/formats/dump.py CONFIG.json RUN_FOLDER

RUN_FOLDER is that of `make -C sims/verilator run-binary RUN_DIR=...`. Handles one engine without regions and without re-encryption. Prints
what it checked; exits with 1 and one sentence at the first block or line that is wrong.
"""

import functools
import json
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import formats
from formats import LINE, Key, number


def load(*path):
    with open(os.path.join(*path)) as file:
        return json.load(file)


class Dump:
    def __init__(self, soc, folder):
        self.soc, self.record = load(soc), load(folder, "run.json")
        package = os.path.join(folder, self.record["program"] + ".pkg")
        with open(os.path.join(folder, "dram.bin"), "rb") as file:
            self.memory = file.read()
        with open(os.path.join(package, "plaintext.bin"), "rb") as file:
            self.image = file.read()
        words = [int(word, 16) for word in self.record["entropy"]["words"]]
        supported = self.soc["engines"] == 1 and not self.soc.get("regions") and len(words) == 2
        if not supported:
            sys.exit("dump: this run has several engines, regions or keys: choose one without")
        self.dynamic = Key(b"".join(word.to_bytes(8, "big") for word in words))
        self.static = Key(bytes.fromhex(load(package, "vendor.json")["staticKey"]))
        self.image_blocks = load(package, "header.json")["imageBlocks"]
        shape = self.soc["metadata"]
        self.leaves = None if shape["tree"] == "none" else shape["tree"]
        versions = next(value for name, value in shape.items() if name not in ("countersPerLine", "tagsPerLine") and name.endswith("PerLine"))
        self.data_bytes, self.arrays = formats.layout(
            self.soc["dramBytes"], shape["countersPerLine"], shape["tagsPerLine"], versions, self.leaves, shape["rootEntries"])
        self.verified = {}
        if self.data_bytes != self.soc["dataBytes"]:
            sys.exit(f"dump: the page gives {self.data_bytes} bytes of data, the SoC has {self.soc['dataBytes']}")

    def line(self, array, index):
        at = self.arrays[array][0] + LINE * index
        return self.memory[at:at + LINE]

    def levels(self):
        return sum(name.startswith("level") for name in self.arrays)

    def array(self, level):
        return f"level {level}" if level else self.leaves

    def root_counter(self, level, index, content):
        """The chip has it. The one with which the line verifies, of those that the run can have reached; 0 if none does."""
        most = self.record["dram"]["metadata_writes"]
        mac = number(content[56:])
        return next((parent for parent in range(1, most + 1) if formats.line_mac(self.dynamic, 0, level, index, parent, content) == mac), 0)

    def counter_tree(self, level, index):
        """A line of the counter tree, verified up to the root."""
        if (level, index) not in self.verified:
            content = self.line(self.array(level), index)
            top = level == self.levels()
            parent = self.root_counter(level, index, content) if top else formats.node_counters(self.counter_tree(level + 1, index // 8))[index % 8]
            if parent and formats.line_mac(self.dynamic, 0, level, index, parent, content) != number(content[56:]):
                sys.exit(f"dump: line {index} of {self.array(level)} does not verify")
            self.verified[level, index] = content if parent else bytes(LINE)
        return self.verified[level, index]

    @functools.lru_cache(maxsize=1)
    def counters(self, index):
        """The counters of a line; blocks are asked for in order, so the last line is kept."""
        line = self.counter_tree(0, index) if self.leaves == "counters" else self.line("counters", index)
        kind = self.soc["counterFormat"]
        if kind == "plain":
            return formats.plain_counters(line, LINE // self.soc["metadata"]["countersPerLine"])
        if kind == "split":
            return formats.split_counters(line)
        if kind == "per-address":
            return formats.per_address_counters(line)
        if kind == "spilled":
            return formats.plain_counters(line if not any(line) else formats.xts(self.dynamic, formats.spill_unit(0, index), line, False), 4)
        sys.exit(f"dump: counters of the format '{kind}' are not handled")

    def counter(self, block):
        per_line = self.soc["metadata"]["countersPerLine"]
        return self.counters(block // per_line)[block % per_line] if per_line else 0

    def decrypt(self, key, block, counter, data):
        mode = self.soc["mode"]
        if mode == "one-time pad":
            return formats.counter_mode(key, 0, block, counter, data)
        if mode == "direct CBC":
            return formats.cbc_decrypt(key, 0, block, counter, data)
        if mode == "XTS":
            return formats.xts(key, formats.block_unit(0, block), data, False)
        sys.exit(f"dump: the mode '{mode}' is not handled")

    def check_tag(self, key, domain, block, counter, plain, stored):
        hashed = plain if self.soc["overPlaintext"] else stored
        found = number(self.memory[self.arrays["tags"][0] + 8 * block:][:8])
        if found != formats.tag(key, domain, 0, block, counter, hashed):
            sys.exit(f"dump: the tag of block {block} does not verify")

    def check(self):
        """Counts of blocks: of the image, written, and those whose tags verified."""
        unwritten = written = tags = 0
        logged = "versions" in self.arrays
        for block in range(self.data_bytes // LINE):
            stored, counter = self.memory[LINE * block:LINE * (block + 1)], self.counter(block)
            if counter == 0 and block >= self.image_blocks:
                continue
            key = self.dynamic if counter else self.static
            plain = self.decrypt(key, block, counter, stored)
            if "tags" in self.arrays and not (logged and counter):
                self.check_tag(key, 3 if counter else 4, block, counter or self.image_blocks, plain, stored)
                tags += 1
            written += counter > 0
            if counter == 0 and self.soc["counterFormat"] != "none":
                unwritten += 1
                if plain != self.image[LINE * block:LINE * (block + 1)].ljust(LINE, b"\0"):
                    sys.exit(f"dump: block {block} does not decrypt to the image")
        return unwritten, written, tags


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    unwritten, written, tags = Dump(*sys.argv[1:]).check()
    print(f"dump: {unwritten} blocks of the image, {written} written blocks, {tags} tags")


if __name__ == "__main__":
    main()
