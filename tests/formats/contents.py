"""The blocks of a bank, decrypted."""

import data
from block_numbers import DIRECT, numbers_of
from integrity import tags_of
from log_hash import Log
from refusal import demand


class Contents:
    """What docs/formats.md says of each block, once its number is verified, and tags and the log if it has them."""

    def __init__(self, memory, keys, roots, image_blocks):
        self.memory, self.keys, self.image_blocks = memory, keys, image_blocks
        self.description = memory.run.description
        self.numbers = numbers_of(memory, keys, roots)
        self.verifies = self.description["integrity"] != "none"
        self.sweep = roots.sweep(memory.index) if len(keys.dynamic) > 1 else memory.blocks
        self.tags = tags_of(self, roots)
        self.log = Log(self, roots) if self.description["integrity"] == "log hash" else None

    def region(self, block):
        """The first region that has a block; None for those in no region."""
        address = self.memory.block_address(block)
        return next((region for region in self.description.get("regions", [])
                     if region["base"] <= address < region["base"] + region["bytes"]), None)

    def key(self, block):
        """The key of a block, by its number and place."""
        region = self.region(block)
        if not self.numbers[block]:
            return self.keys.static
        if region and region["context"]:
            return self.keys.second[self.memory.index]
        return self.keys.dynamic[-1 if block < self.sweep else -2]

    def is_plain(self, block):
        region = self.region(block)
        return bool(region and region["plain"])

    def is_image(self, block):
        return not self.numbers[block] and block < self.image_blocks and not self.is_plain(block)

    def unwritten(self):
        """Blocks of the image that were never written, as their numbers say. Without numbers nothing says so."""
        numbered = self.description["counterFormat"] != "none"
        return [block for block in range(min(self.image_blocks, self.memory.blocks)) if numbered and self.is_image(block)]

    def is_zero(self, block):
        return self.verifies and not self.numbers[block] and block >= self.image_blocks

    def plaintext(self, block):
        number, stored = self.numbers[block], self.memory.block(block)
        if self.is_plain(block):
            demand(not number, f"block {block} of bank {self.memory.index} has a counter, and is in a region in plaintext")
            return stored
        if self.is_zero(block):
            return bytes(len(stored))
        mode, key, engine = self.description["mode"], self.key(block), self.memory.index
        if mode == "XTS" or number == DIRECT:
            return data.xts(key, engine, block, stored)
        if mode == "direct CBC":
            return data.cbc(key, engine, block, number, stored)
        return data.counter_mode(key, engine, block, number, stored)
