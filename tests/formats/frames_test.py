"""Frames of a group, made by docs/senss.md: the data come out, and each change of a frame is refused at the next MAC."""

import os
import random
import sys
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from aes import Key, upper, xor
from frames import AUTHENTICATION, PAD, SET_UP, TRANSFER, Bus, Frame
from macs import Ghash
from masks import Chained, PerSender
from refusal import Refused

KEYS = {0: Key(bytes(range(16)))}
WIDTH = 256
POLICIES = [{"masks": 3, "widthBits": WIDTH, "maskSource": source, "mac": mac, "authenticateCommands": commands}
            for source in ("chained", "sender") for mac in ("cbc", "ghash") for commands in (False, True)]


class Sender:
    """Says what a group's members do, as a bus would have it."""

    def __init__(self, bus):
        self.follower, self.frames, self.noise = Bus(bus, KEYS), [], random.Random(1)

    def show(self, frame):
        self.frames.append(frame)
        return self.follower.follow(frame)

    def set_up(self):
        for member in range(3):
            self.show(self.frame(SET_UP, member, 0, self.noise.getrandbits(64)))
        for member in (0, 1):
            self.authenticate(member)

    def frame(self, kind, source, has_data, data, channel=2):
        return Frame(len(self.frames), kind, 0, source, (source + 1) % 3, channel, has_data, 1, self.noise.getrandbits(96), data)

    def session(self):
        # An authentication before any beat opens the session of the follower, too
        return self.follower.session(0)

    def authenticate(self, member):
        session = self.session()
        number = session.boundaries.to_bytes(16, "big")
        self.show(self.frame(AUTHENTICATION, member, 0, upper(session.tag_key.encrypt(xor(session.mac.summary(), number)))))

    def send(self, source, plain, kind=TRANSFER):
        session = self.session()
        masks = session.masks.of(session.counted, source)
        lanes = [plain >> 128 * lane & (1 << 128) - 1 for lane in range(session.lanes)]
        hidden = sum((lane ^ int.from_bytes(mask, "big")) << 128 * at for at, (lane, mask) in enumerate(zip(lanes, masks)))
        return lanes, self.show(self.frame(kind, source, 1, hidden))


def conversation(bus):
    """Frames of two sessions, with beats of all kinds."""
    sender = Sender(bus)
    for _ in range(2):
        sender.set_up()
        for beat in range(8):
            sender.send(beat % 3, sender.noise.getrandbits(WIDTH))
            sender.show(sender.frame(PAD if beat % 2 else TRANSFER, 1, 0, 0))
            if beat % 3 == 2:
                sender.authenticate(beat % 3)
        sender.authenticate(0)
    return sender.frames


def accepts(bus, frames):
    follower = Bus(bus, KEYS)
    try:
        for frame in frames:
            follower.follow(frame)
    except Refused:
        return False
    return True


class Frames(unittest.TestCase):
    def test_data_come_out(self):
        for bus in POLICIES:
            with self.subTest(bus):
                sender = Sender(bus)
                sender.set_up()
                for beat in range(9):
                    sent, read = sender.send(beat % 3, sender.noise.getrandbits(WIDTH))
                    self.assertEqual(sent, read)
                    self.assertNotEqual(sent[0], sender.frames[-1].data % (1 << 128))

    def test_masks_are_of_lane_sender_number_and_ciphertext(self):
        first, sent = KEYS[0], [bytes([lane + 1]) * 8 + bytes([16 * lane]) * 8 for lane in range(2)]
        masks = Chained(first, lanes=2, slots=3)
        self.assertEqual(masks.of(4, 0), [first.encrypt((0x45 << 120 | lane << 116 | 1 << 64).to_bytes(16, "big")) for lane in range(2)])
        masks.passed(4, 2, sent)
        folded = [int.from_bytes(xor(each[:8], each[8:]), "big") for each in sent]
        expected = [first.encrypt((0x47 << 120 | lane << 116 | 2 << 111 | 4 << 64 | folded[lane]).to_bytes(16, "big")) for lane in range(2)]
        self.assertEqual(masks.of(7, 1), expected)
        own = PerSender(first, lanes=2, slots=3)
        own.passed(0, 2, sent)
        self.assertEqual(own.of(9, 2)[1], first.encrypt((0x48 << 120 | 1 << 116 | 2 << 111 | 1 << 64).to_bytes(16, "big")))

    def test_ghash_multiplies_as_gcm_does(self):
        # Test case 2 of the specification of GCM: an AES of zeros as the key
        mac = Ghash(Key(bytes(16)), lanes=1, slots=1)
        mac.key = int("66e94bd4ef8a2c3b884cfa59ca342b2e", 16)
        self.assertEqual(mac.times_key(int("0388dace60b6a392f328c2b971b2fe78", 16)), int("5e2ec746917062882c85b0685353deb7", 16))

    def test_each_change_is_refused(self):
        for bus in POLICIES:
            frames = conversation(bus)
            self.assertTrue(accepts(bus, frames))
            for at, frame in enumerate(frames):
                for field in self.authenticated(bus, frame):
                    changed = frame._replace(**{field: getattr(frame, field) ^ 1})
                    self.assertFalse(accepts(bus, [*frames[:at], changed, *frames[at + 1:]]), f"{field} of frame {at}, {bus}")

    def test_lost_doubled_and_exchanged_beats_are_refused(self):
        for bus in POLICIES:
            frames = conversation(bus)
            beats = [at for at, frame in enumerate(frames) if frame.has_data]
            for first, second in zip(beats, beats[1:]):
                lost = [*frames[:first], *frames[first + 1:]]
                doubled = [*frames[:first], frames[first], *frames[first:]]
                exchanged = [*frames[:first], frames[second], *frames[first + 1:second], frames[first], *frames[second + 1:]]
                for changed in (lost, doubled, exchanged):
                    self.assertFalse(accepts(bus, changed))

    def authenticated(self, bus, frame):
        if frame.kind in (AUTHENTICATION, SET_UP):
            return ["data"]
        if frame.has_data:
            return ["data", "source", "destination", "channel", "last"] + (["command"] if bus["authenticateCommands"] else [])
        return ["source", "command"] if frame.kind == PAD or bus["authenticateCommands"] else []


if __name__ == "__main__":
    unittest.main()
