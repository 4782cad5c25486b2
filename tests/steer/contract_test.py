"""Instructions and limits are those of the contract."""

import unittest

from steer import contract
from steer.errors import SteerError


class Contract(unittest.TestCase):
    def test_bits_of_a_hint(self):
        # 1 | 0100101 | 1111 | 00010 | 010 | 11110 | 0001011: store, id 37, sp, offset -2
        self.assertEqual(contract.hint(contract.STORE, 37, 2, -2), 0b1_0100101_1111_00010_010_11110_0001011)
        self.assertEqual(contract.hint(contract.LOAD, 0, 31, 255), 0b0_0000000_0111_11111_010_11111_0001011)

    def test_bits_of_an_increment(self):
        self.assertEqual(contract.increment(13), 0b0000000_01101_00000_000_00000_0001011)

    def test_each_hint_is_decoded(self):
        for kind in (0, 1):
            for identifier in (0, 1, 64, 127):
                for base in (0, 5, 31):
                    for units in range(-256, 256):
                        word = contract.hint(kind, identifier, base, units)
                        self.assertEqual(contract.decode(word), ("hint", kind, identifier, base, units))

    def test_other_instructions_are_none(self):
        for word in (contract.NOP, 0xfc000073, contract.increment(1) | 1 << 7, contract.increment(1) | 1 << 25):
            self.assertIsNone(contract.decode(word))

    def test_offsets_that_fit(self):
        self.assertEqual([contract.offset_units(offset) for offset in (-1024, -1, 0, 3, 1023)], [-256, -1, 0, 0, 255])
        self.assertEqual([contract.offset_units(offset) for offset in (-1025, 1024)], [None, None])

    def test_limits(self):
        contract.check_hardware(contract.Hardware(registers=16, ids=128, block=32))
        for wrong in (dict(registers=0), dict(registers=17), dict(ids=129), dict(ids=136), dict(ids=0), dict(registers=8, ids=36), dict(block=64)):
            with self.assertRaises(SteerError):
                contract.check_hardware(contract.Hardware(**wrong))
        with self.assertRaisesRegex(SteerError, "does not exist"):
            contract.increment(16)
        with self.assertRaisesRegex(SteerError, "does not exist"):
            contract.hint(0, 128, 2, 0)


if __name__ == "__main__":
    unittest.main()
