"""A data cache: only misses and write-backs reach memory, and hints cost their cycle in hits, too."""

import unittest

from steer import pruning
from steer.allocation import Allocation, before
from steer.cache import Cache, filtered
from steer.contract import Hardware
from steer.errors import SteerError
from steer.replay import Outcome
from steer.trace import Trace, Values
from traces import Maker


def seen(made, size=32, ways=1, block=16):
    trace, performed = filtered(Trace(made.who, made.where), size, ways, block)
    return trace, Values(trace, block, performed)


class DataCache(unittest.TestCase):
    def test_hits_stay_inside(self):
        trace, _ = seen(Maker().load(9, 0).load(8, 8).enter(3).load(9, 16))
        self.assertEqual(trace.who.tolist(), [18, -7, 18])

    def test_dirty_lines_are_written_back_by_their_last_store(self):
        trace, _ = seen(Maker().store(0, 4).store(1, 8).load(9, 64).load(9, 0))
        # The first store fetches its line
        self.assertEqual(list(zip(trace.who.tolist(), trace.where.tolist())), [(0, 4), (3, 0), (18, 64), (18, 0)])

    def test_least_recently_used_line_goes(self):
        cache = Cache(64, 2, 16)
        for address in (0, 32, 0, 64):
            cache.access(18, address)
        self.assertEqual(list(cache.sets[0]), [0, 4])

    def test_impossible_shape(self):
        with self.assertRaisesRegex(SteerError, "change --cache or --ways"):
            Cache(100, 2, 16)

    def test_costs_are_those_of_every_execution(self):
        made = Maker().store(0, 0).load(9, 64).load(9, 0)
        for _ in range(20):
            made.load(9, 0).store(0, 0)
        _, values = seen(made)
        self.assertEqual([int(values.hint_instructions()[access]) for access in (0, 9)], [21, 22])
        self.assertEqual(values.access_times(0).tolist()[:2], [0, 4])
        allocation = Allocation(8, {0: 0}, {9: 0}, {before(0): 0})
        outcome = Outcome(values, allocation, Hardware(block=16))
        self.assertEqual((outcome.total, outcome.right), (3, 1))
        self.assertEqual(pruning.cycles(values, allocation, Hardware(block=16)), 14 * (1 - 1) - 21 - 22 - 21)


if __name__ == "__main__":
    unittest.main()
