"""Checks what is in firesim/ without FireSim: every YAML and JSON file against its schema, and that the files agree with each other, with the
configurations of chipyard/ and with the programs of tests/.

firesim/check.py [--summary SUMMARY_JSON]

With --summary it checks a summary.json of `scripts/study firesim` instead. Prints a line for each problem, and fails if there is one.
"""

import argparse
import ast
import glob
import os
import re
import sys
import types

sys.dont_write_bytecode = True
from documents import UNREADABLE, load, schema, violations

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

# Which file has which schema; the last that fits counts
SCHEMAS = [
    (r"config_build(_\w+)?\.yaml", "config_build"),
    (r"config_build_recipes\.yaml", "config_build_recipes"),
    (r"config_hwdb\.yaml", "config_hwdb"),
    (r"config_runtime(_\w+)?\.yaml", "config_runtime"),
    (r"workloads/[\w-]+\.yaml", "marshal_workload"),
    (r"workloads/[\w-]+\.json", "firesim_workload"),
]

# Not ours: of Chipyard, by the names in its package chipyard, and of FireSim
CHIPYARD_CONFIGS = {"RocketConfig", "QuadRocketConfig"}
FIRESIM_CONFIGS = {"WithAutoCounter", "FRFCFS16GBQuadRank", "BaseF2Config", "BaseXilinxAlveoU250Config"}

# The file of chipyard/ whose configurations of Rocket cores all have recipes
PRESETS = "HauberkPresetConfigs.scala"

# What the end of a recipe's name says of it
PLATFORMS = {
    "f2": {"PLATFORM": "f2", "base": "BaseF2Config", "bit_builder_recipe": "bit-builder-recipes/f2.yaml", "bitstream": "agfi",
           "farm": "run-farm-recipes/aws_ec2.yaml"},
    "u250": {"PLATFORM": "xilinx_alveo_u250", "base": "BaseXilinxAlveoU250Config",
             "bit_builder_recipe": "bit-builder-recipes/xilinx_alveo_u250.yaml", "bitstream": "bitstream_tar",
             "farm": "run-farm-recipes/externally_provisioned.yaml"},
}
# FPGAs of a kind of host, by FireSim's run farm recipes
FPGAS = {"f2.6xlarge": 1, "f2.12xlarge": 2, "f2.48xlarge": 8,
         "one_fpga_spec": 1, "two_fpgas_spec": 2, "three_fpgas_spec": 3, "four_fpgas_spec": 4}


