"""Recomputes every example of docs/formats.md."""

import os
import re
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
PAGE = os.path.join(HERE, "../../docs/formats.md")
sys.dont_write_bytecode = True
sys.path.insert(0, HERE)

import counter_tree
import counters
import data
import field
import hash_tree
import layout
import log_hash
import tags
from aes import Key, aes_input


def examples():
    """name: {what: value} of each example of the page."""
    with open(PAGE) as page:
        found = re.findall(r"^# example: (.*)\n((?:.+\n)+)```", page.read(), re.M)
    return {name: dict(re.split(r"  +", line, maxsplit=1) for line in body.splitlines()) for name, body in found}


def integer(text):
    return int(text, 0)


def integers(text):
    return [integer(each) for each in text.split()]


class Examples(unittest.TestCase):
    EXAMPLES = examples()

    def setUp(self):
        words = self.id().split(".test_")[1].replace("_", " ")
        self.values = next(values for name, values in self.EXAMPLES.items() if re.sub(r"\W", " ", name) == words)
        if "key" in self.values:
            self.key = Key(bytes.fromhex(self.values["key"]))

    def number(self, name):
        return integer(self.values[name])

    def numbers(self, name):
        return integers(self.values[name])

    def bytes(self, name):
        return bytes.fromhex(self.values[name])

    def place(self):
        return self.number("engine"), self.number("block")

    def test_bank_address(self):
        bank = layout.Bank(self.number("base"), 1 << 23, self.numbers("select bits"), self.number("select"))
        self.assertEqual(bank.local(self.number("address")), self.number("local"))
        self.assertEqual(bank.address(self.number("local")), self.number("address"))
        self.assertTrue(bank.holds(self.number("address")))
        self.assertFalse(bank.holds(self.number("address") ^ 0x40))

    def test_layout(self):
        described = {"countersPerLine": self.number("counters a line"), "tagsPerLine": self.number("tags a line"), "versionsPerLine": 0,
                     "tree": self.values["tree over"], "arity": 8, "rootEntries": 512}
        size, arrays = layout.layout_of(self.number("bank bytes"), 64, described)
        self.assertEqual(size, self.number("data bytes"))
        self.assertEqual([list(array[2:]) for array in arrays], [self.numbers(name) for name in ("counters", "tags", "level 1")])

    def test_derived_keys(self):
        first, second = (point.times(1) for point in self.key.points)
        self.assertEqual((first, second, self.key.tweak_key), (self.number("first point"), self.number("second point"), self.bytes("tweak key")))

    def test_aes_input(self):
        self.assertEqual(aes_input(*map(self.number, ("domain", "engine", "index", "counter", "AES block"))), self.bytes("input"))

    def test_counter_mode(self):
        made = data.counter_mode(self.key, *self.place(), self.number("counter"), self.bytes("data"))
        self.assertEqual(made, self.bytes("ciphertext"))

    def both_ways(self, cipher, *place):
        self.assertEqual(cipher(self.key, *place, self.bytes("ciphertext")), self.bytes("data"))
        self.assertEqual(cipher(self.key, *place, self.bytes("data"), encrypt=True), self.bytes("ciphertext"))

    def test_direct_cbc(self):
        self.both_ways(data.cbc, *self.place(), self.number("counter"))

    def test_xts(self):
        self.both_ways(data.xts, *self.place())

    def test_per_address_timestamps(self):
        self.assertEqual(counters.timestamps(self.bytes("payload")), self.numbers("timestamps"))

    def test_split_counters(self):
        found = counters.split(self.bytes("payload"))
        self.assertEqual(found, [self.number("major") * 64 + minor for minor in self.numbers("minors")])
        self.assertEqual(found[63], self.number("counter of block 63"))

    def test_spilled_numbers(self):
        found = counters.spilled(self.key, self.number("engine"), self.number("line"), self.bytes("stored"))
        self.assertEqual(found, self.numbers("numbers"))

    def test_polynomial(self):
        self.assertEqual(field.Point(self.number("point")).hash(field.words(self.bytes("data"))), self.number("hash"))

    def test_tag_of_a_written_block(self):
        self.assertEqual(tags.written_tag(self.key, *self.place(), self.number("counter"), self.bytes("data")), self.number("tag"))

    def test_tag_of_an_image_block(self):
        self.assertEqual(tags.image_tag(self.key, *self.place(), self.number("image blocks"), self.bytes("data")), self.number("tag"))

    def check_mac(self):
        place = map(self.number, ("engine", "level", "line", "parent"))
        self.assertEqual(counter_tree.line_mac(self.key, *place, self.bytes("payload")), self.number("mac"))

    def test_mac_of_a_counter_line(self):
        self.check_mac()

    def test_mac_of_a_node(self):
        self.check_mac()
        self.assertEqual(counter_tree.children(self.bytes("payload")), self.numbers("counters"))

    def test_hash_of_a_line(self):
        self.assertEqual(hash_tree.line_hash(self.key, self.number("level"), self.number("line"), self.bytes("data")), self.number("hash"))

    def test_log_element(self):
        self.assertEqual(log_hash.element(self.key, self.number("block"), self.number("version"), self.bytes("data")), self.number("element"))


class Layout(unittest.TestCase):
    def test_without_arrays_a_bank_is_all_data(self):
        nothing = {"countersPerLine": 0, "tagsPerLine": 0, "versionsPerLine": 0, "tree": "none", "arity": 8, "rootEntries": 512}
        self.assertEqual(layout.layout_of(1 << 20, 64, nothing), (1 << 20, []))


class Coverage(unittest.TestCase):
    def test_each_example_is_recomputed(self):
        tests = {name[5:].replace("_", " ") for name in dir(Examples) if name.startswith("test_")}
        self.assertEqual(tests, {re.sub(r"\W", " ", name) for name in examples()})


if __name__ == "__main__":
    unittest.main()
