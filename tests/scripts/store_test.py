"""Tests of scripts/store.py: results that are kept by a digest."""

import json
import os
import sys
import tempfile
import unittest
from unittest import mock

TOP = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
sys.path.insert(0, os.path.join(TOP, "scripts"))
import store

ROWS = [{"class": "A1", "detected": 3}]


class Store(unittest.TestCase):
    def setUp(self):
        made = tempfile.TemporaryDirectory(prefix="hauberk-store-")
        self.addCleanup(made.cleanup)
        self.folder = made.name
        patch = mock.patch.dict(os.environ, XDG_CACHE_HOME=self.folder)
        patch.start()
        self.addCleanup(patch.stop)

    def file(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, "w") as file:
            file.write(text)
        return path

    def test_a_result_comes_back_under_its_digest_alone(self):
        store.save("attack", "a", ROWS)
        self.assertEqual(store.load("attack", "a"), ROWS)
        self.assertIsNone(store.load("attack", "b"))
        self.assertIsNone(store.load("synthesis", "a"))

    def test_what_is_damaged_or_changed_by_hand_is_no_result(self):
        store.save("attack", "a", ROWS)
        path = store.path_of("attack", "a")
        with open(path) as file:
            whole = file.read()
        for text in ("", whole[:-9], "[]", "{}", json.dumps({"content": ROWS}), whole.replace(": 3", ": 4")):
            with open(path, "w") as file:
                file.write(text)
            self.assertIsNone(store.load("attack", "a"), text)
        store.save("attack", "a", ROWS)
        self.assertEqual(store.load("attack", "a"), ROWS)

    def test_a_digest_tells_contents_names_and_words_apart(self):
        one, other = self.file("one", "x"), self.file("other", "x")
        known = {store.digest([one]), store.digest([other]), store.digest([one, other]), store.digest([one], 1), store.digest([one], "a", "b"), store.digest([one], "ab")}
        self.file("one", "y")
        self.assertNotIn(store.digest([one]), known)
        self.assertEqual(len(known), 6)

    def test_a_folder_that_cannot_be_written_is_named(self):
        os.environ["XDG_CACHE_HOME"] = self.file("file", "")
        with self.assertRaisesRegex(SystemExit, "nothing can be written to .*: set XDG_CACHE_HOME to a folder of your own"):
            store.folder()

    def test_a_result_that_cannot_be_kept_stops_nothing(self):
        os.makedirs(os.path.join(self.folder, "hauberk"))
        self.file("hauberk/attack", "no folder")
        store.save("attack", "a", ROWS)
        self.assertIsNone(store.load("attack", "a"))


if __name__ == "__main__":
    unittest.main()
