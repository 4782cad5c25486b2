"""Every scheme on memory that was made by the page: the verifier accepts it, and refuses each change of it."""

import os
import sys
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import mutants
from made_run import IMAGE_BLOCKS, MadeRun
from refusal import Refused
from verify import banks_of, verify
from writer import Writer

SCHEMES = [("one-time pad", "plain", "none"), ("direct CBC", "plain", "none"), ("XTS", "none", "none"), ("one-time pad", "spilled", "none"),
           ("one-time pad", "plain", "block tags"), ("one-time pad", "plain", "hash tree"), ("direct CBC", "plain", "log hash"),
           ("one-time pad", "split", "counter tree"), ("one-time pad", "per-address", "counter tree")]


def written(mode, counter_format, integrity, engines):
    """A run in which blocks of the image and others were written, first ones and last ones, some of them twice."""
    run = MadeRun(mode, counter_format, integrity, engines)
    for engine in range(engines if counter_format != "none" else 0):
        last = banks_of(run)[engine].memory.blocks - 1
        for block in (0, 3, IMAGE_BLOCKS, 3, 400, last - 8, last):
            Writer(banks_of(run)[engine], run.record).write(block, bytes([block % 256, engine]) * 32)
    return run


class Schemes(unittest.TestCase):
    def test_what_is_written_is_read_and_verified(self):
        for scheme in SCHEMES:
            with self.subTest(scheme):
                run = written(*scheme, engines=2)
                counts = verify(run)
                rewritten = scheme[1] != "none"
                self.assertEqual(counts["blocks of the image"], 2 * (IMAGE_BLOCKS - 2) if rewritten else 0)
                for engine, bank in enumerate(banks_of(run)):
                    for block in (0, 3, 400, bank.memory.blocks - 1) if rewritten else ():
                        self.assertEqual(bank.plaintext(block), bytes([block % 256, engine]) * 32)

    def test_every_change_is_refused_by_one_sentence(self):
        for scheme in SCHEMES:
            with self.subTest(scheme):
                run = written(*scheme, engines=2)
                mutants.refused(run)
                tried = dict([*mutants.image_mutants(run), *mutants.written_mutants(run)])
                self.assertTrue(all(why and "\n" not in why for why in tried.values()))
                if scheme[2] != "none":
                    self.assertGreaterEqual(len(tried), 2 * 2 * 3)

    def accepted_bits(self, run, address):
        """Bits of the 8 bytes from an address on whose change is accepted."""
        accepted = []
        for bit in range(64):
            run.dram[address - run.base + bit // 8] ^= 1 << bit % 8
            if mutants.refusal(run) is None:
                accepted.append(bit)
            run.dram[address - run.base + bit // 8] ^= 1 << bit % 8
        return accepted

    def test_every_bit_of_tags_and_macs_is_compared(self):
        for scheme in SCHEMES[4:]:
            run = written(*scheme, engines=1)
            memory = banks_of(run)[0].memory
            for block in (5, 400) if scheme[2] != "log hash" else (5,):
                with self.subTest(f"tag of block {block}, {scheme}"):
                    self.assertEqual(self.accepted_bits(run, memory.line_address("tag", block // 8) + 8 * (block % 8)), [])
            for kind, level in (("counter", 0), ("node", 1)) if scheme[2] == "counter tree" else ():
                with self.subTest(f"MAC of a {kind}, {scheme}"):
                    self.assertEqual(self.accepted_bits(run, memory.line_address(kind, 0, level) + 56), [])

    def test_every_bit_of_a_root_is_compared(self):
        for scheme in SCHEMES[5:]:
            run = written(*scheme, engines=1)
            for name in run.record["roots"]:
                if name.startswith(("HashRoot", "LogAccumulators", "RootTable")):
                    words = run.record["roots"][name][0]
                    right = words[0]
                    for bit in range({"L": 128, "H": 64, "R": 56}[name[0]]):
                        words[0] = hex(int(right, 0) ^ 1 << bit)
                        self.assertIsNotNone(mutants.refusal(run), f"bit {bit} of {name}")
                    words[0] = right

    def test_levels_of_trees_are_among_what_is_changed(self):
        for scheme, levels in ((SCHEMES[5], 2), (SCHEMES[7], 1)):
            run = written(*scheme, engines=1)
            names = " ".join(name for name, _ in mutants.written_mutants(run))
            self.assertIn(f"node of level {levels}", names)

    def test_a_record_without_roots_is_refused(self):
        for scheme in SCHEMES[5:]:
            run = written(*scheme, engines=1)
            run.record["roots"] = {}
            self.assertRaisesRegex(Refused, "no roots of", verify, run)

    def test_older_memory_is_accepted_where_nothing_promises_freshness(self):
        run = written(*SCHEMES[4], engines=1)
        before = bytes(run.dram)
        Writer(banks_of(run)[0], run.record).write(3, bytes(64))
        run.dram = bytearray(before)
        verify(run)


if __name__ == "__main__":
    unittest.main()
