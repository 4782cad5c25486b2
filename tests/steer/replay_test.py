"""The replay agrees with the contract, applied event by event."""

import random
import unittest

import numpy

from steer import newness, pruning
from steer.allocation import Allocation, entry
from steer.contract import Hardware
from steer.replay import Outcome
from traces import Maker, randomly, replayed


class Replay(unittest.TestCase):
    def outcome(self, made, allocation, hardware=Hardware()):
        found = Outcome(made.values(hardware.block), allocation, hardware)
        return found.right, found.wrong, found.not_applied

    def test_random_traces(self):
        for seed in range(60):
            source, made = random.Random(seed), randomly(seed)
            hardware = Hardware(registers=3, ids=12, block=source.choice((8, 16)), pairs=source.choice((0, 2, 64)))
            ids = [source.randrange(6) for _ in range(3)]
            stores = {store: source.choice(ids) for store in range(6) if source.random() < 0.8}
            loads = {load: source.choice(ids) for load in range(6, 12) if source.random() < 0.8}
            increments = {entry(function): source.randrange(3) for function in range(3)}
            allocation = Allocation(3, stores, loads, increments)
            self.assertEqual(self.outcome(made, allocation, hardware), replayed(made, allocation, hardware), f"seed {seed}")

    def test_value_of_an_earlier_invocation_is_wrong(self):
        made = Maker().enter(0).store(0, 8).load(1, 8).enter(0).load(1, 8)
        self.assertEqual(self.outcome(made, Allocation(8, {0: 3}, {1: 3}, {entry(0): 3})), (1, 1, 0))

    def test_a_pair_is_used_once(self):
        made = Maker().enter(0).store(0, 8).store(0, 8).load(1, 8)
        self.assertEqual(self.outcome(made, Allocation(8, {0: 3}, {1: 3}, {entry(0): 3})), (0, 1, 0))

    def test_ascending_blocks_need_no_filter(self):
        made = Maker().enter(0)
        for number in range(500):
            made.store(0, 8 * number)
        for number in range(500):
            made.load(1, 8 * number)
        without = Hardware(pairs=0)
        self.assertEqual(self.outcome(made, Allocation(8, {0: 3}, {1: 3}, {entry(0): 3}), without), (500, 0, 0))

    def test_image_is_right_without_a_hint(self):
        found = Outcome(Maker().load(1, 8).store(0, 8).load(1, 8).values(), Allocation(8), Hardware())
        self.assertEqual((found.not_applied, found.known_not_applied), (2, 1))

    def test_last_pairs_against_a_table(self):
        for seed in range(30):
            made, entries = randomly(seed), random.Random(seed).choice((2, 4, 16))
            bits, table, written, known = entries.bit_length() - 1, {}, set(), []
            for who, where in zip(made.who, made.where):
                if who < 0:
                    continue
                block, place = where // 8, 0
                for at in range(0, 32, bits):
                    place ^= block >> at & entries - 1
                if who & 1:
                    table[place] = block
                    written.add(block)
                else:
                    known.append(block not in written or table[place] == block)
                    if block in written:
                        table[place] = block
            self.assertEqual(made.values(last_pairs=entries).known.tolist(), known, f"seed {seed}")

    def test_a_hint_where_none_is_needed_gains_nothing(self):
        made = Maker().enter(0).store(0, 8).load(1, 8)
        allocation = Allocation(8, {0: 3}, {1: 3}, {entry(0): 3})
        needed, spared = (pruning.cycles(made.values(last_pairs=entries), allocation, Hardware(last=entries)) for entries in (0, 16))
        self.assertEqual(needed - spared, Hardware().cipher)

    def test_positions_start_again_with_each_increment(self):
        self.assertEqual(newness.positions(numpy.array([1, 1, 2, 5, 5, 5])).tolist(), [0, 1, 0, 0, 1, 2])


if __name__ == "__main__":
    unittest.main()