class Check:
    """All files of a repository's firesim/, and what is wrong with them."""

    def __init__(self, top=TOP):
        self.top, self.folder, self.problems, self.documents = top, os.path.join(top, "firesim"), [], {}

    def require(self, holds, file, sentence):
        if not holds:
            self.problems.append(f"firesim/{file}: {sentence}")

    def run(self):
        self.load_all()
        # Of what has not the shape that it should have, nothing else can be said
        if not self.problems:
            self.names()
            self.recipes()
            self.hardware()
            self.builds()
            self.workloads()
            self.runtimes()
        return self.problems

    def load_all(self):
        for extension in ("yaml", "json"):
            for path in sorted(glob.glob(os.path.join(self.folder, "**", "*." + extension), recursive=True)):
                name = os.path.relpath(path, self.folder)
                if not name.startswith("schemas/"):
                    self.load_one(path, name)

    def load_one(self, path, name):
        try:
            document = load(path)
        except UNREADABLE as error:
            return self.require(False, name, f"cannot be read: {' '.join(str(error).split())}")
        rules = [rules for pattern, rules in SCHEMAS if re.fullmatch(pattern, name)]
        if not rules:
            return self.require(False, name, "has no schema: name one in firesim/check.py")
        for violation in violations(document, schema(self.folder, rules[-1])):
            self.require(False, name, violation)
        self.documents[name] = document

    def files(self, pattern):
        return {name: document for name, document in self.documents.items() if re.fullmatch(pattern, name)}

    def names(self):
        """The configurations there are, and what each of ours is compared with: the one that it ends with."""
        file = "config_build_recipes.yaml"
        self.chipyard, self.firechip, self.baseline, self.presets = set(CHIPYARD_CONFIGS), set(), {}, []
        for path in glob.glob(os.path.join(self.top, "chipyard", "*.scala")):
            for name, body in classes(path):
                self.chipyard.add(name)
                if name.endswith("Config"):
                    self.baseline[name] = re.findall(r"new (\w+)", body)[-1]
                    if os.path.basename(path) == PRESETS and name.endswith("RocketConfig"):
                        self.presets.append(name)
                        base = "QuadRocketConfig" if name.endswith("QuadRocketConfig") else "RocketConfig"
                        self.require(self.baseline[name] == base, file, f"{name} ends with {self.baseline[name]}, and not with {base}")
        for path in glob.glob(os.path.join(self.folder, "*.scala")):
            self.firechip |= {name for name, _ in classes(path)}

    def recipes(self):
        file = "config_build_recipes.yaml"
        self.all_recipes = self.documents[file]
        for name, recipe in self.all_recipes.items():
            platform = PLATFORMS[name.rsplit("_", 1)[1]]
            for part in recipe["TARGET_CONFIG"].split("_"):
                known = part[len("chipyard."):] in self.chipyard if part.startswith("chipyard.") else part in self.firechip
                self.require(known, file, f"{name} has the TARGET_CONFIG {part}, and there is no such class")
            parts = recipe["PLATFORM_CONFIG"].split("_")
            for part in parts:
                self.require(part in FIRESIM_CONFIGS, file, f"{name} has the PLATFORM_CONFIG {part}, which is not known to be FireSim's")
            self.require(parts[-1] == platform["base"], file, f"{name} has the PLATFORM_CONFIG of another platform: {parts[-1]}")
            for key in ("PLATFORM", "bit_builder_recipe"):
                self.require(recipe[key] == platform[key], file, f"{name} has the {key} of another platform: {recipe[key]}")
            self.require(name == recipe_of(recipe["TARGET_CONFIG"].rsplit(".", 1)[-1]) + name.rsplit("_", 1)[1], file,
                         f"{name} builds {recipe['TARGET_CONFIG']}, by which it should have another name")
            self.compared(file, name, recipe)
        self.require(self.presets, file, f"has no presets to build: there is none in chipyard/{PRESETS}")
        for end, platform in PLATFORMS.items():
            recipes = {name: recipe for name, recipe in self.all_recipes.items() if recipe["PLATFORM"] == platform["PLATFORM"]}
            for config in self.presets:
                self.require(recipe_of(config) + end in recipes, file, f"has no recipe for {config} on {end}")
            for key in ("platform_config_args", "PLATFORM_CONFIG"):
                values = [recipe[key] for recipe in recipes.values()]
                self.require(all(value == values[0] for value in values), file, f"has several {key} on {end}, so that its runs cannot be compared")

    def compared(self, file, name, recipe):
        """A protected configuration has a recipe to be compared with."""
        own = recipe["TARGET_CONFIG"].rsplit(".", 1)[-1]
        if own not in self.baseline:
            return
        target = recipe["TARGET_CONFIG"][:-len(own)] + self.baseline[own]
        same_platform = [other for other in self.all_recipes.values() if other["PLATFORM"] == recipe["PLATFORM"]]
        baselines = [other for other in same_platform if other["TARGET_CONFIG"] == target]
        self.require(len(baselines) == 1, file, f"{name} has {len(baselines)} recipes to be compared with: one should have the "
                                                f"TARGET_CONFIG {target}")

    def hardware(self):
        file = "config_hwdb.yaml"
        self.hwdb = self.documents[file]
        for name, entry in self.hwdb.items():
            if name not in self.all_recipes:
                self.require(False, file, f"{name} is the name of no recipe")
            else:
                kind = PLATFORMS[name.rsplit("_", 1)[1]]["bitstream"]
                self.require(kind in entry, file, f"{name} should have a {kind}, by its platform")

    def builds(self):
        for file, document in self.files(r"config_build(_(?!recipes)\w+)?\.yaml").items():
            for name in document["builds_to_run"]:
                self.require(name in self.all_recipes, file, f"{name} is the name of no recipe")

    def workloads(self):
        """The jobs of every workload, by the name that FireSim has for it; none for a workload that every node runs alike."""
        self.jobs = {}
        marshal = self.files(r"workloads/.*\.yaml")
        for file, document in marshal.items():
            name = document["name"]
            self.require(file == f"workloads/{name}.yaml", file, f"has the name {name}: FireMarshal finds a workload by its file")
            self.jobs[name + ".json"] = [job["name"] for job in document["jobs"]] if "jobs" in document else None
            self.parts(file, document)
        for file, document in self.files(r"workloads/.*\.json").items():
            made = document["benchmark_name"]
            self.require(f"workloads/{made}.yaml" in marshal, file, f"is of the images of {made}, for which FireMarshal has no workload here")
            for key, end in (("common_bootbinary", "-bin"), ("common_rootfs", ".img")):
                self.require(document[key].endswith(f"/{made}/{made}{end}"), file, f"{key} is not what FireMarshal makes of {made}")
            self.jobs[os.path.basename(file)] = [job["name"] for job in document["workloads"]]

    def parts(self, file, document):
        """What a FireMarshal workload names is there."""
        workdir = os.path.join(self.folder, "workloads", document.get("workdir", document["name"]))
        linux = document.get("linux", {})
        named = [document[key] for key in ("host-init", "overlay") if key in document] + ([linux["config"]] if linux else [])
        # FireMarshal calls make in the folder of a module
        named += [os.path.join(module, "Makefile") for module in linux.get("modules", {}).values()]
        if "command" in document:
            named.append(document["overlay"] + document["command"])
        for path in named:
            self.require(os.path.exists(os.path.join(workdir, path)), file, f"{path} is not in {os.path.relpath(workdir, self.folder)}")
        if "jobs" in document:
            kind = document["name"][len("hauberk-"):]
            programs = sorted(os.path.basename(path)[:-2] for path in glob.glob(os.path.join(self.top, "tests", kind, "*.c")))
            jobs = [job["name"] for job in document["jobs"]]
            self.require(jobs == programs, file, f"has the jobs {', '.join(jobs)}, and tests/{kind} has the programs {', '.join(programs)}")
            for job in document["jobs"]:
                self.require(job["bin"] == f"../../../tests/build-htif/{job['name']}.riscv", file, f"{job['name']} runs {job['bin']}")

    def runtimes(self):
        topologies = self.topologies()
        for file, document in self.files(r"config_runtime(_\w+)?\.yaml").items():
            target, workload = document["target_config"], document["workload"]["workload_name"]
            count = target["no_net_num_nodes"]
            nodes = [target["default_hw_config"]] * count
            if target["topology"] != "no_net_config":
                if target["topology"] not in topologies:
                    self.require(False, file, f"has the topology {target['topology']}, which user_topology.py has not")
                    continue
                nodes = topologies[target["topology"]]
            self.require(len(nodes) == count, file, f"has {count} nodes, and its topology has {len(nodes)}")
            self.run_farm(file, document["run_farm"], nodes + [target["default_hw_config"]], count)
            self.require(workload in self.jobs, file, f"has the workload {workload}, which is not in workloads/")
            jobs = self.jobs.get(workload)
            self.require(jobs is None or len(jobs) == count, file, f"has {count} nodes, and its workload {workload} has {len(jobs or [])} jobs")
            if jobs and target["topology"] != "no_net_config":
                for job, node in zip(jobs, nodes):
                    self.require(node.rsplit("_", 1)[0] == f"hauberk_{job}", file, f"runs the job {job} on {node}")

    def run_farm(self, file, farm, nodes, count):
        for name in dict.fromkeys(nodes):
            if name not in self.hwdb:
                self.require(False, file, f"{name} is not in config_hwdb.yaml")
            else:
                wanted = PLATFORMS[name.rsplit("_", 1)[1]]["farm"]
                self.require(farm["base_recipe"] == wanted, file, f"{name} does not run on hosts of {farm['base_recipe']}")
        hosts = [item for host in farm["recipe_arg_overrides"]["run_farm_hosts_to_use"] for item in host.items()]
        fpgas = sum(FPGAS.get(kind, 0) if isinstance(kind, str) else kind * FPGAS[host] for host, kind in hosts)
        self.require(fpgas >= count, file, f"has {count} nodes and {fpgas} FPGAs")

    def topologies(self):
        """The nodes of every topology, by running user_topology.py with as much of FireSim as it sees."""
        path = os.path.join(self.folder, "user_topology.py")
        with open(path) as file:
            tree = ast.parse(file.read(), path)
        # FireSim's modules are not here
        tree.body = [statement for statement in tree.body if not isinstance(statement, ast.ImportFrom)]
        topologies = type("UserTopologies", (), {})
        exec(compile(tree, path, "exec"), {"UserTopologies": topologies, "FireSimServerNode": lambda name: name})
        found = {name: nodes_of(method) for name, method in vars(topologies).items() if isinstance(method, types.FunctionType)}
        for name, nodes in found.items():
            self.require(len(set(nodes)) == len(nodes), "user_topology.py", f"{name} has a scheme twice")
        return found


