"""The script that Linux on the SoC runs, with programs that only pretend: what it prints is what `scripts/study firesim` reads."""

import os
import shutil
import subprocess
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
OVERLAY = os.path.join(HERE, os.pardir, "workloads", "hauberk-linux", "overlay", "root", "hauberk")

EXPECTED = """hauberk: begin good
hauberk: before engine0.hits 1
hauberk: before protector.alarm 0
checksum 0123456789abcdef
hauberk: after engine0.hits 1
hauberk: after protector.alarm 0
hauberk: end good 0
hauberk: begin bad
hauberk: before engine0.hits 1
hauberk: before protector.alarm 0
check failed: because
hauberk: after engine0.hits 1
hauberk: after protector.alarm 0
hauberk: end bad 3
hauberk: done
"""


class RunProgramsTest(unittest.TestCase):
    def test_a_section_for_each_program(self):
        with tempfile.TemporaryDirectory() as folder:
            shutil.copy(os.path.join(OVERLAY, "run-programs"), folder)
            for name, script in (("bin/statistics", "echo engine0.hits 1; echo protector.alarm 0"),
                                 ("bin/good", "echo checksum 0123456789abcdef"),
                                 # Of standard input, the list of programs must be left
                                 ("bin/bad", "cat; echo check failed: because; exit 3"),
                                 # Of the machine that runs this, the console is to be left alone
                                 ("path/dmesg", "")):
                path = os.path.join(folder, name)
                os.makedirs(os.path.dirname(path), exist_ok=True)
                with open(path, "w") as file:
                    file.write(f"#!/bin/sh\n{script}\n")
                os.chmod(path, 0o755)
            with open(os.path.join(folder, "programs"), "w") as file:
                file.write("good\nbad\n")
            environment = {**os.environ, "PATH": f"{folder}/path:{os.environ['PATH']}"}
            ran = subprocess.run([f"{folder}/run-programs"], env=environment, cwd="/", stdout=subprocess.PIPE, text=True, timeout=60)
            self.assertEqual(ran.stdout, EXPECTED)
            self.assertEqual(ran.returncode, 0)


if __name__ == "__main__":
    unittest.main()
