"""Tests of tests/stored/verilator, with a program in Verilator's place that says what it was built of."""

import os
import subprocess
import tempfile
import unittest

TOP = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
WRAPPER = os.path.join(TOP, "tests", "stored", "verilator")
BUILDER = """#!/bin/sh
[ "$1" = --version ] && { echo "Verilator $VERSION"; exit; }
echo built >>"$COUNT"
{ echo "#!/bin/sh"; echo "cat <<'END'"; cat ../primary-sources/top.sv; echo END; } >simulation
chmod +x simulation
"""
DRIVER = "generated-sources/simulation-driver.cpp"
OPTIONS = ["--cc", "--exe", "--build", "-o", "../simulation", "--Mdir", "verilated-sources"]


class Stored(unittest.TestCase):
    def setUp(self):
        made = tempfile.TemporaryDirectory(prefix="hauberk-stored-")
        self.addCleanup(made.cleanup)
        self.top = made.name
        self.cache = os.path.join(self.top, "cache")
        self.write("bin/verilator", BUILDER)
        os.chmod(os.path.join(self.top, "bin", "verilator"), 0o755)
        self.path = os.pathsep.join([os.path.dirname(WRAPPER), os.path.join(self.top, "bin"), os.environ["PATH"]])
        self.trees = 0

    def write(self, name, text):
        path = os.path.join(self.top, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as file:
            file.write(text)

    def build(self, verilog="wire a;", cpp="int a;", options=(), version="5", flags="OPT_FAST=-O0", cache=None):
        """Builds in a new folder; whether the builder ran."""
        self.trees += 1
        tree = f"tree{self.trees}"
        self.write(f"{tree}/primary-sources/top.sv", verilog + "\n")
        self.write(f"{tree}/{DRIVER}", cpp + "\n")
        work, count = os.path.join(self.top, tree, "workdir"), os.path.join(self.top, tree, "count")
        os.makedirs(work)
        given = [*OPTIONS, f"-I{work}", *options]
        done = subprocess.run([WRAPPER, *given], cwd=work, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              env={**os.environ, "PATH": self.path, "COUNT": count, "VERSION": version, "MAKEFLAGS": f" -j2 {flags}", "XDG_CACHE_HOME": cache or self.cache})
        self.assertEqual((done.returncode, done.stdout), (0, ""))
        said = subprocess.run([os.path.join(work, "simulation")], stdout=subprocess.PIPE, text=True, check=True).stdout
        self.assertIn(verilog.split(";")[0], said)
        return os.path.exists(count)

    def test_the_same_is_built_once(self):
        self.assertTrue(self.build())
        self.assertFalse(self.build())
        self.assertFalse(self.build(verilog="wire a; // Top.scala:8"))

    def test_the_driver_answers_when_it_has_read_all_commands_and_records_nothing(self):
        self.build(cpp='  messageStream = fdopen(a, "w");\n  fflush(messageStream);\n  fflush(stdout);\n  int byteCount = getline(&a, &b, commandStream);\n'
                   '  const char *path = getenv("SVSIM_EXECUTION_SCRIPT");\n  context->commandArgs(argc, argv);')
        with open(os.path.join(self.top, "tree1", DRIVER)) as file:
            lines = file.read().splitlines()
        self.assertEqual(lines, [
            '  messageStream = fdopen(a, "w");',
            "  static char answers[1 << 16];",
            "  setvbuf(messageStream, answers, _IOFBF, sizeof answers);",
            "",
            "  fflush(stdout);",
            "if (commandStream->_IO_read_ptr == commandStream->_IO_read_end) fflush(messageStream);",
            "  int byteCount = getline(&a, &b, commandStream);",
            "  const char *path = NULL;",
            "  context->commandArgs(argc, argv);",
            "  context->randReset(2);",
            "  context->randSeed(1);",
        ])

    def test_a_driver_of_another_kind_stays_as_it_is(self):
        self.build(cpp="  fflush(messageStream);")
        with open(os.path.join(self.top, "tree1", DRIVER)) as file:
            self.assertEqual(file.read(), "  fflush(messageStream);\n")

    def test_whatever_differs_is_built(self):
        self.assertTrue(self.build())
        for other in ({"verilog": "wire b;"}, {"cpp": "int b;"}, {"options": ["+define+B"]}, {"version": "6"}, {"flags": "OPT_FAST=-O2"}):
            self.assertTrue(self.build(**other), other)
            self.assertFalse(self.build(**other), other)

    def test_what_is_damaged_is_built_again(self):
        self.build()
        store = os.path.join(self.cache, "hauberk", "simulators")
        simulator = next(name for name in os.listdir(store) if not name.endswith(".sum"))
        for name in (simulator, simulator + ".sum"):
            with open(os.path.join(store, name), "r+") as file:
                file.truncate(5)
            self.assertTrue(self.build())
            self.assertFalse(self.build())
            os.remove(os.path.join(store, name))
            self.assertTrue(self.build())

    def test_without_a_store_it_builds(self):
        self.write("file", "")
        self.assertTrue(self.build(cache=os.path.join(self.top, "file")))

    def test_what_svsim_does_not_ask_for_is_verilators(self):
        done = subprocess.run([WRAPPER, "--version"], stdout=subprocess.PIPE, text=True, env={**os.environ, "PATH": self.path, "VERSION": "5"})
        self.assertEqual(done.stdout, "Verilator 5\n")


if __name__ == "__main__":
    unittest.main()
