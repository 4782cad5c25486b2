"""Every rule of firesim/check.py, each broken once in a copy of the files that it reads."""

import os
import re
import shutil
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(TOP, "firesim"))
from check import Check, check_summary


class Copied(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.top = folder.name
        for part in ("firesim", "chipyard", "tests/single", "tests/multicore"):
            shutil.copytree(os.path.join(TOP, part), os.path.join(self.top, part))

    def path(self, file):
        return os.path.join(self.top, file)

    def change(self, file, old, new):
        with open(self.path(file)) as opened:
            text = opened.read()
        self.assertIn(old, text)
        with open(self.path(file), "w") as opened:
            opened.write(text.replace(old, new, 1))

    def remove(self, file, entry):
        """Takes an entry at the top of a YAML file out of it."""
        with open(self.path(file)) as opened:
            text = opened.read()
        rest = re.sub(rf"^{entry}:.*\n(?:    .*\n)*", "", text, flags=re.M)
        self.assertNotEqual(text, rest)
        with open(self.path(file), "w") as opened:
            opened.write(rest)

    def refused(self, *sentences):
        problems = "\n".join(Check(self.top).run())
        for sentence in sentences:
            self.assertIn(sentence, problems)


class FormTest(Copied):
    """What a file may look like."""

    def test_the_files_as_they_are(self):
        self.assertEqual(Check(self.top).run(), [])

    def test_no_yaml(self):
        self.change("firesim/config_hwdb.yaml", "hauberk_rocket_f2:", "hauberk_rocket_f2: [")
        self.refused("config_hwdb.yaml: cannot be read", "expected ',' or ']'")

    def test_no_json(self):
        self.change("firesim/workloads/hauberk-sweep.json", "{", "")
        self.refused("workloads/hauberk-sweep.json: cannot be read", "line 2")

    def test_a_key_twice(self):
        self.change("firesim/config_hwdb.yaml", "hauberk_aegis_otp_f2:", "hauberk_rocket_f2:")
        self.refused("config_hwdb.yaml: cannot be read: the key hauberk_rocket_f2 is there twice")

    def test_a_key_twice_in_json(self):
        self.change("firesim/workloads/hauberk-sweep.json", '"common_rootfs"', '"common_bootbinary"')
        self.refused("the key common_bootbinary is there twice")

    def test_a_file_without_a_schema(self):
        shutil.copy(self.path("firesim/config_hwdb.yaml"), self.path("firesim/other.yaml"))
        self.refused("firesim/other.yaml: has no schema")

    def test_every_schema(self):
        for file, old, new, sentence in (
                ("config_build.yaml", "default_build_dir: /tmp/firesim-build", "build_dir: null", "'default_build_dir' is a required"),
                ("config_build_recipes.yaml", "fpga_frequency: 65", "fpga_frequency: 301", "fpga_frequency: 301 is greater than"),
                ("config_build_recipes.yaml", "build_strategy: TIMING", "build_strategy: FAST", "build_strategy: 'FAST' is not one of"),
                ("config_build_recipes.yaml", "../../firechip", "../../generators/firechip", "TARGET_PROJECT_MAKEFRAG: "),
                ("config_hwdb.yaml", "agfi: NOT_BUILT_YET", "agfi: none", "agfi: 'none' does not match"),
                ("config_hwdb.yaml", "    agfi: NOT_BUILT_YET\n", "", "is not valid under any of the given schemas"),
                ("config_runtime.yaml", "read_rate", "readrate", "autocounter: "),
                ("config_runtime.yaml", "default_platform: XilinxAlveoU250", "default_platform: XilinxAlveoU280", "default_platform: "),
                ("config_runtime_f2.yaml", "- f2.6xlarge", "- f1.2xlarge", "'f1.2xlarge' is not one of"),
                ("workloads/hauberk-linux.yaml", "command: /root/hauberk/run-programs\n", "", "'command' is a required property"),
                ("workloads/hauberk-single.yaml", "bin:", "binary:", "'bin' is a required property"),
                ("workloads/hauberk-sweep.json", '"uartlog",', "", "does not contain items matching")):
            with self.subTest(file=file, new=new):
                self.change(f"firesim/{file}", old, new)
                self.refused(f"firesim/{file}", sentence)
                shutil.copy(os.path.join(TOP, "firesim", file), self.path(f"firesim/{file}"))

    def test_the_summary(self):
        good = '[{"config": "A", "program": "p", "exit_code": 0, "cycles": 1, "instret": 1, "overhead": null, "dram": null,' \
               ' "counter_cache": null, "plaintext_words_in_dram": null, "dram_check": null}]'
        for text, problems in ((good, 0), (good.replace('"dram": null,', ""), 1), (good.replace('"p"', "1"), 1), ("[]", 1)):
            with open(self.path("summary.json"), "w") as file:
                file.write(text)
            self.assertEqual(len(check_summary(self.path("summary.json"))), problems, text)


class RecipesTest(Copied):
    """Bitstreams to build, and where they are."""
    FILE = "firesim/config_build_recipes.yaml"

    def test_no_such_configuration(self):
        self.change(self.FILE, "HauberkYangSncLruRocketConfig", "HauberkYangRocketConfig")
        self.refused("hauberk_yang_snc_lru_f2 has the TARGET_CONFIG chipyard.HauberkYangRocketConfig, and there is no such class")

    def test_a_configuration_that_is_gone(self):
        self.change("chipyard/HauberkConfigs.scala", "class HauberkSenssQuadRocketConfig", "class SenssConfig")
        self.refused("hauberk_senss_quad_u250 has the TARGET_CONFIG chipyard.HauberkSenssQuadRocketConfig")

    def test_no_such_fragment(self):
        self.change("firesim/WithHauberkFireSim.scala", "class WithHauberkFireSim", "class WithFireSim")
        self.refused("has the TARGET_CONFIG WithHauberkFireSim, and there is no such class")

    def test_no_such_platform_configuration(self):
        self.change(self.FILE, "WithAutoCounter_FRFCFS", "WithCounters_FRFCFS")
        self.refused("PLATFORM_CONFIG WithCounters, which is not known to be FireSim's")

    def test_a_mixture_of_platforms(self):
        self.change(self.FILE, "BaseF2Config", "BaseXilinxAlveoU250Config")
        self.change(self.FILE, "PLATFORM: f2", "PLATFORM: xilinx_alveo_u250")
        self.change(self.FILE, "bit-builder-recipes/f2.yaml", "bit-builder-recipes/xilinx_alveo_u250.yaml")
        self.refused("hauberk_rocket_f2 has the PLATFORM_CONFIG of another platform", "hauberk_rocket_f2 has the PLATFORM of another platform",
                     "hauberk_rocket_f2 has the bit_builder_recipe of another platform")

    def test_another_frequency_than_the_baseline(self):
        self.change(self.FILE, "<<: *f2\n    TARGET_CONFIG: WithHauberkFireSim_chipyard.HauberkAegisOtpRocketConfig",
                    "<<: *f2\n    TARGET_CONFIG: WithHauberkFireSim_chipyard.HauberkAegisOtpRocketConfig\n"
                    "    platform_config_args: {fpga_frequency: 80, build_strategy: TIMING}")
        self.refused("has several platform_config_args on f2")

    def test_another_model_of_dram_than_the_baseline(self):
        target = "    TARGET_CONFIG: WithHauberkFireSim_chipyard.HauberkYangSncLruRocketConfig"
        self.change(self.FILE, target, "    PLATFORM_CONFIG: WithAutoCounter_BaseF2Config\n" + target)
        self.refused("has several PLATFORM_CONFIG on f2")

    def test_no_baseline(self):
        self.change(self.FILE, "chipyard.QuadRocketConfig", "chipyard.RocketConfig")
        self.refused("hauberk_bonsai_tree_blocking_quad_f2 has 0 recipes to be compared with", "hauberk_aegis_otp_f2 has 2 recipes to be compared with")

    def test_a_recipe_of_another_configuration(self):
        self.change(self.FILE, "chipyard.HauberkXtsRocketConfig", "chipyard.HauberkXomRocketConfig")
        self.refused("hauberk_xts_f2 builds WithHauberkFireSim_chipyard.HauberkXomRocketConfig, by which it should have another name")

    def test_a_configuration_of_another_size(self):
        presets = "chipyard/HauberkPresetConfigs.scala"
        self.change(presets, "class HauberkXtsQuadRocketConfig extends Config(new WithSimProtection(new WithXts) ++ new QuadRocketConfig",
                    "class HauberkXtsQuadRocketConfig extends Config(new WithSimProtection(new WithXts) ++ new RocketConfig")
        self.refused("HauberkXtsQuadRocketConfig ends with RocketConfig, and not with QuadRocketConfig")

    def test_presets_elsewhere(self):
        os.rename(self.path("chipyard/HauberkPresetConfigs.scala"), self.path("chipyard/Presets.scala"))
        self.refused("has no presets to build")

    def test_a_preset_without_a_recipe(self):
        self.remove(self.FILE, "hauberk_xts_quad_u250")
        self.refused("has no recipe for HauberkXtsQuadRocketConfig on u250")

    def test_no_bitstream_for_a_run(self):
        self.remove("firesim/config_hwdb.yaml", "hauberk_yang_snc_lru_u250")
        self.refused("config_runtime_sweep.yaml: hauberk_yang_snc_lru_u250 is not in config_hwdb.yaml")

    def test_no_recipe_for_a_bitstream(self):
        self.remove(self.FILE, "hauberk_yang_snc_lru_u250")
        self.refused("config_hwdb.yaml: hauberk_yang_snc_lru_u250 is the name of no recipe")

    def test_a_bitstream_of_another_kind(self):
        self.change("firesim/config_hwdb.yaml", "agfi:", "bitstream_tar:")
        self.refused("hauberk_rocket_f2 should have a agfi")

    def test_a_build_without_a_recipe(self):
        self.change("firesim/config_build_f2.yaml", "- hauberk_rocket_f2", "- hauberk_f2")
        self.refused("config_build_f2.yaml: hauberk_f2 is the name of no recipe")


class RunsTest(Copied):
    """Workloads, topologies and what runs them."""

    def test_no_such_hardware(self):
        self.change("firesim/config_runtime.yaml", "default_hw_config: hauberk_aegis_otp_u250", "default_hw_config: hauberk_u250")
        self.refused("config_runtime.yaml: hauberk_u250 is not in config_hwdb.yaml")

    def test_hardware_of_another_platform(self):
        self.change("firesim/config_runtime.yaml", "default_hw_config: hauberk_aegis_otp_u250", "default_hw_config: hauberk_aegis_otp_f2")
        self.refused("hauberk_aegis_otp_f2 does not run on hosts of run-farm-recipes/externally_provisioned.yaml")

    def test_too_few_fpgas(self):
        self.change("firesim/config_runtime_sweep.yaml", "three_fpgas_spec", "two_fpgas_spec")
        self.change("firesim/config_runtime_sweep_f2.yaml", "f2.6xlarge: 3", "f2.6xlarge: 2")
        self.refused("config_runtime_sweep.yaml: has 3 nodes and 2 FPGAs", "config_runtime_sweep_f2.yaml: has 3 nodes and 2 FPGAs")

    def test_no_such_workload(self):
        self.change("firesim/config_runtime.yaml", "hauberk-linux.json", "linux.json")
        self.refused("config_runtime.yaml: has the workload linux.json, which is not in workloads/")

    def test_another_number_of_nodes_than_of_jobs(self):
        self.change("firesim/config_runtime_single_f2.yaml", "no_net_num_nodes: 12", "no_net_num_nodes: 11")
        self.refused("config_runtime_single_f2.yaml: has 11 nodes, and its workload hauberk-single.json has 12 jobs")

    def test_no_such_topology(self):
        self.change("firesim/config_runtime_sweep.yaml", "topology: hauberk_sweep_u250", "topology: sweep")
        self.refused("config_runtime_sweep.yaml: has the topology sweep, which user_topology.py has not")

    def test_another_number_of_nodes_than_of_the_topology(self):
        self.change("firesim/user_topology.py", '"hauberk_rocket_f2", ', "")
        self.refused("config_runtime_sweep_f2.yaml: has 3 nodes, and its topology has 2")

    def test_a_topology_of_what_is_not_there(self):
        self.change("firesim/user_topology.py", "hauberk_yang_snc_lru_u250", "hauberk_yang_u250")
        self.refused("config_runtime_sweep.yaml: hauberk_yang_u250 is not in config_hwdb.yaml")

    def test_a_scheme_twice(self):
        self.change("firesim/user_topology.py", "hauberk_yang_snc_lru_f2", "hauberk_aegis_otp_f2")
        self.refused("user_topology.py: hauberk_sweep_f2 has a scheme twice")

    def test_jobs_in_another_order_than_nodes(self):
        self.change("firesim/user_topology.py", '"hauberk_aegis_otp_f2", "hauberk_yang_snc_lru_f2"', '"hauberk_yang_snc_lru_f2", "hauberk_aegis_otp_f2"')
        self.refused("config_runtime_sweep_f2.yaml: runs the job aegis_otp on hauberk_yang_snc_lru_f2")

    def test_a_workload_by_another_name_than_its_file(self):
        self.change("firesim/workloads/hauberk-linux.yaml", "name: hauberk-linux", "name: hauberk-bare")
        self.refused("workloads/hauberk-linux.yaml: has the name hauberk-bare")

    def test_images_that_nothing_makes(self):
        self.change("firesim/workloads/hauberk-sweep.json", '"hauberk-linux"', '"linux"')
        self.refused("hauberk-sweep.json: is of the images of linux", "common_bootbinary is not what FireMarshal makes of linux")

    def test_parts_that_are_not_there(self):
        for part in ("build.sh", "linux-config", "driver/Makefile", "overlay/root/hauberk/run-programs"):
            os.remove(self.path(f"firesim/workloads/hauberk-linux/{part}"))
        self.refused(*(f"hauberk-linux.yaml: {part} is not in workloads/hauberk-linux"
                       for part in ("build.sh", "linux-config", "driver/Makefile", "overlay/root/hauberk/run-programs")))

    def test_a_program_without_a_job(self):
        shutil.copy(self.path("tests/single/fft.c"), self.path("tests/single/dft.c"))
        self.refused("hauberk-single.yaml: has the jobs", "and tests/single has the programs bitcount, crc32, dft,")

    def test_a_job_that_runs_another_program(self):
        self.change("firesim/workloads/hauberk-single.yaml", "build-htif/fft.riscv", "build/fft.riscv")
        self.refused("hauberk-single.yaml: fft runs ../../../tests/build/fft.riscv")


if __name__ == "__main__":
    unittest.main()
