"""Tests of scripts/figures and its records, on a repository of a source and a page."""

import glob
import os
import shutil
import subprocess
import tempfile
import unittest

TOP = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
ADDER = "src/main/scala/Adder.scala"
PAGE = "# Page\n\n<!-- figure adder -->\n<!-- end -->\nBy hand.\n"


class Figures(unittest.TestCase):
    def setUp(self):
        made = tempfile.TemporaryDirectory(prefix="hauberk-figures-")
        self.addCleanup(made.cleanup)
        self.top = made.name
        for name in ("scripts", "docs/figures", "workflow", os.path.dirname(ADDER)):
            os.makedirs(os.path.join(self.top, name), exist_ok=True)
        for path in [os.path.join(TOP, "scripts", "figures"), *glob.glob(os.path.join(TOP, "scripts", "*.py"))]:
            shutil.copy(path, os.path.join(self.top, "scripts"))
        shutil.copy(os.path.join(TOP, "workflow", "requirements.txt"), os.path.join(self.top, "workflow"))
        shutil.copytree(os.path.join(TOP, "python"), os.path.join(self.top, "python"), ignore=shutil.ignore_patterns("__pycache__"))
        self.write("README.md", "# Adders\n")
        self.write("docs/page.md", PAGE)
        self.write(ADDER, "class Adder { val sum = a + b }\n")
        self.git("init", "-q")
        self.commit()
        self.write("measured.md", "| figure | cycles |\n|---|--:|\n| one \\| two | 1,000 |\n\nIn all.\n")
        self.figures("--record", "adder", "--command", "make adder", "measured.md")

    def write(self, name, text):
        with open(os.path.join(self.top, name), "w") as file:
            file.write(text)

    def read(self, name):
        with open(os.path.join(self.top, name)) as file:
            return file.read()

    def git(self, *arguments):
        subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", "-C", self.top, *arguments], check=True)

    def commit(self):
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "all")

    def revision(self):
        return subprocess.run(["git", "-C", self.top, "rev-parse", "--short=7", "HEAD"], stdout=subprocess.PIPE, text=True).stdout.strip()

    def figures(self, *arguments, refused=None):
        done = subprocess.run([os.path.join(self.top, "scripts", "figures"), *arguments], cwd=self.top, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True)
        self.assertEqual(done.returncode != 0, refused is not None, done.stdout)
        self.assertIn(refused or "", done.stdout)
        self.assertNotIn("Traceback", done.stdout)

    def test_a_table_is_shown_with_revision_and_command(self):
        self.assertEqual(self.read("docs/page.md"), "# Page\n\n<!-- figure adder -->\n| figure     | cycles |\n| ---------- | -----: |\n"
                         "| one \\| two |  1,000 |\n\nIn all.\n\n" f"Measured at {self.revision()} by `make adder`.\n" "<!-- end -->\nBy hand.\n")
        self.figures("--check")

    def test_a_table_changed_by_hand_is_found(self):
        self.write("docs/page.md", self.read("docs/page.md").replace("1,000", "999"))
        self.figures("--check", refused="docs/page.md is not what docs/figures says")

    def test_a_record_without_a_page_and_a_page_without_a_record(self):
        self.write("docs/page.md", PAGE.replace("adder", "subtractor"))
        self.figures("--check", refused="shows the figure subtractor, which nobody recorded")
        self.figures("--check", refused="docs/figures has adder, which is on no page")

    def test_comments_are_no_hardware(self):
        self.write(ADDER, "/** Adds. */\nclass Adder {\n  val sum = a + b // both\n}\n")
        self.figures("--check")

    def test_a_figure_of_earlier_hardware_says_so(self):
        self.write(ADDER, "class Adder { val sum = a +& b }\n")
        self.figures("--check", refused="docs/page.md is not what docs/figures says")
        self.figures()
        self.assertIn(f"Measured on earlier hardware ({self.revision()}) by `make adder`.\n", self.read("docs/page.md"))
        self.figures("--check")
        self.figures("--check", "--release")

    def test_a_release_has_no_readme_of_earlier_hardware(self):
        self.write("README.md", PAGE)
        self.figures()
        self.figures("--check", "--release")
        self.write(ADDER, "class Adder { val sum = a +& b }\n")
        self.figures()
        self.figures("--check")
        self.figures("--check", "--release", refused="README.md shows adder, and adder was measured on earlier hardware: measure it again and record it (make adder)")

    def test_a_record_edited_by_hand_is_refused(self):
        path = "docs/figures/adder.csv"
        self.write(path, self.read(path).replace("1,000", "999"))
        self.figures("--check", refused="adder.csv: this file was edited by hand or is damaged, for its digest does not fit")

    def test_what_is_not_committed_is_marked(self):
        self.write(ADDER, "class Adder { val sum = a - b }\n")
        self.figures("--record", "adder", "--command", "make adder", "measured.md")
        self.assertIn(f"# revision: {self.revision()} with changes\n", self.read("docs/figures/adder.csv"))

    def test_bad_input(self):
        self.figures("--record", "adder", "--command", "make adder", "nowhere.md", refused="cannot read the table nowhere.md: No such file")
        self.figures("--record", "adder", refused="--record takes a NAME, --command COMMAND and a file")


if __name__ == "__main__":
    unittest.main()
