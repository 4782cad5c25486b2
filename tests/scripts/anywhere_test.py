"""Tests that scripts say what they do, and that they hold in any place: other folders, no HOME, CDPATH, no git, hostile names."""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest

TOP = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
sys.path.insert(0, os.path.join(TOP, "scripts"))
import tree

SCRIPTS = [os.path.join("scripts", name) for name in sorted(os.listdir(os.path.join(TOP, "scripts")))] + ["bench/aes.sh", "bench/synth/soc", "bench/synth/aes_area"]
MAKEFILES = ["sims/verilator", "tests/linux"]


def run(*command, **options):
    return subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=120, **options)


class Help(unittest.TestCase):
    def test_every_script_says_what_it_does_and_does_nothing(self):
        for script in SCRIPTS:
            path = os.path.join(TOP, script)
            if os.path.isfile(path) and os.access(path, os.X_OK):
                with self.subTest(script):
                    done = run(path, "--help")
                    self.assertEqual(done.returncode, 0, done.stdout)
                    self.assertGreater(len(done.stdout), 40)


class Place(unittest.TestCase):
    def setUp(self):
        made = tempfile.TemporaryDirectory(prefix="hauberk-place-")
        self.addCleanup(made.cleanup)
        self.folder = made.name

    def test_cdpath_leads_nowhere_else(self):
        os.makedirs(os.path.join(self.folder, "scripts"))
        done = run("scripts/classpath", "tools", cwd=TOP, env={**os.environ, "CDPATH": self.folder})
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn(os.path.join(TOP, "tools", "target"), done.stdout)
        self.assertEqual(len(done.stdout.splitlines()), 1)

    def test_a_home_that_is_not_set(self):
        done = run("scripts/classpath", "tools", cwd=TOP, env={key: value for key, value in os.environ.items() if key != "HOME"})
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_a_class_path_names_the_tree_that_asks(self):
        shutil.copytree(os.path.join(TOP, "scripts"), os.path.join(self.folder, "scripts"))
        shutil.copytree(os.path.join(TOP, "target", "classpath"), os.path.join(self.folder, "target", "classpath"))
        done = run(os.path.join(self.folder, "scripts", "classpath"), "tools")
        self.assertIn(os.path.join(self.folder, "tools", "target"), done.stdout)
        self.assertNotIn(TOP + "/", done.stdout)

    def test_a_cache_folder_that_cannot_be_written(self):
        for command in (["./sbt", "about"], ["scripts/study", "--help"]):
            done = run(*command, cwd=TOP, env={**os.environ, "XDG_CACHE_HOME": os.path.join(TOP, "README.md")})
            self.assertNotEqual(done.returncode, 0)
            self.assertRegex(done.stdout, r"^(sbt: )?nothing can be written to .*: set XDG_CACHE_HOME to a folder of your own\n$")

    def test_files_of_a_tree_without_git(self):
        for name in ("a.scala", "src/b.scala", "target/c.scala", "src/build/d.scala", "e.fst"):
            path = os.path.join(self.folder, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w"):
                pass
        shutil.copy(os.path.join(TOP, ".gitignore"), self.folder)
        self.assertEqual(tree.tracked(top=self.folder), [".gitignore", "a.scala", "src/b.scala"])
        self.assertEqual(tree.tracked("*.scala", top=self.folder), ["a.scala", "src/b.scala"])


class Names(unittest.TestCase):
    def test_a_name_is_never_run(self):
        with tempfile.TemporaryDirectory(prefix="hauberk-names-") as folder:
            mark = os.path.join(folder, "mark")
            for name in ("prog(1).riscv", f"a;touch {mark}", f"$(shell touch {mark})", f"`touch {mark}`", f"a$$(touch {mark})", "it's", 'a"b', "a%b", "a#b", "a&b", "a b"):
                for variable in ("BINARY", "CONFIG"):
                    for makefile in MAKEFILES:
                        given = {"BINARY": "tests/build/hello.riscv", "CONFIG": "BaselineRocketConfig", variable: name}
                        done = run("make", "-s", "-C", os.path.join(TOP, makefile), "run-binary", *(f"{key}={value}" for key, value in given.items()))
                        self.assertNotEqual(done.returncode, 0)
                        self.assertRegex(done.stdout, rf"{variable} has (a space|the sign \S): name it without (one|it)", name)
            self.assertFalse(os.path.exists(mark))


if __name__ == "__main__":
    unittest.main()
