"""Numbers on the chip, as docs/formats.md has them."""

import os
import sys
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from number_table import lines_of


class Table(unittest.TestCase):
    def test_places_in_use_have_lines(self):
        # Two sets of three ways, numbers of lines of 5 bits: tags of 4
        used, tags = [2, 1], [0x0_7_3, 0xf_f_9]
        numbers = [sum((100 * place + i) << 32 * i for i in range(16)) for place in range(6)]
        found = lines_of([numbers, used, tags], 5)
        self.assertEqual({line: words[1] for line, words in found.items()}, {3 << 1: 1, 7 << 1: 201, 9 << 1 | 1: 101})


if __name__ == "__main__":
    unittest.main()
