"""The model of section IV on numbers that can be worked out by hand."""

import unittest

from hauberk.study.ibench import Line, Model, Profile
from hauberk.study.kinds import fetch
from invented import StudyTest

PLAN = """title: iBench
studies:
  - name: emu
    kind: fetch
    programs: [ibench]
    points:
      - {series: none, config: BaselineRocketConfig}
      - {series: counter, x: plain, config: EmuCounterRocketConfig}
      - {series: counter, x: sealed, config: EmuCounterRocketConfig, sealed: true}
"""


def lines(miss, tasks):
    return [Line("ibench", 8, 1, 200, 100), Line("ibench", 64, 1, 100 * miss, 100), Line("cold", 64, 1, 100 * miss, 100), Line("loads", 8, 1, 100, 100),
            Line("loads", 64, 1, 10100, 100), Line("tasks", 32, 2, tasks, 10), Line("busy", 2, 2, 100, 10)]


def profile(name, miss, tasks):
    return Profile(name, lines(miss, tasks))


class Ibench(StudyTest):
    def test_equation_8_the_stalled_part_of_the_time_grows_by_l_emu_through_l_mem(self):
        # L_Mem = 102 - 2 = 100, L_EMU = 20; of 2000 cycles 100 are busy
        model = Model(profile("none", 102, 2000), {"direct": (profile("plain", 102, 2000), profile("sealed", 122, 2400))})
        self.assertEqual(model.slowdowns[0].measured, 1.2)
        self.assertAlmostEqual(model.slowdowns[0].predicted, 1 + 0.2 * 1900 / 2000)
        self.assertEqual((model.added_plain, model.added_sealed), ({"direct": 0.0}, {"direct": 20.0}))
        self.assertEqual((model.worst("direct"), model.fetches_against_loads), (1.2, 0.0))
        self.assertFalse([what for what, value, bound in fetch.figures(model) if bound is not None and value > bound])

    def invent_profile(self, config, miss, tasks, sealed=""):
        uart = "\r\n".join(" ".join(map(str, (line.what, line.kib, line.tasks, line.cycles, line.steps))) for line in lines(miss, tasks))
        self.invent(f"default/{config}/ibench{sealed}", config, "ibench", uart + "\r\nchecksum 0\r\ncycles 1\r\ninstret 1\r\n", False)

    def test_bounds(self):
        """A cycle more on a fetch in plaintext, or sealed in counter mode; a model that is wrong."""
        self.invent_profile("BaselineRocketConfig", 102, 2000)
        self.invent_profile("EmuCounterRocketConfig", 103, 2000)
        self.invent_profile("EmuCounterRocketConfig", 104, 2400, "-sealed")
        code, _, errors = self.report(self.write("plan.yml", PLAN))
        self.assertEqual(code, 1)
        for part in ("fetch in plaintext, counter mode is 1.0", "sealed fetch, counter mode is 1.0", "worst slowdown, counter mode is 1.2", "worst error"):
            self.assertIn(part, errors)
        self.assertIn("never cached", self.read("out/emu.md"))
        self.assertIn("<svg", self.read("out/emu.svg"))
        self.assertEqual([one["profile"] for one in self.load("out/emu.json")["profiles"]], ["none", "counter-plain", "counter-sealed"])

    def test_a_run_that_did_not_come_to_its_end_is_named(self):
        self.invent("default/BaselineRocketConfig/ibench", "BaselineRocketConfig", "ibench", "ibench 8 1 200 100\n", False)
        self.assert_refused(self.report(self.write("plan.yml", PLAN)), "did not run to its end as none")

    def test_a_run_that_is_missing_is_named(self):
        self.assert_refused(self.report(self.write("plan.yml", PLAN)), "iBench did not run as none: run make ibench")


if __name__ == "__main__":
    unittest.main()
