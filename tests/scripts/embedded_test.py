"""The known values of tests/embedded: each program's constants against Python, its library, or OpenSSL."""

import heapq
import hashlib
import itertools
import math
import os
import re
import struct
import subprocess
import unittest
import warnings
import zlib

FOLDER = os.path.join(os.path.dirname(__file__), "..", "embedded")
MASK = (1 << 64) - 1


def mix64(index):
    """As tests/runtime/hauberk.h has it."""
    z = (index + 1) * 0x9e3779b97f4a7c15 & MASK
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9 & MASK
    z = (z ^ z >> 27) * 0x94d049bb133111eb & MASK
    return z ^ z >> 31


def fnv1a(data):
    value = 0xcbf29ce484222325
    for byte in data:
        value = (value ^ byte) * 0x100000001b3 & MASK
    return value


def message(size):
    return b"".join(struct.pack("<Q", mix64(i)) for i in range((size + 7) // 8))[:size]


def signal(length):
    """As tests/embedded/runtime/signal.h has it."""
    def triangle(phase):
        return abs((phase & 65535) - 32768) - 16384
    return [(3 * triangle(i * 653) >> 2) + (triangle(i * 5003) >> 2) + (mix64(i) & 255) - 128 for i in range(length)]


class Program:
    """The constants of a program's source."""

    def __init__(self, name):
        with open(os.path.join(FOLDER, name + ".c")) as file:
            self.text = file.read()

    def constant(self, name):
        return int(re.search(rf"#define {name} (\d+)", self.text)[1])

    def numbers(self, array):
        """Of an array's initializer, whose elements may be names of constants."""
        words = re.findall(r"\w+", re.search(rf"\b{array}(?:\[\w*\])+ = \{{(.*?)\}};", self.text, re.S)[1])
        return [int(word, 0) if word[0].isdigit() else self.constant(word) for word in words]

    def strings(self, array):
        return re.findall(r'"(.*?)"', re.search(rf"\b{array}\[\] = \{{(.*?)\}};", self.text, re.S)[1])


class KnownValues(unittest.TestCase):
    def check(self, name, sizes, compute):
        program = Program(name)
        found = list(itertools.chain.from_iterable(compute(program, size) for size in program.numbers(sizes)))
        shown = ", ".join(map(hex, found))
        self.assertEqual(program.numbers("known"), found, f"tests/embedded/{name}.c should have: {shown}")

    def test_bitcount(self):
        def total(_, count):
            number, ones = 1, 0
            for _ in range(count):
                number = (number * 1664525 + 1013904223) & 0xffffffff
                ones += bin(number).count("1")
            return [ones]
        self.check("bitcount", "numbers", total)

    def test_sha(self):
        self.check("sha", "sizes", lambda _, size: struct.unpack(">5I", hashlib.sha1(message(size)).digest()))

    def test_crc(self):
        self.check("crc", "sizes", lambda _, size: [zlib.crc32(message(size))])

    def test_adpcm(self):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                import audioop
        except ImportError:
            self.skipTest("this Python has no audioop")
        self.check("adpcm", "lengths", lambda _, length: [
            fnv1a(audioop.lin2adpcm(struct.pack(f"={length}h", *signal(length)), 2, None)[0])])

    def test_stringsearch(self):
        def places(program, searches):
            vocabulary, words = program.strings("vocabulary"), program.constant("WORDS")
            sentences = [" ".join(vocabulary[mix64(i * words + k) % len(vocabulary)] for k in range(words))
                         for i in range(program.constant("SENTENCES"))]
            self.assertLess(max(map(len, sentences)), 16 * words)
            found = [sentences[i % len(sentences)].find(vocabulary[mix64(1000 + i) % len(vocabulary)]) for i in range(searches)]
            return [fnv1a(struct.pack(f"<{searches}H", *(place & 0xffff for place in found)))]
        self.check("stringsearch", "searches", places)

    def test_dijkstra(self):
        def distance(nodes, start, end):
            distances, heap = {}, [(0, start)]
            while end not in distances:
                reached, node = heapq.heappop(heap)
                if distances.setdefault(node, reached) == reached:
                    for other in range(nodes):
                        if other not in distances:
                            heapq.heappush(heap, (reached + 1 + mix64(node * nodes + other) % 1000, other))
            return distances[end]

        def total(program, pairs):
            nodes = program.constant("NODES")
            return [sum(distance(nodes, i, (i + nodes // 2) % nodes) * (i + 1) for i in range(pairs))]
        self.check("dijkstra", "pairs", total)

    def test_rijndael(self):
        def last_block(program, count):
            key, start = ("".join(f"{word:08x}" for word in program.numbers(name)) for name in ("key", "start"))
            plain = b"".join(struct.pack(">I", mix64(i) & 0xffffffff) for i in range(4 * count))
            cipher = subprocess.run(["openssl", "enc", "-aes-128-cbc", "-nopad", "-K", key, "-iv", start], input=plain,
                                    stdout=subprocess.PIPE, check=True).stdout
            return struct.unpack(">4I", cipher[-16:])
        self.check("rijndael", "blocks", last_block)

    def test_qsort(self):
        def hashes(program, length):
            letters, largest = program.constant("LETTERS"), program.constant("LARGEST")
            texts = sorted(bytes(97 + (mix64(i) >> 4 * k & 15) for k in range(letters)) for i in range(length))
            random = [mix64(largest + i) for i in range(length)]
            squares = [sum((value >> shift & 0xfffff) ** 2 for shift in (0, 20, 40)) for value in random]
            self.assertEqual(len(set(map(math.sqrt, squares))), length, "qsort need not keep the order of equal elements")
            order = sorted(range(length), key=squares.__getitem__)
            return [fnv1a(b"".join(text + b"\0" for text in texts)), fnv1a(struct.pack(f"<{length}I", *order))]
        self.check("qsort", "lengths", hashes)


if __name__ == "__main__":
    unittest.main()
