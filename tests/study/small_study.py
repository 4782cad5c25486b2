"""A small study whose runs are recorded in a folder of the test."""

import os
from unittest import mock

from hauberk.study import figures, pages, place, plan_file, recording
from invented import StudyTest

PLAN = """title: Small
command: make small
dram: {near: {latency: 3, beat: 1}}
studies:
  - {name: small, source: Here, note: Invented, baseline: BaseConfig, programs: [crc32], points: [{series: pads, config: PadsConfig}]}
"""
PAGE = "<!-- figure small -->\n<!-- end -->\n"


class RecordedTest(StudyTest):
    def setUp(self):
        super().setUp()
        self.plan_path = self.write("plan.yml", PLAN)
        self.page = self.write("page.md", PAGE)
        self.records = os.path.join(self.folder, "figures")
        os.mkdir(self.records)
        for target, name, value in ((place, "FIGURES", self.records), (place, "plans", lambda: [self.plan_path]), (pages, "pages", lambda: [self.page])):
            patch = mock.patch.object(target, name, value)
            patch.start()
            self.addCleanup(patch.stop)
        self.addCleanup(figures.from_rows.cache_clear)
        figures.from_rows.cache_clear()
        for config, cycles in (("BaseConfig", 1000), ("PadsConfig", 1500)):
            self.invent(f"near/{config}/crc32", config, "crc32", f"checksum ff\ncycles {cycles}\ninstret 7\n", config != "BaseConfig",
                        dram={"latency": 3, "cycles_per_beat": 1})
            self.write(f"out/verilog/{config}.sha256", config[0] * 64 + "  -\n")

    def record(self):
        recording.record(plan_file.read(self.plan_path, names=False), self.out)

    def shown(self):
        figures.from_rows.cache_clear()
        pages.show()
        return self.read("page.md")
