"""Writes a block into a dump as a protector would: data, number, tag, and everything above them up to the root in the run record."""

import counter_tree
import counters
import data
import hash_tree
import log_hash
from block_numbers import DIRECT
from field import words
from tags import written_tag

FIELDS = {"split": (64, 6), "per-address": (0, 28)}


class Writer:
    def __init__(self, bank, record):
        self.bank, self.memory, self.record = bank, bank.memory, record
        self.engine, self.key = bank.memory.index, bank.keys.dynamic[-1]
        self.shape, self.kind = bank.description["metadata"], bank.description["integrity"]

    def write(self, block, plaintext):
        old = self.bank.plaintext(block)
        number = self.renumber(block)
        stored = self.encrypt(block, number, plaintext)
        self.put(self.memory.block_address(block), stored)
        if self.kind == "log hash":
            self.log(block, old, plaintext)
        elif self.kind != "none":
            hashed = plaintext if self.bank.description["overPlaintext"] else stored
            self.tag(block, written_tag(self.key, self.engine, block, number, hashed))

    def put(self, address, content):
        place = address - self.memory.run.base
        self.memory.run.dram[place:place + len(content)] = content

    def put_number(self, address, size, number):
        self.put(address, number.to_bytes(size, "little"))

    def encrypt(self, block, number, plaintext):
        if number == DIRECT:
            return data.xts(self.key, self.engine, block, plaintext, encrypt=True)
        if self.bank.description["mode"] == "direct CBC":
            return data.cbc(self.key, self.engine, block, number, plaintext, encrypt=True)
        return data.counter_mode(self.key, self.engine, block, number, plaintext)

    def renumber(self, block):
        """The block's next number, which is in memory and guarded from now on."""
        number, kind = max(self.bank.numbers) + 1, self.bank.description["counterFormat"]
        line, place = divmod(block, self.shape["countersPerLine"])
        address = self.memory.line_address("counter", line)
        if kind in FIELDS:
            number = self.bank.numbers[block] + 1
            first, width = FIELDS[kind]
            self.advance("counter", 0, line, 1 << first + width * place)
        elif kind in ("plain", "pairs"):
            size = self.memory.block_bytes // self.shape["countersPerLine"]
            self.put_number(address + size * place, size, number)
        elif kind == "spilled":
            numbers = counters.spilled(self.key, self.engine, line, self.memory.line("counter", line))
            numbers[place] = number
            self.put(address, counters.spill(self.key, self.engine, line, numbers))
        self.bank.numbers[block] = number
        return number

    def root(self, module):
        """The engine's words of a root, in the record."""
        roots = self.record["roots"]
        return next(roots[name] for name in roots if name.startswith(module))[self.engine]

    def counter_above(self, level, line):
        if level == self.memory.levels:
            return int(self.root("RootTable")[line], 0)
        return counter_tree.children(self.payload("node", level + 1, line // 8))[line % 8]

    def payload(self, kind, level, line):
        return self.memory.line(kind, line, level)[:56] if self.counter_above(level, line) else bytes(56)

    def advance(self, kind, level, line, step):
        """Adds to a line of a counter tree, and 1 to the counter of each line on the way up."""
        payload = counters.number(self.payload(kind, level, line)) + step
        parent = self.counter_above(level, line) + 1
        if level == self.memory.levels:
            self.root("RootTable")[line] = hex(parent)
        else:
            self.advance("node", level + 1, line // 8, 1 << 56 * (line % 8))
        content = payload.to_bytes(56, "little")
        mac = counter_tree.line_mac(self.key, self.engine, level, line, parent, content)
        self.put(self.memory.line_address(kind, line, level), content + mac.to_bytes(8, "little"))

    def tag(self, block, tag):
        if self.kind == "hash tree":
            first = block // 8 * 8
            tags = self.bank.tags[first:first + 8]
            tags[block % 8] = self.bank.tags[block] = tag
            self.rehash("tag", 0, block // 8, tags)
        else:
            self.put_number(self.memory.line_address("tag", block // 8) + 8 * (block % 8), 8, tag)

    def hash_above(self, level, line):
        if level == self.memory.levels:
            return int(self.root("HashRoot")[line], 0)
        return self.hashes(level + 1, line // 8)[line % 8]

    def hashes(self, level, line):
        return words(self.memory.line("node", line, level)) if self.hash_above(level, line) else [0] * 8

    def rehash(self, kind, level, line, entries):
        """Writes a line of a hash tree, and its hash into each line on the way up."""
        above = None if level == self.memory.levels else self.hashes(level + 1, line // 8)
        content = b"".join(entry.to_bytes(8, "little") for entry in entries)
        self.put(self.memory.line_address(kind, line, level), content)
        hashed = hash_tree.line_hash(self.key, level, line, content)
        if above is None:
            self.root("HashRoot")[line] = hex(hashed)
        else:
            above[line % 8] = hashed
            self.rehash("node", level + 1, line // 8, above)

    def log(self, block, old, plaintext):
        """Takes the old value out of the log and puts the new one into it."""
        log, (line, place) = self.bank.log, divmod(block, 16)
        if block in log.versions:
            parity = log.versions[block] >> log_hash.COUNT_BITS
            self.add(parity, log.element(block, log.epochs[parity], old))
        newest = max(log.versions.values(), default=0)
        parity = newest >> log_hash.COUNT_BITS
        self.touch(line)
        log.versions[block] = newest + 1
        self.put_number(self.memory.line_address("version", line) + 4 * place, 4, log.versions[block])
        self.add(2 + parity, log_hash.element(self.key, block, log.epochs[parity] << 32 | log.versions[block] % (1 << log_hash.COUNT_BITS), plaintext))

    def touch(self, line):
        word, bit = divmod(line, 64)
        touched = self.root("TouchedLines")
        if not int(touched[word], 0) >> bit & 1:
            touched[word] = hex(int(touched[word], 0) | 1 << bit)
            self.put(self.memory.line_address("version", line), bytes(64))

    def add(self, place, element):
        """To the sum of what was taken (0, 1) or put (2, 3)."""
        sums = sorted(name for name in self.record["roots"] if name.startswith("LogAccumulators"))
        words_of_engine = self.record["roots"][sums[place]][self.engine]
        words_of_engine[0] = hex((int(words_of_engine[0], 0) + element) % (1 << 128))
