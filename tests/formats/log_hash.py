"""The multiset hashes of the log."""

from aes import ELEMENT
from field import words
from refusal import demand

COUNT_BITS = 31
# A check of the log begins an epoch; a run of a program has some dozens
EPOCHS = 128


class Element:
    """A block in the log, hashed but for its version."""

    def __init__(self, key, block, plaintext):
        self.key = key
        self.hashes = [point.hash([block, *words(plaintext)]) for point in key.points]

    def at(self, version):
        first, second = (point.times(total ^ version) for point, total in zip(self.key.points, self.hashes))
        hashed = first.to_bytes(8, "big") + (second % (1 << 56)).to_bytes(7, "big")
        return int.from_bytes(self.key.encrypt(bytes([ELEMENT]) + hashed), "big")


def element(key, block, version, plaintext):
    return Element(key, block, plaintext).at(version)


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
        """The number of an epoch that gives the sum. The chip knows it, and memory has its lowest bit."""
        blocks = [(Element(self.contents.key(block), block, self.contents.plaintext(block)), version % (1 << COUNT_BITS))
                  for block, version in self.versions.items() if version >> COUNT_BITS == parity]
        for epoch in range(parity, EPOCHS if blocks else 2, 2):
            if sum(each.at(epoch << 32 | count) for each, count in blocks) % (1 << 128) == missing:
                return epoch
        demand(False, f"bank {self.contents.memory.index}: the {len(blocks)} blocks of epochs of parity {parity} are not those that the log says")

    def element(self, block, epoch, plaintext):
        return element(self.contents.key(block), block, epoch << 32 | self.versions[block] % (1 << COUNT_BITS), plaintext)
