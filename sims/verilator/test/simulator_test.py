"""Whole SoCs in simulation: programs that must succeed, runs that must be refused, and what the harness says of them."""

import json
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest

TOP = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "..", ".."))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(TOP, "scripts"))
import context_attacks
import environment
from simulation import THOROUGH

GENERATED = os.path.join(TOP, "sims", "verilator", "generated-src")
BOOT_REFUSED = 0xB0
TRAPPED_EARLY = 0xB1
BAD_INPUT = 2
NO_ATTACK = 4
HALTED = 126
MAX_CYCLES = 124

# Runs here are short: what counts is how fast a simulator is built.
os.environ.setdefault("SIM_OPT", "-O1")

# Many times what any run here needs: a SoC that hangs fails its test instead of stopping all of them.
PATIENCE = {"--max-cycles": "20000000"}
# The flush at a run's end zeroes all counters, which takes longer than a short program with DRAM of the default timing.
AT_ONCE = {**PATIENCE, "--dram-latency": "3", "--dram-beat": "1"}

BASELINE = "BaselineRocketConfig"
OTP = "AegisOtpRocketConfig"
OTP_DUAL = "AegisOtpDualRocketConfig"
MODELLED = "WithCipherModel_" + OTP
# Constants of a program in plaintext, its data and results of a second context, and what is behind them in plaintext again
REGIONS_DUAL = ("WithPlaintextRegion-0x80001000-4096_WithContextRegion-0x80002000-4096_"
                "WithPlaintextRegion-0x80003000-65536_" + OTP_DUAL)
LOG = "AegisLogHashRocketConfig"
CACHED = "WithLastLevelCache-64_WithPostedWrites_BonsaiTreeRocketConfig"
# Both in a simulator
CACHED_LOG = "WithLastLevelCache-64_WithPostedWrites_" + LOG
CONTEXTS_DUAL = "WithSecureContexts-3_WithContextGuard_BonsaiTreeDualRocketConfig"
# A simulator less to build
TREE = CONTEXTS_DUAL
CONTEXTS_DMA = "WithTestDma_" + CONTEXTS_DUAL


# What takes simulators more to build, or long
thorough = unittest.skipUnless(THOROUGH, "make test-thorough has it")


def make(*arguments):
    return subprocess.run(["make", "--no-print-directory", "-C", os.path.join(TOP, "sims", "verilator"), *arguments],
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors="replace")


def sim_flags(options):
    """For make: options of the simulator, which are {option: value}."""
    return "EXTRA_SIM_FLAGS=" + " ".join(f"{option} {value}" for option, value in options.items())


def program(name):
    return os.path.join(TOP, "tests", "build", name + ".riscv")


def load(*path):
    with open(os.path.join(*path)) as file:
        return json.load(file)


def mix64(index):
    """What the programs fill their memory with (tests/runtime/hauberk.h)."""
    mask = (1 << 64) - 1
    z = (index + 1) * 0x9E3779B97F4A7C15 & mask
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & mask
    z = (z ^ z >> 27) * 0x94D049BB133111EB & mask
    return z ^ z >> 31


class SimulatorTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="hauberk-test-")
        self.addCleanup(shutil.rmtree, self.folder)

    def run_binary(self, config, name, options=AT_ONCE, **variables):
        """Packages, runs and checks a program; the finished make and the folder of the run."""
        folder = os.path.join(self.folder, config + "-" + name)
        done = make("run-binary", f"CONFIG={config}", f"BINARY={program(name)}", f"RUN_DIR={folder}", sim_flags(options),
                    *(f"{key}={value}" for key, value in variables.items()))
        return done, folder

    def succeed(self, config, name, options=AT_ONCE):
        done, folder = self.run_binary(config, name, options)
        self.assertEqual(done.returncode, 0, done.stdout)
        record = load(folder, "run.json")
        self.assertEqual((record["config"], record["program"]), (config, name))
        self.assertEqual((record["ending"], record["exit_code"]), ("finished", 0))
        self.assertFalse(record["protector"]["alarm"])
        return record, folder

    def by_the_page(self, folder):
        """Decrypts and verifies the dump of a run, and refuses changed ones, by docs/formats.md alone; its counts of image blocks, written blocks and tags."""
        done = subprocess.run(["/usr/bin/python3", os.path.join(TOP, "tests", "formats", "dump.py"), "--mutants", folder],
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.assertEqual(done.returncode, 0, done.stdout)
        return [int(count) for count in re.findall(r"(\d+) (?:blocks of the image|written blocks|tags)", done.stdout)]

    def simulate(self, config, *arguments, simulator=None):
        """The simulator itself, or that of another configuration."""
        for option, value in AT_ONCE.items():
            if option not in arguments:
                arguments = (*arguments, option, value)
        return subprocess.run([os.path.join(GENERATED, simulator or config, "simulator"), "--config-json",
                               os.path.join(GENERATED, config, config + ".json"), *arguments],
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              errors="replace")


class Programs(SimulatorTest):
    def test_baseline_runs_in_the_clear(self):
        record, folder = self.succeed(BASELINE, "quicksort")
        traffic = record["dram"]
        self.assertGreater(traffic["data_reads"], 0)
        self.assertGreater(traffic["data_writes"], 0)
        self.assertEqual((traffic["metadata_reads"], traffic["metadata_writes"]), (0, 0))
        self.assertEqual((record["initialisation_cycles"], traffic["initialisation_writes"]), (0, 0))
        self.assertEqual(record["entropy"]["words"], [])
        with open(os.path.join(folder, "uart.log")) as log:
            self.assertRegex(log.read(), r"checksum [0-9a-f]{16}\ncycles \d+\ninstret \d+\n")

    def protected(self, config, name, entropy_words=2, options=AT_ONCE):
        record, folder = self.succeed(config, name, options)
        self.assertEqual(record["plaintext_writes"], 0)
        self.assertEqual(len(record["entropy"]["words"]), entropy_words)
        self.assertGreater(record["protector"]["pads"], 0)
        # The protector can be armed after its tables on the chip are cleared. The flush at the end leaves no counter line to zero.
        self.assertLess(record["initialisation_cycles"], 1000)
        soc = load(GENERATED, config, config + ".json")
        counters = sum(array["lines"] for array in soc["arrays"] if array["kind"] == "counter") * len(soc["banks"])
        guarded = soc["metadata"]["tree"] == "counters"
        self.assertEqual(record["dram"]["initialisation_writes"], 0 if guarded else counters)
        self.assertGreater(record["dram"]["metadata_reads"], 0)
        self.assertGreater(record["dram"]["metadata_writes"], 0)
        return record, folder

    # covers: soc.dram-ciphertext
    def test_one_time_pad_runs_from_ciphertext(self):
        record, folder = self.protected(OTP, "quicksort")
        self.assertGreater(record["counter_cache"]["hits"], 0)
        self.assertGreater(record["counter_cache"]["misses"], 0)
        image, written, tags = self.by_the_page(folder)
        self.assertTrue(image > 0 and written > 0 and tags == 0)

    def logged(self, config):
        record, folder = self.protected(config, "quicksort")
        self.assertGreater(record["protector"]["verified"], 0)
        image, written, tags = self.by_the_page(folder)
        self.assertTrue(image > 0 and written > 0 and tags == image)
        self.assertGreater(load(folder, "check.json")["checked"]["tags_verified"], 0)
        return record

    def is_cached(self, record):
        self.assertTrue(all(record["lastLevelCache"][counter] > 0 for counter in ("hits", "misses", "writebacks")))

    def test_a_log_of_accesses_behind_a_last_level_cache_is_checked_before_anything_leaves_the_chip(self):
        self.is_cached(self.logged(CACHED_LOG))

    @thorough
    def test_a_log_of_accesses_is_checked_before_anything_leaves_the_chip(self):
        self.logged(LOG)

    @thorough
    def test_a_last_level_cache_is_flushed_before_the_protector_behind_it(self):
        record, folder = self.protected(CACHED, "quicksort", options=PATIENCE)
        self.is_cached(record)
        image, written, tags = self.by_the_page(folder)
        self.assertTrue(image > 0 and written > 0 and tags == image + written)

    def test_a_counter_tree_verifies_what_a_program_reads(self):
        record, folder = self.protected(TREE, "quicksort")
        image, written, tags = self.by_the_page(folder)
        self.assertTrue(image > 0 and written > 0 and tags == image + written)
        self.assertGreater(record["protector"]["verified"], 0)
        self.assertGreater(record["protector"]["node_misses"], 0)
        self.assertGreater(load(folder, "check.json")["checked"]["tags_verified"], 0)

    def test_two_protected_cores_share_memory(self):
        record, folder = self.protected(REGIONS_DUAL, "spinlock", entropy_words=4)
        self.by_the_page(folder)
        self.assertEqual(len(record["cores"]), 2)
        for core in record["cores"]:
            self.assertGreater(core["retired"], 0)

    def test_two_cores_stay_coherent(self):
        # Its code is protected, what its harts share is in the region in plaintext
        self.succeed(REGIONS_DUAL, "coherence-1000")

    def test_a_page_of_a_secure_context_is_kept_from_strangers_on_every_hart(self):
        record, folder = self.succeed(CONTEXTS_DUAL, "contexts")
        self.assertEqual(record["plaintext_writes"], 0)
        image, written, tags = self.by_the_page(folder)
        self.assertTrue(image > 0 and written > 0 and tags == image + written)

    # covers: soc.other-masters
    def test_a_dma_master_gets_nothing_of_secure_contexts(self):
        for name in "dma", "secure-context-dma":
            with self.subTest(name):
                record, _ = self.succeed(CONTEXTS_DMA, name)
                self.assertEqual(record["plaintext_writes"], 0)

    # covers: monitor.kernel
    def test_a_kernel_gets_nothing_of_secure_contexts(self):
        self.attacked_by("secure-context-small", "H(Entry), H(Prog)")

    @thorough
    # covers: monitor.kernel
    def test_a_kernel_gets_nothing_of_secure_contexts_whatever_it_tries(self):
        self.attacked_by("secure-contexts", "H(Entry), H(Large14), H(Large15), H(Large46), H(Private), H(Prog)")

    @thorough
    # covers: monitor.messages
    def test_messages_of_secure_contexts_are_their_processors_and_no_others(self):
        self.attacked_by("secure-context-messages", "key, signature", {**AT_ONCE, "--max-cycles": "60000000", "--credentials": context_attacks.CREDENTIALS})

    @thorough
    # covers: monitor.programs
    def test_a_program_that_computes_is_as_fast_in_a_secure_context(self):
        self.succeed(CONTEXTS_DUAL, "secure-context-costs")

    def attacked_by(self, kernel, shown, options=AT_ONCE):
        record, folder = self.succeed(CONTEXTS_DUAL, kernel, options)
        self.assertEqual(record["plaintext_writes"], 0)
        # H(Prog) of docs/contexts.md
        python = environment.python("attest/requirements.txt", "what checks signatures")
        done = subprocess.run([python, os.path.join(TOP, "tests", "contexts", "system", "check.py"), os.path.join(folder, "uart.log")],
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.assertEqual((done.returncode, done.stdout.strip()), (0, f"good: {shown}"), done.stdout)

    # covers: monitor.dram
    def test_attacks_in_dram_on_secure_contexts_are_detected(self):
        for row in context_attacks.in_dram(context_attacks.Machine(CONTEXTS_DUAL, self.folder)):
            with self.subTest(row["variant"]):
                self.assertTrue(row["met"], row["complaint"])

    # covers: monitor.held-answers
    def test_a_context_tells_nothing_by_addresses_when_memory_holds_answers(self):
        for row in context_attacks.by_held_answers(context_attacks.Machine(CONTEXTS_DUAL, self.folder)):
            with self.subTest(row["variant"]):
                self.assertTrue(row["met"], row["complaint"])

    def test_forged_first_instructions_do_not_run_when_memory_holds_their_tag(self):
        row = context_attacks.at_boot(context_attacks.Machine(CONTEXTS_DUAL, self.folder))
        self.assertTrue(row["met"], row["complaint"])

    @thorough
    # covers: monitor.random-calls
    def test_random_calls_get_nothing_of_secure_contexts(self):
        row = context_attacks.at_random(context_attacks.Machine(CONTEXTS_DUAL, self.folder), seed=1, rounds=4)
        self.assertTrue(row["met"], row["complaint"])

    def test_plaintext_is_in_its_region_and_nowhere_else(self):
        _, folder = self.protected(REGIONS_DUAL, "quicksort", entropy_words=4)
        self.by_the_page(folder)
        checked = load(folder, "check.json")["checked"]
        # The page of constants, as far as it is in the image, and of the second context a block of data and eight of results
        self.assertEqual((checked["blocks_in_plaintext_region"], checked["blocks_of_second_context"]), (64, 9))
        self.assertGreater(checked["read_only_bytes"], 0)
        self.assertEqual(checked["result_bytes"], 512)
        with open(os.path.join(folder, "dram.bin"), "rb") as file:
            dram = file.read()
        words = struct.unpack(f"<{len(dram) // 8}Q", dram)
        keys = {mix64(index) for index in range(4096)}
        found = [(8 * index, word) for index, word in enumerate(words) if word in keys]
        # Of the sorted keys, those in the region are as the program left them, and of the others there is none
        self.assertGreater(len(found), 3000)
        self.assertEqual([word for _, word in found], sorted(keys)[-len(found):])
        self.assertEqual([address for address, _ in found], [0x3000 + 8 * index for index in range(len(found))])

    def test_a_program_that_fails_makes_the_run_fail(self):
        done, folder = self.run_binary(BASELINE, "fault")
        self.assertNotEqual(done.returncode, 0)
        self.assertNotEqual(load(folder, "run.json")["exit_code"], 0)


class Harness(SimulatorTest):
    def package(self, config, name="hello"):
        _, folder = self.succeed(config, name)
        return os.path.join(folder, name + ".pkg")

    def test_a_run_repeats_from_its_seed(self):
        package = self.package(OTP)
        dumps = []
        for seed in ["7", "7", "8"]:
            path = os.path.join(self.folder, "dump")
            done = self.simulate(OTP, package, "--entropy-seed", seed, "--dump", path)
            self.assertEqual(done.returncode, 0, done.stdout)
            with open(path, "rb") as file:
                dumps.append(file.read())
        self.assertEqual(dumps[0], dumps[1])
        self.assertNotEqual(dumps[0], dumps[2], "another dynamic key must give other ciphertext")

    def test_memory_timing_is_a_run_time_option(self):
        package = self.package(BASELINE)
        cycles = []
        for latency in ["20", "200"]:
            path = os.path.join(self.folder, "run.json")
            done = self.simulate(BASELINE, package, "--dram-latency", latency, "--stats", path)
            self.assertEqual(done.returncode, 0, done.stdout)
            cycles.append(load(path)["cycles"])
        self.assertGreater(cycles[1], cycles[0])

    def test_memory_may_answer_in_any_order(self):
        package = self.package(TREE)
        path, log = (os.path.join(self.folder, name) for name in ("run.json", "addresses"))
        cycles = []
        for seed in ["0", "1"]:
            done = self.simulate(TREE, package, "--dram-latency", "40", "--dram-reorder", seed, "--entropy-seed", "1", "--stats", path, "--address-log", log)
            self.assertEqual(done.returncode, 0, done.stdout)
            self.assertIn("Hello", done.stdout)
            record = load(path)
            cycles.append(record["cycles"])
        self.assertNotEqual(cycles[0], cycles[1])
        with open(log) as file:
            requests = [line.split() for line in file]
        metadata = load(GENERATED, TREE, TREE + ".json")["dataBytes"] + 0x80000000
        reads = [int(address, 16) for _, what, address, *_ in requests if what == "read"]
        self.assertEqual(sum(address < metadata for address in reads), record["dram"]["data_reads"])
        times = [int(cycle) for cycle, *_ in requests]
        self.assertEqual(times, sorted(times))

    def test_the_wrong_device_key_is_refused_by_the_boot_rom(self):
        package = self.package(OTP)
        done = self.simulate(OTP, package, "--device-key", "0" * 32)
        self.assertEqual(done.returncode, BOOT_REFUSED, done.stdout)
        self.assertIn("does not unwrap", done.stdout)
        self.assertNotIn("Hello", done.stdout)

    def test_a_package_that_is_not_the_vendors_halts_the_protector_before_it_prints(self):
        package = self.package(TREE)
        header = load(package, "header.json")
        for change in ["imageBlocks", "tags"]:
            spoiled = os.path.join(self.folder, change)
            shutil.copytree(package, spoiled)
            if change == "imageBlocks":
                with open(os.path.join(spoiled, "header.json"), "w") as file:
                    json.dump({**header, "imageBlocks": header["imageBlocks"] + 1}, file)
            else:
                with open(os.path.join(spoiled, "tags.bin"), "r+b") as file:
                    first = file.read(1)[0]
                    file.seek(0)
                    file.write(bytes([first ^ 1]))
            path = os.path.join(self.folder, "run.json")
            done = self.simulate(TREE, spoiled, "--stats", path)
            self.assertEqual(done.returncode, HALTED, done.stdout)
            self.assertIn("block mismatch", done.stdout)
            self.assertNotIn("Hello", done.stdout)
            record = load(path)
            self.assertEqual((record["ending"], record["protector"]["alarm_cause"]), ("halted", "block mismatch"))

    def test_a_branch_is_what_the_attack_makes_of_the_run_and_leaves_the_run_alone(self):
        package = self.package(OTP)
        attack = "random:addr=0x80000000,at=1000,bytes=65536"
        records = {}
        for name, flags in {"calm": [], "attacked": ["--attack", attack], "trunk": ["--branch", "twig=" + attack]}.items():
            stem = os.path.join(self.folder, name)
            self.simulate(OTP, package, "--entropy-seed", "7", "--max-cycles", "500000", "--stats", stem + ".json", "--uart-log", stem + ".log",
                          *flags)
        for name in ["calm", "attacked", "trunk", "trunk-twig"]:
            record = load(self.folder, name + ".json")
            with open(os.path.join(self.folder, name + ".log"), errors="replace") as file:
                record["console"] = file.read()
            for own in ["wall_seconds", "cpu_seconds", "kHz", "kHz_cpu", "uart_log"]:
                del record[own]
            records[name] = record
        self.assertEqual(records["trunk"], records["calm"])
        self.assertEqual(records["trunk-twig"], records["attacked"])
        self.assertNotEqual(records["attacked"]["exit_code"], records["calm"]["exit_code"])
        self.assertGreater(records["attacked"]["attacks"][0]["bytes_changed"], 0)

    def test_a_branch_that_cannot_be_is_refused(self):
        package = self.package(BASELINE)
        for branch, complaint in [("flip:addr=0x80000000,at=5,bit=1", "write NAME=KIND"), ("a/b=flip:addr=1,at=1,bit=1", "write NAME=KIND"),
                                  ("a=bus-drop:transfer=1", "no cycle to begin at"), ("a=", "no attack behind the name"),
                                  ("a=flip:addr=0x80000000,at=5,bit=1;bus-drop:transfer=1", "no cycle to begin at"), ("a=flip:addr=0x10,at=5,bit=1", "outside the memory")]:
            done = self.simulate(BASELINE, package, "--branch", branch)
            self.assertEqual(done.returncode, BAD_INPUT, done.stdout)
            self.assertIn(complaint, done.stdout)
        twice = ["--branch", "a=flip:addr=0x80000000,at=5,bit=1"] * 2
        self.assertIn("two have the name a", self.simulate(BASELINE, package, *twice).stdout)

    def test_a_program_that_traps_before_it_sets_mtvec_is_not_taken_for_a_bad_key(self):
        elf = os.path.join(self.folder, "early.riscv")
        subprocess.run(["riscv64-unknown-elf-gcc", "-nostdlib", "-static", "-Wl,-n,-Ttext=0x80000000", "-o", elf, "-x", "assembler", "-"],
                       input=".globl _start\n_start: .word 0\n", text=True, check=True)
        done = make("run-binary", f"CONFIG={OTP}", f"BINARY={elf}", f"RUN_DIR={self.folder}/run", sim_flags(AT_ONCE))
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("trapped before it set mtvec", done.stdout)
        self.assertNotIn("unwrap", done.stdout)
        self.assertEqual(load(self.folder, "run", "run.json")["exit_code"], TRAPPED_EARLY)

    def test_an_attack_after_the_end_of_the_run_was_none(self):
        package = self.package(BASELINE)
        late = "flip:addr=0x80000000,at=15000000,bit=1"
        for flags in [["--attack", late], ["--branch", "twig=" + late]]:
            done = self.simulate(BASELINE, package, *flags)
            self.assertEqual(done.returncode, NO_ATTACK, done.stdout)
            self.assertIn(f"{late} never began", done.stdout)

    def test_what_cannot_be_written_is_refused_before_the_run(self):
        package = self.package(BASELINE)
        for option in ["--stats", "--dump", "--uart-log", "--address-log"]:
            done = self.simulate(BASELINE, package, option, os.path.join(self.folder, "no", "such"))
            self.assertEqual(done.returncode, BAD_INPUT, done.stdout)
            self.assertIn("cannot write", done.stdout)
            self.assertNotIn("Hello", done.stdout)

    def test_a_full_disk_is_reported(self):
        package = self.package(BASELINE)
        for option, complaint in [("--stats", "cannot write"), ("--dump", "cannot write"), ("--uart-log", "is not whole"), ("--address-log", "is not whole")]:
            done = self.simulate(BASELINE, package, option, "/dev/full")
            self.assertEqual(done.returncode, BAD_INPUT, done.stdout)
            self.assertIn(complaint, done.stdout)
            self.assertIn("Hello", done.stdout)

    def test_attacks_on_a_bus_need_one(self):
        done = self.simulate(BASELINE, self.package(BASELINE), "--attack", "bus-drop:transfer=1")
        self.assertEqual(done.returncode, BAD_INPUT, done.stdout)
        self.assertIn("no bus outside its chips", done.stdout)

    def test_max_cycles_says_where_every_core_was(self):
        package = self.package(BASELINE)
        path = os.path.join(self.folder, "run.json")
        done = self.simulate(BASELINE, package, "--max-cycles", "5000", "--stats", path)
        self.assertEqual(done.returncode, MAX_CYCLES, done.stdout)
        self.assertRegex(done.stdout, r"core 0 is at pc 0x[0-9a-f]{16} and has retired [1-9]\d* instructions")
        self.assertEqual(load(path)["cycles"], 5000)

    def test_plaintext_written_in_the_clear_is_seen(self):
        package = self.package(BASELINE)
        watched = os.path.join(self.folder, "watched")
        dump = os.path.join(self.folder, "dump")
        self.assertEqual(self.simulate(BASELINE, package, "--dump", dump).returncode, 0)
        # What the baseline leaves in DRAM is what it wrote there in the clear.
        shutil.move(dump, watched)
        path = os.path.join(self.folder, "run.json")
        self.assertEqual(self.simulate(BASELINE, package, "--watch", watched, "--stats", path).returncode, 0)
        self.assertGreater(load(path)["plaintext_writes"], 0)


class CipherModel(SimulatorTest):
    @thorough
    def test_ciphers_in_cpp_change_no_cycle_and_no_bit(self):
        _, folder = self.succeed(OTP, "hello")
        package = os.path.join(folder, "hello.pkg")
        records, dumps = [], []
        for simulator in [OTP, MODELLED]:
            stats, dump = (os.path.join(self.folder, simulator + end) for end in (".json", ".dram"))
            done = self.simulate(OTP, package, "--entropy-seed", "7", "--stats", stats, "--dump", dump, simulator=simulator)
            self.assertEqual(done.returncode, 0, done.stdout)
            record = load(stats)
            records.append({name: record[name] for name in ("cycles", "initialisation_cycles", "cores", "dram", "protector")})
            with open(dump, "rb") as file:
                dumps.append(file.read())
        self.assertEqual(*records)
        self.assertTrue(dumps[0] == dumps[1], "the ciphertext in DRAM differs")

    @thorough
    def test_fast_crypto_is_a_configuration_of_its_own(self):
        done, folder = self.run_binary(OTP, "hello", FAST_CRYPTO="1")
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertEqual(load(folder, "run.json")["config"], MODELLED)

    def test_what_is_neither_on_nor_off_is_refused(self):
        done = make("verilog", f"CONFIG={OTP}", "FAST_CRYPTO=yes")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn('FAST_CRYPTO is "yes": set it to 1', done.stdout)


class BadInput(SimulatorTest):
    def refused(self, done, *texts):
        self.assertNotEqual(done.returncode, 0, done.stdout)
        for text in texts:
            self.assertIn(text, done.stdout)

    def test_unknown_configuration_lists_the_known_ones(self):
        self.refused(make("CONFIG=NoSuchConfig"), "unknown configuration NoSuchConfig", BASELINE, OTP_DUAL)
        self.assertFalse(os.path.exists(os.path.join(GENERATED, "NoSuchConfig", "elaborated")))

    def test_missing_binary(self):
        self.refused(make("run-binary", f"CONFIG={BASELINE}"), "BINARY is missing")

    def test_binary_that_is_not_there(self):
        self.refused(make("run-binary", f"CONFIG={BASELINE}", "BINARY=no/such.riscv"), "there is no program no/such.riscv")

    def test_a_folder_that_no_run_made_is_left_alone(self):
        folder = os.path.join(self.folder, "my results")
        os.makedirs(folder)
        open(os.path.join(folder, "thesis.tex"), "w").close()
        done = make("run-binary", f"CONFIG={BASELINE}", f"BINARY={program('hello')}", f"RUN_DIR={folder}")
        self.refused(done, "no run of Hauberk made it")
        self.assertEqual(os.listdir(folder), ["thesis.tex"])

    def test_binary_that_is_not_for_this_machine(self):
        self.refused(make("run-binary", f"CONFIG={BASELINE}", "BINARY=/bin/true", f"RUN_DIR={self.folder}/run"),
                     "not RISC-V: compile it for RV64")

    def test_package_for_another_configuration(self):
        folder = os.path.join(self.folder, "run")
        done = make("run-binary", f"CONFIG={OTP}", f"BINARY={program('hello')}", f"RUN_DIR={folder}")
        self.assertEqual(done.returncode, 0, done.stdout)
        done = self.simulate(BASELINE, os.path.join(folder, "hello.pkg"))
        self.refused(done, f"the package was made for {OTP}, but this simulator is {BASELINE}")
        self.assertEqual(done.returncode, BAD_INPUT)

    def test_sealed_program_on_a_soc_that_does_not_decrypt(self):
        sealed = os.path.join(self.folder, "sealed.riscv")
        subprocess.run([os.path.join(TOP, "scripts", "hauberk-seal"), "--elf", program("sealed"), "--out", sealed, "--mode", "counter",
                        "--sections", ".sealed"], check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        done = make("run-binary", f"CONFIG={BASELINE}", f"BINARY={sealed}", f"RUN_DIR={self.folder}/run", sim_flags(AT_ONCE))
        self.refused(done, "sealed: the program is sealed, and this SoC does not decrypt instructions")

    def test_options(self):
        done = self.simulate(BASELINE, self.folder, "--dram-latency", "2")
        self.refused(done, "--dram-latency")
        self.assertEqual(done.returncode, BAD_INPUT)
        done = self.simulate(BASELINE, self.folder)
        self.refused(done, "header.json")
        self.assertEqual(done.returncode, BAD_INPUT)
        self.refused(self.simulate(BASELINE), "name a program package")


def setUpModule():
    subprocess.run(["make", "--no-print-directory", "-s", "-C", os.path.join(TOP, "tests")], check=True,
                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    for config in [BASELINE, OTP, REGIONS_DUAL, TREE, CACHED_LOG] + [MODELLED, LOG, CACHED] * THOROUGH:
        done = make(f"CONFIG={config}")
        if done.returncode != 0:
            raise RuntimeError(f"{config} does not build:\n{done.stdout}")


if __name__ == "__main__":
    unittest.main()
