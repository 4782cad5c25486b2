"""The paper's steps, each on a case by hand."""

import unittest

from bench import Bench, functions
from steer import ids, matching, needs, registers, within
from steer.across import Sharing
from steer.allocation import entry
from steer.calls import Calls
from steer.flow import Flow
from traces import Maker


class Match(unittest.TestCase):
    def test_most_beneficial_store(self):
        made = Maker().store(0, 8).load(9, 8).load(9, 8).store(1, 8).load(9, 8)
        found = matching.pairs(made.values())
        self.assertEqual(found, {9: {0: 2, 1: 1}})
        self.assertEqual(matching.match(found, {0, 1, 9}), {9: 0})

    def test_store_matches_many_loads(self):
        found = matching.pairs(Maker().store(0, 8).load(8, 8).load(9, 8).values())
        self.assertEqual(matching.match(found, {0, 8, 9}), {8: 0, 9: 0})

    def test_readers_of_the_image_and_unhintable_accesses_stay_unmatched(self):
        found = matching.pairs(Maker().load(8, 8).load(8, 8).store(0, 8).load(8, 8).load(9, 8).values())
        self.assertEqual(matching.match(found, {0, 8, 9}), {9: 0})
        self.assertEqual(matching.match(found, {8, 9}), {})


class Within(unittest.TestCase):
    def test_repeats(self):
        made = Maker().enter(0).store(0, 16).store(0, 24).enter(0).store(0, 16).store(1, 32).store(1, 32)
        values = made.values()
        self.assertEqual([within.repeats(values, store, entry(0)) for store in (0, 1)], [0, 1])
        self.assertEqual(within.repeats(made.values(16), 0, entry(0)), 1)


CALLING = """
  .text
  .globl leaf, middle, top, pointed, cold
  .type leaf, @function
leaf:
  sd a0, 0(sp)
  ld a0, 0(sp)
  ret
  .type middle, @function
middle:
  sd ra, 8(sp)
  call leaf
  ld ra, 8(sp)
  beqz a0, 1f
  sd a1, 16(sp)
  ld a1, 16(sp)
1:
  ret
  .type top, @function
top:
  sd a0, 24(sp)
  ld a0, 24(sp)
  tail middle
  .type pointed, @function
pointed:
  sd a0, 0(sp)
  jalr a1
  ld a0, 0(sp)
  ret
  .type cold, @function
cold:
  ret
  .data
  .dword cold
"""


class Across(Bench):
    def setUp(self):
        super().setUp()
        self.program = self.assembled(CALLING)
        self.named = functions(self.program)

    def indices(self, *names):
        return {self.named[name].index for name in names}

    def test_reached_functions(self):
        calls = Calls(self.program)
        self.assertEqual(calls.reached(self.named["top"].index), self.indices("top", "middle", "leaf"))
        self.assertEqual(calls.reached(self.named["pointed"].index), self.indices("pointed", "cold"))

    def test_live_range_follows_the_branches(self):
        middle = self.named["middle"]
        first, load, second, last = (access.offset for access in middle.accesses)
        flow = Flow(self.program, middle)
        calls = set(Calls(self.program).callees(middle))
        self.assertTrue(flow.live_range(first, [load]) & calls)
        self.assertFalse(flow.live_range(second, [last]) & calls)

    def test_sharing(self):
        stores, matched = {}, {}
        for name in ("leaf", "middle", "top", "pointed"):
            accesses = self.named[name].accesses
            stores[self.named[name].index] = [accesses[0].index]
            matched[accesses[1].index] = accesses[0].index
        sharing = Sharing(self.program, matched, stores)
        share = {(one, other): sharing.share(self.named[one].index, self.named[other].index)
                 for one in ("leaf", "middle", "top") for other in ("leaf", "middle", "top") if one != other}
        # The value of middle is live during the call of leaf; that of top is dead before its tail call
        self.assertFalse(share["middle", "leaf"] or share["leaf", "middle"])
        self.assertTrue(share["top", "middle"] and share["top", "leaf"])
        # An unknown call may reach only functions whose address is taken
        self.assertTrue(sharing.share(self.named["pointed"].index, self.named["leaf"].index))

    def test_stores_read_elsewhere_do_not_share(self):
        leaf, top = self.named["leaf"], self.named["top"]
        sharing = Sharing(self.program, {top.accesses[1].index: leaf.accesses[0].index}, {leaf.index: [leaf.accesses[0].index]})
        self.assertFalse(sharing.share(leaf.index, top.index))


class Registers(unittest.TestCase):
    def test_by_priority_with_sharing(self):
        apart = {frozenset("ab"), frozenset("bc")}
        share = lambda one, other: frozenset((one, other)) not in apart
        priority = {"a": 30, "b": 20, "c": 10, "d": 5}
        self.assertEqual(registers.allocate(priority, share, 8), {"a": 0, "b": 1, "c": 0, "d": 0})

    def test_without_a_register_left(self):
        never = lambda one, other: False
        self.assertEqual(registers.allocate({"a": 3, "b": 2, "c": 1}, never, 2), {"a": 0, "b": 1})
        self.assertEqual(len(registers.allocate({"a": 3, "b": 2, "c": 1}, never)), 3)

    def test_priority_is_what_stores_pass(self):
        found, matched = {8: {0: 5, 1: 1}, 9: {0: 2}}, {8: 0, 9: 0}
        self.assertEqual(registers.priorities(found, matched, {7: [0], 6: []}), {7: 7, 6: 0})


class Ids(unittest.TestCase):
    def setUp(self):
        self.benefit = {0: 9, 1: 5, 2: 7, 3: 1}
        self.slots = ids.slots({"f": 0, "g": 0, "h": 2}, {"f": [1, 0], "g": [2], "h": [3]}, self.benefit)

    def test_functions_on_a_register_share_ids(self):
        self.assertEqual(self.slots, {(0, 0): [0, 2], (0, 1): [1], (2, 0): [3]})

    def test_an_id_belongs_to_its_register(self):
        self.assertEqual(ids.assign(self.slots, self.benefit, 8, 32), {0: 0, 2: 0, 1: 8, 3: 2})

    def test_budget(self):
        self.assertEqual(ids.assign(self.slots, self.benefit, 8, 2), {0: 0, 2: 0, 1: 8})

    def test_no_id_above_the_contract(self):
        many = ids.slots({"f": 1}, {"f": list(range(40))}, dict.fromkeys(range(40), 1))
        self.assertEqual(sorted(ids.assign(many, dict.fromkeys(range(40), 1), 8, 128).values()), list(range(1, 128, 8)))


class Needs(unittest.TestCase):
    def test_thresholds(self):
        class Plan:
            stores = {"f": [0, 1], "g": [2]}
            benefit = {0: 98, 1: 1, 2: 1}

            class sharing:
                share = staticmethod(lambda one, other: True)

        self.assertEqual(needs.needs(Plan, 100), needs.Needs(1, 2, 3, 2, 3))
        self.assertEqual(needs.needs(Plan, 98), needs.Needs(1, 1, 1, 1, 1))


if __name__ == "__main__":
    unittest.main()
