"""The measured allocation, on traces by hand and on small programs."""

import unittest

import numpy

from bench import Bench, functions
from steer import build, grouping, measured, pruning, recorder, replay
from steer.aim import aim
from steer.allocation import Allocation, before, entry
from steer.certainty import certainty
from steer.contract import Hardware
from steer.growth import Growth
from steer.signatures import Signatures
from steer.trace import Values
from traces import Maker, randomly


class Parts(unittest.TestCase):
    def test_signatures_predict_what_replay_finds(self):
        for seed in range(20):
            made = randomly(seed)
            values = made.values()
            places = [entry(function) for function in range(3)] + [before(0)]
            signatures = Signatures(values, numpy.arange(6), places)
            for chosen in ([], [0], [1, 2], [0, 3]):
                for store in range(6):
                    allocation = Allocation(8, {store: 8}, dict.fromkeys(range(6, 12), 8), {places[number]: 0 for number in chosen})
                    right = replay.Outcome(values, allocation, Hardware(pairs=1 << 20)).right
                    rows = signatures.rights(chosen) & (signatures.store == store)
                    self.assertEqual(int(signatures.counts[rows].sum()), right, (seed, chosen, store))

    def growth(self, made, places, registers, cipher=14):
        values, stores = made.values(), numpy.array([0, 1])
        signatures = Signatures(values, stores, places)
        executed = numpy.bincount(values.write_accesses, minlength=2)
        sure = certainty(values, stores, signatures.times, 64)
        growth = Growth(signatures, executed, [len(grown) for grown in signatures.times], sure, Hardware(registers=registers, cipher=cipher))
        growth.run(range(len(places)))
        return growth.sets

    def test_a_variable_written_again_and_again_grows_before_its_store(self):
        made = Maker().enter(0)
        for _ in range(20):
            made.store(0, 8).load(9, 8)
        self.assertEqual(self.growth(made, [entry(0), before(0)], 1), [{1}])

    def test_an_array_written_once_never_grows(self):
        made = Maker()
        for number in range(20):
            made.enter(0).store(0, 8 * number)
        for number in range(20):
            made.load(9, 8 * number)
        self.assertEqual(self.growth(made, [entry(0), before(0)], 8), [set()])

    def test_functions_share_the_only_register(self):
        made = Maker()
        for _ in range(20):
            for number in (0, 0, 1, 1):
                made.enter(number).store(number, 8).load(9, 8)
        self.assertEqual(self.growth(made, [entry(0), entry(1)], 1), [{0, 1}])

    def test_no_register_that_costs_more_than_it_saves(self):
        made = Maker()
        for _ in range(20):
            made.enter(0).enter(0).enter(0).store(0, 8)
        made.load(9, 8)
        self.assertEqual(self.growth(made, [entry(0), before(0)], 8), [])

    def groups(self, made, rights, budget=8):
        groups = grouping.Groups(8, budget, rights)
        groups.add_register(grouping.Writes(made.values(), [0, 1], [entry(0)], 64), 2)
        groups.fill({0: 2, 1: 2})
        return groups.ids()

    def test_stores_to_different_blocks_share_an_id(self):
        made = Maker().enter(0).store(0, 8).store(1, 16).load(8, 8).load(9, 16)
        self.assertEqual(self.groups(made, {(8, 0): 1, (9, 1): 1}), {0: 2, 1: 2})

    def test_stores_to_one_block_have_ids_of_their_own(self):
        made = Maker().enter(0).store(0, 8).load(8, 8).store(1, 8).load(9, 8)
        self.assertEqual(self.groups(made, {(8, 0): 1, (9, 1): 1}), {0: 2, 1: 10})
        self.assertEqual(self.groups(made, {(8, 0): 2, (9, 1): 1}, budget=1), {0: 2})

    def test_hints_that_do_not_pay_are_left_out(self):
        made = Maker().enter(0).store(0, 8).load(9, 8).store(1, 16)
        for _ in range(14):
            made.store(0, 8)
        allocation = Allocation(8, {0: 0, 1: 0}, {}, {entry(0): 0, entry(1): 1})
        pruning.settle(made.values(), allocation, {0, 1, 9}, Hardware())
        self.assertEqual((allocation.stores, allocation.loads, allocation.increments), ({}, {}, {}))
        allocation = Allocation(8, {0: 0, 1: 0}, {}, {entry(0): 0})
        pruning.settle(made.values(), allocation, {0, 1, 9}, Hardware(hint=0))
        self.assertEqual((allocation.stores, allocation.loads), ({0: 0}, {9: 0}))

    def test_code_grows_no_more_than_it_may(self):
        made = Maker().enter(0)
        for store in range(4):
            made.store(store, 8 * store + 8)
            for _ in range(store + 1):
                made.load(store + 6, 8 * store + 8)
        numbers = range(4)
        allocation = Allocation(8, {store: 0 for store in numbers}, {store + 6: 0 for store in numbers}, {entry(0): 0})
        pruning.fit(made.values(), allocation, Hardware(), 5)
        self.assertEqual((sorted(allocation.stores), sorted(allocation.loads)), ([2, 3], [8, 9]))


