#!/usr/bin/python3
"""Decrypts and authenticates the frames of the secure bus, as `--bus-log` has them, by docs/senss.md alone.

frames.py CONFIG.json KEY LOG; KEY is that of group 0, as --bus-key has it.
"""

import collections
import json
import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import group
from aes import Key, upper, xor
from macs import Cbc, Ghash
from masks import Chained, PerSender
from refusal import Refused, demand

TRANSFER, AUTHENTICATION, SET_UP, PAD = range(4)

Frame = collections.namedtuple("Frame", "cycle kind group source destination channel has_data last command data")


def read(path):
    with open(path) as file:
        return [Frame(*(int(field, 0) for field in line.split())) for line in file]


class Session:
    """A group from one set-up to the next, as each member follows it."""

    def __init__(self, bus, key, number, shares):
        self.bus, self.number = bus, number
        session = group.session_key(key, number, shares)
        sizes = bus["widthBits"] // 128, bus["masks"]
        self.lanes = sizes[0]
        self.masks = {"chained": Chained, "sender": PerSender}[bus["maskSource"]](group.derived(session, group.MASK_KEY), *sizes)
        self.mac = {"cbc": Cbc, "ghash": Ghash}[bus["mac"]](session, *sizes)
        self.tag_key = group.derived(session, group.TAG_KEY)
        self.counted = self.boundaries = 0
        self.summaries = collections.deque([self.mac.summary()])

    def counts(self, frame):
        return frame.kind == PAD or frame.has_data or self.bus["authenticateCommands"]

    def take(self, frame):
        """The data of a beat that counts, a number of each lane; none for a beat without data."""
        plain = []
        if frame.has_data:
            sent = [(frame.data >> 128 * lane & (1 << 128) - 1).to_bytes(16, "big") for lane in range(self.lanes)]
            plain = list(map(xor, sent, self.masks.of(self.counted, frame.source)))
            self.masks.passed(self.counted, frame.source, sent)
        self.mac.take(self.counted, plain, self.header(frame))
        self.counted += 1
        self.summaries.append(self.mac.summary())
        return [int.from_bytes(block, "big") for block in plain]

    def header(self, frame):
        pad = frame.kind == PAD
        command = frame.command if pad or self.bus["authenticateCommands"] else 0
        return group.packed((self.number, 4), (frame.source, 5), (frame.destination, 5), (frame.channel, 3), (frame.has_data, 1), (frame.last, 1),
                            (0, 11), (1, 1), (pad, 1), (command, 96))

    def authenticate(self, frame):
        """A MAC is of the beats up to a boundary: up to now, or up to an earlier one that no older MAC has passed."""
        found, number = frame.data & (1 << 64) - 1, self.boundaries.to_bytes(16, "big")
        while self.summaries and upper(self.tag_key.encrypt(xor(self.summaries[0], number))) != found:
            self.summaries.popleft()
        demand(self.summaries, f"cycle {frame.cycle}: MAC {self.boundaries} of group {self.number} is of no beats that were on the bus")
        self.boundaries += 1


class Bus:
    """Follows all frames of a bus whose groups have these keys."""

    def __init__(self, bus, keys):
        self.bus, self.keys = bus, keys
        self.shares, self.sessions = collections.defaultdict(dict), {}
        self.beats = self.macs = 0

    def follow(self, frame):
        """Data of a frame, if it has any."""
        if frame.kind == SET_UP:
            self.sessions.pop(frame.group, None)
            demand(frame.source not in self.shares[frame.group], f"cycle {frame.cycle}: member {frame.source} sets group {frame.group} up twice")
            self.shares[frame.group][frame.source] = frame.data & (1 << 64) - 1
            return []
        session = self.session(frame.group)
        if frame.kind == AUTHENTICATION:
            session.authenticate(frame)
            self.macs += 1
        elif session.counts(frame):
            self.beats += 1
            return session.take(frame)
        return []

    def session(self, number):
        """A group's present session, which begins with the first frame after its set-up."""
        if number not in self.sessions:
            self.sessions[number] = Session(self.bus, self.keys[number], number, self.shares.pop(number, {}))
        return self.sessions[number]


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    with open(sys.argv[1]) as file:
        described = json.load(file)["bus"]
    bus = Bus(described, {0: Key(bytes.fromhex(sys.argv[2]))})
    try:
        for frame in read(sys.argv[3]):
            bus.follow(frame)
    except Refused as why:
        sys.exit(f"{sys.argv[3]}: refused: {why}")
    print(f"{sys.argv[3]}: {bus.beats} beats decrypted, {bus.macs} MACs verified")


if __name__ == "__main__":
    main()