def recipe_of(config):
    """The name of a configuration's recipe, up to the platform: HauberkXtsQuadRocketConfig has hauberk_xts_quad_."""
    words = re.findall(r"[A-Z][a-z]+", re.sub("Hauberk|RocketConfig", "", config))
    if not config.startswith("Hauberk"):
        words = ["Rocket", *words]
    return "_".join(["hauberk", *map(str.lower, words)]) + "_"


def nodes_of(method):
    """A topology says how many nodes it has only by refusing any other number."""
    for count in range(1, 100):
        self = types.SimpleNamespace(no_net_num_nodes=count, roots=[])
        try:
            method(self)
        except AssertionError:
            continue
        return self.roots
    return []


def classes(path):
    """The classes of a Scala file, each with the text up to the next one."""
    with open(path) as file:
        parts = re.split(r"^class (\w+)", file.read(), flags=re.M)
    return list(zip(parts[1::2], parts[2::2]))


def check_summary(path):
    return [f"{path}: {violation}" for violation in violations(load(path), schema(os.path.join(TOP, "firesim"), "summary"))]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--summary", metavar="SUMMARY_JSON")
    chosen = parser.parse_args()
    check = Check()
    problems = check_summary(chosen.summary) if chosen.summary else check.run()
    for problem in problems:
        print(problem)
    if not problems and not chosen.summary:
        print(f"firesim: {len(check.documents)} files are of their schema, and agree")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
