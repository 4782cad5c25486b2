"""The multiset hashes of the log."""

from aes import ELEMENT
from field import words
from refusal import demand

COUNT_BITS = 31
EPOCHS = 64


def element(key, block, version, plaintext):
    return int.from_bytes(key.wide(ELEMENT, [block, *words(plaintext), version]), "big")


def versions_of(memory, lines):
    """{block: version} of the blocks in the log, whose lines were ever written."""
    found = {}
    for line in lines:
        content = memory.line("version", line)
        for index in range(16):
            version = int.from_bytes(content[4 * index:4 * index + 4], "little")
            if version:
                found[16 * line + index] = version
    return found


class Log:
    """The blocks that were put and not taken again must be those in memory."""

    def __init__(self, contents, roots):
        self.contents, engine = contents, contents.memory.index
        self.versions = versions_of(contents.memory, roots.touched_lines(engine))
        taken, put = roots.log(engine)
        self.epochs = [self.epoch(parity, (put[parity] - taken[parity]) % (1 << 128)) for parity in (0, 1)]

    def epoch(self, parity, missing):
        """The only number of an epoch that gives the sum: the chip knows it, memory has its lowest bit."""
        blocks = [(block, self.contents.plaintext(block)) for block, version in self.versions.items() if version >> COUNT_BITS == parity]
        for epoch in range(parity, EPOCHS, 2):
            if sum(self.element(block, epoch, plaintext) for block, plaintext in blocks) % (1 << 128) == missing:
                return epoch
        demand(False, f"bank {self.contents.memory.index}: the {len(blocks)} blocks of epochs of parity {parity} are not those that the log says")

    def element(self, block, epoch, plaintext):
        count = self.versions[block] % (1 << COUNT_BITS)
        return element(self.contents.key(block), block, epoch << 32 | count, plaintext)
