"""Linux on whole SoCs in simulation: from boot to power-off, at its console, when it fails, and when it cannot be built."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

TOP = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "..", ".."))
GENERATED = os.path.join(TOP, "sims", "verilator", "generated-src")
LINUX = os.path.join(TOP, "tests", "linux")
BASELINE = "BaselineRocketConfig"
OTP = "AegisOtpRocketConfig"
EMU = "EmuCounterRocketConfig"
# Of simulator_test.py, too
CONTEXTS = "WithSecureContexts-3_WithContextGuard_BonsaiTreeDualRocketConfig"
# Two cores, in the form that simulator_test.py builds anyway
OTP_DUAL = ("WithPlaintextRegion-0x80001000-4096_WithContextRegion-0x80002000-4096_WithPlaintextRegion-0x80003000-65536_"
            "AegisOtpDualRocketConfig")
# Runs here are short: what counts is how fast a simulator is built; and the same ones serve simulator_test.py.
os.environ.setdefault("SIM_OPT", "-O1")

# Exit code of a run whose kernel asked for a reset, as it does when it panics (tests/linux/firmware)
RESET = 0x71
# DRAM that answers at once: what counts is what is seen, not how long it takes
AT_ONCE = ["--dram-latency", "3", "--dram-beat", "1"]
PATIENCE = ["--max-cycles", "60000000", *AT_ONCE]


def run(*command, **options):
    return subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors="replace", **options)


def make(folder, *arguments, **options):
    return run("make", "--no-print-directory", "-s", "-C", os.path.join(TOP, folder), *arguments, **options)


class LinuxTest(unittest.TestCase):
    CONFIGS = []

    @classmethod
    def setUpClass(cls):
        for config in cls.CONFIGS:
            done = make("sims/verilator", f"CONFIG={config}")
            if done.returncode != 0:
                raise RuntimeError(f"{config} does not build:\n{done.stdout}")

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="hauberk-linux-test-")
        self.addCleanup(shutil.rmtree, self.folder)

    def boot(self, config, arguments, typed=()):
        """Linux with this command line, and a line typed at each prompt; the exit code and the console."""
        built = make("tests/linux", f"CONFIG={config}", f"BOOTARGS=console=ttyS0 {arguments}")
        self.assertEqual(built.returncode, 0, built.stdout)
        description = os.path.join(GENERATED, config, config + ".json")
        package = os.path.join(self.folder, "linux.pkg")
        packed = run(os.path.join(TOP, "scripts", "hauberk-image"), "pack", "--elf",
                     os.path.join(LINUX, "build", config, "linux.elf"), "--soc", description, "--out", package)
        self.assertEqual(packed.returncode, 0, packed.stdout)
        log = os.path.join(self.folder, "uart.log")
        simulator = subprocess.Popen([os.path.join(GENERATED, config, "simulator"), package, "--config-json", description, "--console",
                                      "--uart-log", log, *PATIENCE], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                     stderr=subprocess.DEVNULL)
        for line in typed:
            self.await_prompt(simulator.stdout)
            os.write(simulator.stdin.fileno(), line.encode() + b"\n")
        simulator.communicate()
        with open(log, errors="replace") as file:
            return simulator.returncode, file.read().replace("\r\n", "\n")

    def run_linux(self, config, flags, *variables):
        """Linux as it was built last, with DRAM checked at its end; what make said, and the console."""
        done = make("sims/verilator", "run-binary", f"CONFIG={config}", f"BINARY={LINUX}/build/{config}/linux.elf", f"RUN_DIR={self.folder}/run",
                    "EXTRA_SIM_FLAGS=" + " ".join(flags), *variables)
        with open(os.path.join(self.folder, "run", "uart.log"), errors="replace") as file:
            return done, file.read().replace("\r\n", "\n")

    def await_prompt(self, output):
        """What is typed before somebody reads it may be lost, as on any serial line."""
        seen = b""
        while not seen.endswith(b"hauberk# "):
            more = os.read(output.fileno(), 1)
            self.assertTrue(more, "Linux ended before it asked for a command: " + seen.decode(errors="replace"))
            seen += more


class Firmware(LinuxTest):
    CONFIGS = [OTP_DUAL]

    def test_calls_of_a_supervisor_on_two_harts(self):
        elf = os.path.join(LINUX, "build", "test", "firmware.elf")
        built = make("tests/linux", "build/test/firmware.elf")
        self.assertEqual(built.returncode, 0, built.stdout)
        done = make("sims/verilator", "run-binary", f"CONFIG={OTP_DUAL}", f"BINARY={elf}", f"RUN_DIR={self.folder}/run",
                    "EXTRA_SIM_FLAGS=--max-cycles 3000000")
        # It says in which line of test/supervisor.c an answer was wrong; behind the run, the DRAM was checked
        self.assertEqual(done.returncode, 0, done.stdout)
        with open(os.path.join(self.folder, "run", "run.json")) as file:
            record = json.load(file)
        self.assertEqual((record["ending"], record["exit_code"]), ("finished", 0))
        self.assertTrue(all(core["retired"] > 0 for core in record["cores"]))


class Boot(LinuxTest):
    CONFIGS = [OTP]

    def test_boots_on_ciphertext_to_power_off(self):
        done = run(os.path.join(TOP, "scripts", "study"), "run", os.path.join(TOP, "bench", "plans", "linux-small.yml"), "--out",
                   os.path.join(self.folder, "report"))
        self.assertEqual(done.returncode, 0, done.stdout)
        with open(os.path.join(self.folder, "report", "summary.json")) as file:
            found, = json.load(file)
        self.assertEqual((found["config"], found["exit_code"], found["dram_check"]), (OTP, 0, "pass"))
        self.assertEqual(found["plaintext_pages_in_dram"], 0)
        self.assertGreater(found["pages_used"], 500)
        self.assertGreater(found["protector"]["hits"], 0)
        self.assertLess(found["boot_cycles"], found["total_cycles"])
        programs = {program["program"]: program for program in found["programs"]}
        self.assertLessEqual({"files", "radix"}, set(programs))
        # The same as without an operating system (docs/programs.md)
        self.assertEqual(programs["radix"]["checksum"], "3acb407fb9ca913c")
        with open(os.path.join(self.folder, "report", "runs", "near", OTP, "linux", "uart.log")) as file:
            console = file.read()
        self.assertRegex(console, r"engine0\.data_reads [1-9]\d*")


class Console(LinuxTest):
    CONFIGS = [OTP]

    def test_what_reads_metadata_is_reported_by_the_driver(self):
        """The adversary is root: no program may look at what the protector keeps for itself."""
        # The device tree ends before them, at a multiple of 2 MiB
        with open(os.path.join(GENERATED, OTP, OTP + ".json")) as file:
            memory = json.load(file)
        metadata = f"{memory['dramBase'] + memory['dataBytes']:x}"
        alarm = "/sys/bus/platform/drivers/hauberk-memory-protector/10010000.memory-protector/alarm"
        code, console = self.boot(OTP, "hauberk.run=shell", [f"cat {alarm}", f"trespass {metadata}", f"cat {alarm}", "exit"])
        self.assertEqual(code, 0, console)
        self.assertRegex(console, rf"cat {alarm}\nnone\n")
        # A denied load ends without an exception, and its data are zero
        self.assertNotRegex(console, r"trespass: found (?!0\b)")
        self.assertRegex(console, rf"hauberk-memory-protector 10010000\.memory-protector: alarm: outside the data at 0x{metadata}")
        self.assertRegex(console, rf"cat {alarm}\noutside the data at 0x{metadata}\n")
        self.assertIn("reboot: Power down", console)


class Sealed(LinuxTest):
    CONFIGS = [EMU]

    def run_sealed(self, *flags):
        return self.run_linux(EMU, [*PATIENCE, "--dram-noise", "0", *flags], "EXTRA_CHECK_FLAGS=--pages")

    def test_a_sealed_program_runs_where_its_token_is(self):
        built = make("tests/linux", f"CONFIG={EMU}", "SEALED=yes", "OWN=", "BENCHMARKS=crc32", "WATCHED=radix")
        self.assertEqual(built.returncode, 0, built.stdout)
        done, console = self.run_sealed("--credentials", f"{LINUX}/build/{EMU}/sealed.credentials.json")
        self.assertEqual(done.returncode, 0, done.stdout)
        # The same as without an operating system, and in plaintext
        self.assertRegex(console, r"begin sealed\nchecksum c4eadf4bfb41ad20\n(.*\n)*hauberk: end sealed 0\n")
        done, console = self.run_sealed()
        self.assertNotEqual(done.returncode, 0)
        self.assertRegex(console, r"begin sealed\nsealed: the processor has no secret in its fuses\n")


class Contexts(LinuxTest):
    CONFIGS = [CONTEXTS]

    @staticmethod
    def walked(rounds):
        """What libhauberk/examples/walk.c gives"""
        return sum((rounds - later) * (word ^ later) for later in range(rounds) for word in range(4096)) % (1 << 64)

    def test_pages_of_contexts_go_out_and_come_back(self):
        """Programs on two harts, whose pages the administrator takes out"""
        built = make("tests/linux", f"CONFIG={CONTEXTS}", "OWN=", "BENCHMARKS=", "WATCHED=",
                     "JOB=/bin/hauberk-together 2 1 2 /bin/hauberk-job /lib/walk.tee 100")
        self.assertEqual(built.returncode, 0, built.stdout)
        done, console = self.run_linux(CONTEXTS, ["--max-cycles", "100000000", *AT_ONCE])
        self.assertEqual(done.returncode, 0, done.stdout)
        answers = [bytes.fromhex(answer) for answer in re.findall(r"hauberk-job: answer ([0-9a-f]+)\n", console)]
        self.assertEqual(answers, [str(self.walked(100)).encode()] * 2)
        counted = dict(re.findall(r"contexts\.(\w+) (\d+)\n", console))
        self.assertGreater(int(counted["pages_out"]), 0)
        self.assertGreater(int(counted["pages_in"]), 0)
        # Correct programs cause no denied access
        self.assertEqual(int(counted["denials"]), 0)

    @staticmethod
    def kept(rounds):
        """What libhauberk/examples/vault.c gives"""
        mask = (1 << 64) - 1
        table, total = [0x0123456789abcdef] + [0] * 510 + [0xfedcba9876543210], 0
        for round_ in range(rounds):
            for i in range(512):
                table[i] = table[i] + (i ^ round_) & mask
                total = total + table[i] & mask
        return total

    def test_a_private_program_is_killed_and_moved(self):
        """A program with private parts, which Linux kills, and moves from hart to hart; each leaves its pages to the next"""
        self.assertEqual(make("libhauberk", "build/vault.sealed.tee").returncode, 0)
        with open(os.path.join(TOP, "libhauberk", "build", "vault.key"), "rb") as file:
            key = file.read().hex()
        built = make("tests/linux", f"CONFIG={CONTEXTS}", "OWN=", "BENCHMARKS=", "WATCHED=",
                     f"JOB=/bin/hauberk-disturbed 3 /bin/hauberk-job /lib/vault.sealed.tee {key}")
        self.assertEqual(built.returncode, 0, built.stdout)
        done, console = self.run_linux(CONTEXTS, ["--max-cycles", "100000000", *AT_ONCE])
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn("hauberk-disturbed: killed 3\n", console)
        answers = [bytes.fromhex(answer) for answer in re.findall(r"hauberk-job: answer ([0-9a-f]+)\n", console)]
        self.assertEqual(answers, [str(self.kept(1000)).encode()])


class Panic(LinuxTest):
    CONFIGS = [BASELINE]

    def test_a_kernel_that_panics_ends_the_run_and_its_console_is_kept(self):
        code, console = self.boot(BASELINE, "rdinit=/no/such/init")
        self.assertEqual(code, RESET, console)
        self.assertIn("Kernel panic - not syncing: No working init found", console)


class Missing(LinuxTest):
    def test_what_is_missing_is_named_with_its_package(self):
        done = make("tests/linux", f"CONFIG={BASELINE}", "LINUX_CROSS=no-such-")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("no-such-gcc is not installed: install gcc-no-such", done.stdout)
        # Where only what the script itself needs is to be found, the kernel's tools are not
        few = os.path.join(self.folder, "bin")
        os.makedirs(few)
        for tool in ["bash", "dirname", "sha256sum", "cut", "make", "riscv64-linux-gnu-gcc", "bison", "bc"]:
            os.symlink(shutil.which(tool), os.path.join(few, tool))
        done = run(os.path.join(LINUX, "kernel"), env={"PATH": few, "HOME": self.folder})
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("flex is missing: install flex", done.stdout)


if __name__ == "__main__":
    sys.exit(unittest.main())