RECURSION = """#include "hauberk.h"
RESULTS uint64_t kept;
__attribute__((noinline)) uint64_t deep(uint64_t n) { return n ? deep(n - 1) * 3 + n : kept; }
int main(void) { for (uint64_t i = 0; i < 50; i++) kept += deep(20); return 0; }
"""
STEPS = """#include "hauberk.h"
RESULTS uint64_t kept;
static TYPE up[64], down[64];
int main(void) {
  for (unsigned i = 0; i < 64; i++) { up[i] = (TYPE)i; __asm__ volatile("" ::: "memory"); }
  for (unsigned i = 64; i-- > 0;) { down[i] = (TYPE)i; __asm__ volatile("" ::: "memory"); }
  for (int round = 0; round < 20; round++) for (int i = 0; i < 64; i++) kept += (uint64_t)up[i] * down[i];
  return 0;
}
"""
BYTES = """#include "hauberk.h"
RESULTS uint64_t kept;
static struct { uint8_t pad[7], value; uint64_t more; } pairs[40];
int main(void) {
  for (int round = 0; round < 5; round++) {
    for (int i = 0; i < 40; i++) pairs[i].value = (uint8_t)(i * round);
    for (int i = 0; i < 40; i++) kept += pairs[i].value;
  }
  return 0;
}
"""


class Whole(Bench):
    def values(self, given, block=8):
        program = given.program()
        trace, _ = recorder.record(given.program(), self.tools, self.folder, 0, 1 << 20)
        return program, Values(trace, block)

    def test_a_recursion_grows_where_it_is_called(self):
        program, values = self.values(self.inputs(self.compiled("test.c", RECURSION, "-fno-optimize-sibling-calls")))
        hardware = Hardware()
        right = {}
        for algorithm in build.ALGORITHMS:
            found = replay.Outcome(values, build.ALGORITHMS[algorithm](program, values, hardware), hardware)
            deep = [access.index for access in functions(program)["deep"].accesses if access.kind == "load" and access.base == 2]
            right[algorithm] = int(found.rights[deep].sum()) / sum(int((values.read_accesses == load).sum()) for load in deep)
        self.assertGreater(right["measured"], 0.9)
        self.assertLess(right["paper"], 0.2)

    def test_blocks_that_are_filled_in_steps(self):
        for kind, width in (("uint8_t", 1), ("uint16_t", 2), ("uint32_t", 4)):
            given = self.inputs(self.compiled("test.c", STEPS, "-fno-unroll-loops", "-fno-tree-vectorize", "-DTYPE=" + kind))
            for block in (8, 32):
                with self.subTest(kind=kind, block=block):
                    hardware = Hardware(block=block)
                    program, values = self.values(given, block)
                    aim(program, values, hardware)
                    for access in functions(program)["main"].accesses:
                        if access.kind == "store" and access.width == width:
                            hits = values.write_hits[values.write_accesses == access.index]
                            self.assertEqual(int(hits.sum()) * block // width, len(hits))
                    found = replay.Outcome(values, measured.allocate(program, values, hardware), hardware)
                    self.assertGreater(found.right, 0.9 * 2 * 20 * 64)

    def test_loads_are_rounded_as_their_addresses_suit(self):
        program, values = self.values(self.inputs(self.compiled("test.c", BYTES)))
        units, _ = aim(program, values, Hardware())
        for access in functions(program)["main"].accesses:
            if access.kind == "load":
                mine = values.read_accesses == access.index
                self.assertTrue(values.read_hits[mine].all())
                self.assertLess(abs(4 * units.get(access.index, access.displacement // 4) - access.displacement), 4)

    def test_limits_are_kept(self):
        program, values = self.values(self.inputs(self.compiled("test.c", RECURSION)))
        for hardware in (Hardware(registers=1, ids=1), Hardware(registers=2, ids=2), Hardware(registers=16, ids=128)):
            for algorithm in build.ALGORITHMS.values():
                found = algorithm(program, values, hardware)
                self.assertLessEqual(len(found.used_ids()), hardware.ids)
                self.assertTrue(all(0 <= identifier < 128 for identifier in found.stores.values()))
                self.assertTrue(all(0 <= register < hardware.registers for register in found.increments.values()))

    def test_nothing_to_gain(self):
        program, values = self.values(self.inputs(self.compiled("test.c", RECURSION)))
        empty = Values(recorder.Trace([], []), 8)
        self.assertEqual(measured.allocate(program, empty, Hardware()).size(), 0)
        self.assertEqual(build.ALGORITHMS["paper"](program, empty, Hardware()).size(), 0)
        self.assertEqual(measured.allocate(program, values, Hardware(cipher=0)).size(), 0)


if __name__ == "__main__":
    unittest.main()
