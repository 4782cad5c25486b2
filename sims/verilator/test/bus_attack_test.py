"""The owner of the shared bus of a whole SoC: whatever he does to a transfer, the bus raises its alarm and the run ends.

Not a stage of scripts/test, for it takes a simulator of its own: make -C sims/verilator bus-attack-test
"""

import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import simulator_test
from simulator_test import GENERATED, HALTED, load, make

SENSS = "SenssDualRocketConfig"
PROGRAM = "spinlock"


class BusAttacks(simulator_test.SimulatorTest):
    @classmethod
    def setUpClass(cls):
        done = make(f"CONFIG={SENSS}")
        if done.returncode != 0:
            raise RuntimeError(done.stdout)

    def test_every_attack_on_a_transfer_ends_the_run(self):
        bus = load(GENERATED, SENSS, SENSS + ".json")["bus"]
        # Timeout, and the heartbeat that may come first
        found = bus["ratio"] * (bus["timeout"] + bus["heartbeat"])
        # Longer than any attack takes to be found
        _, folder = self.run_binary(SENSS, PROGRAM, EXTRA_SIM_FLAGS=f"--max-cycles {found + 10000}")
        record = load(folder, "run.json")
        self.assertEqual(record["ending"], "max-cycles", "an alarm while nobody attacks")
        self.assertFalse(record["bus"]["alarm"])
        self.assertGreater(record["bus"]["data_beats"], 250, "too short a run to be attacked")
        package = os.path.join(folder, PROGRAM + ".pkg")
        path = os.path.join(self.folder, "run.json")
        mac = {"MAC mismatch"}
        for script, causes in {
            "bus-flip:transfer=200,bit=17": mac,
            "bus-flip:transfer=200,bit=17,to=2": mac | {"out of turn"},
            "bus-drop:transfer=200": mac | {"silent", "out of turn", "overrun"},
            "bus-drop:transfer=200,to=2": mac | {"out of turn", "overrun"},
            # An early transfer is hart 0's; who it was for would take it, and what it does to TileLink may end the run before the alarm
            "bus-replay:transfer=200,from=10,to=2": mac,
            "bus-spoof:transfer=200,pid=1": {"own PID"},
        }.items():
            with self.subTest(script):
                done = self.simulate(SENSS, package, "--stats", path, "--attack", script)
                record = load(path)
                self.assertEqual(done.returncode, HALTED, done.stdout)
                self.assertEqual(record["ending"], "halted")
                struck, bus = record["attacks"][0]["cycle"], record["bus"]
                self.assertTrue(bus["alarm"])
                self.assertIn(bus["alarm_cause"], causes)
                self.assertLess(bus["alarm_cycle"] - struck, found)
                print(f"{script}: {bus['alarm_cause']} after {bus['alarm_cycle'] - struck} cycles")


if __name__ == "__main__":
    unittest.main()
