"""No run removes what another made: a run's folder is empty, or an earlier run's, or it is refused and left alone."""

import os
import subprocess
import sys
import tempfile
import unittest

TOP = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(TOP, "scripts"))
from run_folder import claimed


class RunFolder(unittest.TestCase):
    def setUp(self):
        made = tempfile.TemporaryDirectory(prefix="hauberk test ")
        self.addCleanup(made.cleanup)
        self.parent = made.name
        self.folder = os.path.join(made.name, "a run")

    def write(self, *path):
        with open(os.path.join(*path), "w") as file:
            file.write("mine")

    def refusal(self, folder):
        with self.assertRaises(SystemExit) as refused:
            with claimed(folder):
                pass
        return refused.exception.code

    def test_is_made_and_emptied_for_the_next_run(self):
        with claimed(self.folder) as folder:
            self.write(folder, "run.json")
            os.makedirs(os.path.join(folder, "x.pkg"))
        with claimed(self.folder) as folder:
            self.assertEqual(os.listdir(folder), [".hauberk-run"])

    def test_may_be_an_empty_folder(self):
        with claimed(self.parent):
            pass

    def test_what_is_kept_stays(self):
        with claimed(self.folder) as folder:
            self.write(folder, "run.json")
        with claimed(self.folder, keep=True) as folder:
            self.assertIn("run.json", os.listdir(folder))

    def test_a_folder_of_somebody_else_is_left_alone(self):
        os.makedirs(self.folder)
        self.write(self.folder, "thesis.tex")
        self.assertIn("no run of Hauberk made it", self.refusal(self.folder))
        self.assertEqual(os.listdir(self.folder), ["thesis.tex"])

    def test_a_file_is_not_a_folder(self):
        self.write(self.folder)
        self.assertIn("is not a folder", self.refusal(self.folder))
        self.assertTrue(os.path.isfile(self.folder))

    def test_what_a_link_leads_to_stays(self):
        outside = os.path.join(self.parent, "outside")
        os.makedirs(outside)
        self.write(outside, "thesis.tex")
        with claimed(self.folder) as folder:
            os.symlink(outside, os.path.join(folder, "link"))
        with claimed(self.folder):
            pass
        self.assertEqual(os.listdir(outside), ["thesis.tex"])

    def test_two_runs_at_once_do_not_share_it(self):
        with claimed(self.folder) as folder:
            self.write(folder, "run.json")
            other = subprocess.run([sys.executable, "-c", "import sys; sys.path.insert(0, sys.argv[1])\nfrom run_folder import claimed\n"
                                    "with claimed(sys.argv[2]): pass", os.path.join(TOP, "scripts"), folder],
                                   stderr=subprocess.PIPE, text=True)
            self.assertNotEqual(other.returncode, 0)
            self.assertIn("another run is using", other.stderr)
            self.assertIn("run.json", os.listdir(folder))

    def test_a_clone_whose_path_has_a_space_is_refused_at_once(self):
        clone = os.path.join(self.parent, "hauberk")
        os.makedirs(clone)
        for folder in ["", "sims", "sims/verilator", "tests"]:
            os.makedirs(os.path.join(clone, folder), exist_ok=True)
            for name in ["Makefile", "path.mk"]:
                source = os.path.join(TOP, folder, name)
                if os.path.exists(source):
                    os.symlink(source, os.path.join(clone, folder, name))
        for folder in ["", "sims/verilator", "tests"]:
            done = subprocess.run(["make", "-C", os.path.join(clone, folder), "clean"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, text=True)
            self.assertNotEqual(done.returncode, 0)
            self.assertIn("the path of this clone has a space", done.stdout)


if __name__ == "__main__":
    unittest.main()
