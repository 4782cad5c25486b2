"""From sources to a steered program on the model of the hardware: the same results, and the counts that were predicted."""

import glob
import os
import unittest

from bench import Bench, runtime
from generated import c_program
from steer import build, profile
from steer.contract import Hardware
from steer.model import Model

PICOLIBC = "/usr/lib/picolibc/riscv64-unknown-elf"
LIBRARY = """#include "hauberk.h"
#include <stdio.h>
#include <stdlib.h>
RESULTS uint64_t kept[4];
static int order(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
int main(void) {
  int numbers[60];
  char text[40];
  for (int i = 0; i < 60; i++) numbers[i] = i * 7919 % 101;
  qsort(numbers, 60, sizeof numbers[0], order);
  for (int i = 0; i < 60; i++) {
    snprintf(text, sizeof text, "%d:%x", numbers[i], i);
    kept[i % 4] = kept[i % 4] * 31 + strtoul(text, 0, 10);
  }
  return 0;
}
"""


class EndToEnd(Bench):
    def check(self, inputs, *hardware, algorithms=("measured",)):
        """Profiles and builds; returns the last report."""
        out, profiled = self.path("program"), self.path("profile")
        printed = build.make_profile(self.tools, inputs, profiled, 0, 1 << 22)
        checksum = [line for line in printed.split("\n") if line.startswith("checksum")]
        for machine in hardware:
            for algorithm in algorithms:
                report = build.make_steered(self.tools, inputs, out, profiled, machine, algorithm)
                model = Model(out, machine)
                counts = model.run(0)
                self.assertEqual(model.board.exit_code, 0)
                self.assertEqual([line for line in model.board.text.split("\n") if line.startswith("checksum")], checksum)
                self.agree(report["loads"], counts)
        return report

    def agree(self, loads, counts):
        """Times are printed in digits whose number may differ by a few."""
        self.assertAlmostEqual(loads["total"], counts["total"], delta=40)
        for name in ("right", "wrong", "notApplied", "rightWithoutHint"):
            self.assertAlmostEqual(loads[name], counts[name], delta=40 + loads["total"] // 100, msg=name)

    def test_generated_programs(self):
        for seed in (11, 12):
            with self.subTest(seed=seed):
                made = self.compiled("test.c", c_program(seed).replace("memcpy", "__builtin_memcpy"))
                self.check([made, *runtime()], Hardware(), Hardware(4, 8, 32), Hardware(last=16), algorithms=("measured", "paper"))

    def test_a_build_is_repeated_from_its_report(self):
        inputs = [self.compiled("test.c", c_program(13).replace("memcpy", "__builtin_memcpy")), *runtime()]
        report = self.check(inputs, Hardware(block=16))
        with open(self.path("report.json"), "w") as file:
            build.report.json.dump(report, file)
        build.make_again(self.tools, inputs, self.path("again"), self.path("report.json"), Hardware(block=16))
        with open(self.path("again"), "rb") as one, open(self.path("program"), "rb") as other:
            self.assertEqual(one.read(), other.read())

    def test_profile_of_another_compilation_is_refused(self):
        text = c_program(14).replace("memcpy", "__builtin_memcpy")
        inputs = [self.compiled("test.c", text), *runtime()]
        build.make_profile(self.tools, inputs, self.path("profile"), 0, 1 << 22)
        profile.load(self.path("profile"), build.Inputs(self.tools, inputs, self.folder).program())
        self.compiled("test.c", text, "-O1")
        with self.assertRaisesRegex(build.SteerError, "another program"):
            build.make_steered(self.tools, inputs, self.path("out"), self.path("profile"), Hardware())
        self.assertFalse(os.path.exists(self.path("out")))

    def test_profile_of_a_small_input_serves_a_large_one(self):
        code = self.compiled("code.c", """#include "hauberk.h"
RESULTS uint64_t kept[64];
extern const unsigned rounds, numbers[];
int main(void) { for (unsigned i = 0; i < rounds; i++) kept[i % 64] += numbers[i % 5] * kept[(i + 9) % 64] + i; return 0; }
""")
        small = self.compiled("small.c", "const unsigned rounds = 100, numbers[] = {1, 2, 3, 4, 5};")
        large = self.compiled("large.c", "const unsigned rounds = 3000, numbers[] = {7, 6, 5, 4, 3, 2, 1}; static int unused[9] = {1};")
        build.make_profile(self.tools, [code, small, *runtime()], self.path("profile"), 0, 1 << 22)
        build.make_steered(self.tools, [code, large, *runtime()], self.path("out"), self.path("profile"), Hardware())
        build.make_plain(self.tools, [code, large, *runtime()], self.path("plain"))
        self.assertEqual(self.ran(self.path("out")), self.ran(self.path("plain")))

    @unittest.skipUnless(os.path.isdir(PICOLIBC), "the package picolibc-riscv64-unknown-elf is not installed")
    def test_library_code(self):
        made = self.compiled("test.c", LIBRARY, "-isystem", os.path.join(PICOLIBC, "include"))
        library = glob.glob(os.path.join(PICOLIBC, "lib", "release", "rv64imafdc", "lp64d", "libc.a"))
        *objects, libgcc = runtime()
        report = self.check([made, *objects, *library, libgcc], Hardware())
        self.assertGreater(report["functions"]["qsort"]["right"], 0)


if __name__ == "__main__":
    unittest.main()
