"""Recomputes every example of docs/formats.md with formats.py."""

import os
import re
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import formats
from formats import Key

PAGE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "docs", "formats.md")


class Example:
    """The rows of an example, by name."""

    def __init__(self, text):
        self.rows = dict(re.split(r"  +", line, maxsplit=1) for line in text.strip().split("\n"))

    def bytes(self, name):
        return bytes.fromhex(self.rows[name])

    def int(self, name):
        return int(self.rows[name], 0)

    def ints(self, name):
        return [int(value, 0) for value in self.rows[name].split()]

    def key(self):
        return Key(self.bytes("key"))

    def place(self):
        return self.int("engine"), self.int("block")


def examples(text):
    return {name: Example(body) for name, body in re.findall(r"```text\n# example: ([^\n]*)\n(.*?)```", text, re.S)}


def with_mac(payload, mac):
    return payload + mac.to_bytes(8, "little")


def aes_input(e):
    found = formats.aes_input(e.int("domain"), e.int("engine"), e.int("index"), e.int("counter"), e.int("AES block"))
    return found == e.bytes("input")


def derived_keys(e):
    return e.key().hash_points() == (e.int("first point"), e.int("second point")) and e.key().derive(7, 0, 0, 0, 0) == e.bytes("tweak key")


def counter_mode(e):
    return formats.counter_mode(e.key(), *e.place(), e.int("counter"), e.bytes("data")) == e.bytes("ciphertext")


def direct_cbc(e):
    arguments = (e.key(), *e.place(), e.int("counter"))
    return formats.cbc_encrypt(*arguments, e.bytes("data")) == e.bytes("ciphertext") and \
        formats.cbc_decrypt(*arguments, e.bytes("ciphertext")) == e.bytes("data")


def xts(e):
    unit = formats.block_unit(*e.place())
    return formats.xts(e.key(), unit, e.bytes("data"), True) == e.bytes("ciphertext") and \
        formats.xts(e.key(), unit, e.bytes("ciphertext"), False) == e.bytes("data")


def spilled(e):
    plain = formats.xts(e.key(), formats.spill_unit(e.int("engine"), e.int("line")), e.bytes("stored"), False)
    return formats.plain_counters(plain, 4) == e.ints("numbers")


def per_address(e):
    return formats.per_address_counters(e.bytes("payload") + bytes(8)) == e.ints("timestamps")


def split(e):
    expected = [e.int("major") << 6 | minor for minor in e.ints("minors")]
    return formats.split_counters(e.bytes("payload") + bytes(8)) == expected and expected[63] == e.int("counter of block 63")


def polynomial(e):
    return formats.polynomial(formats.words(e.bytes("data")), e.int("point")) == e.int("hash")


def written_tag(e):
    return formats.tag(e.key(), 3, *e.place(), e.int("counter"), e.bytes("data")) == e.int("tag")


def image_tag(e):
    return formats.tag(e.key(), 4, *e.place(), e.int("image blocks"), e.bytes("data")) == e.int("tag")


def line_mac(e):
    found = formats.line_mac(e.key(), e.int("engine"), e.int("level"), e.int("line"), e.int("parent"), e.bytes("payload") + bytes(8))
    return found == e.int("mac")


def node_mac(e):
    return line_mac(e) and formats.node_counters(e.bytes("payload") + bytes(8)) == e.ints("counters")


def line_hash(e):
    return formats.line_hash(e.key(), e.int("level"), e.int("line"), e.bytes("data")) == e.int("hash")


def log_element(e):
    return formats.log_element(e.key(), e.int("block"), e.bytes("data"), e.int("version")) == e.int("element")


def bank_address(e):
    base, bits = e.int("base"), e.ints("select bits")
    return formats.to_bank(e.int("address"), base, bits) == e.int("local") and \
        formats.to_bus(e.int("local"), base, bits, e.int("select")) == e.int("address")


def layout(e):
    data_bytes, arrays = formats.layout(e.int("bank bytes"), e.int("counters a line"), e.int("tags a line"), leaves=e.rows["tree over"])
    return data_bytes == e.int("data bytes") and all(list(arrays[name]) == e.ints(name) for name in ("counters", "tags", "level 1")) and \
        len(arrays) == 3


CHECKS = {
    "aes input": aes_input, "derived keys": derived_keys, "counter mode": counter_mode, "direct cbc": direct_cbc, "xts": xts,
    "spilled numbers": spilled, "per-address timestamps": per_address, "split counters": split, "polynomial": polynomial,
    "tag of a written block": written_tag, "tag of an image block": image_tag, "mac of a counter line": line_mac, "mac of a node": node_mac,
    "hash of a line": line_hash, "log element": log_element, "bank address": bank_address, "layout": layout,
}


class FormatsTest(unittest.TestCase):
    def setUp(self):
        with open(PAGE) as file:
            self.examples = examples(file.read())

    def test_every_example_is_checked(self):
        self.assertEqual(set(self.examples), set(CHECKS))

    def test_examples(self):
        for name, check in CHECKS.items():
            with self.subTest(name):
                self.assertTrue(check(self.examples[name]))

    def test_a_changed_example_fails(self):
        """Flips the last digit of the last row of each example."""
        for name, check in CHECKS.items():
            with self.subTest(name):
                example = self.examples[name]
                row, value = list(example.rows.items())[-1]
                example.rows[row] = value[:-1] + ("1" if value[-1] != "1" else "2")
                self.assertFalse(check(example))


if __name__ == "__main__":
    unittest.main()
