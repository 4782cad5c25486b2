# Hauberk: one command for each thing one does with it. `make help` lists them.

CONFIG ?= AegisOtpRocketConfig
include sims/path.mk

.PHONY: help
help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1|\2/p' $(MAKEFILE_LIST) | awk -F'|' '{printf "%-22s %s\n", $$1, $$2}'
	@echo "  make -C sims/verilator CONFIG=... run-binary BINARY=...   any program on any configuration"
	@echo "  make -C sims/verilator CONFIG=... FAST_CRYPTO=1 ...       the same with ciphers in C++"

.PHONY: setup demo linux linux-report linux-attack linux-test linux-shell certified-execution drm test test-publish test-quick test-thorough test-chisel stress fuzz-steering fuzz-monitor mutate check-dumps coverage prove attack bench synth papers ibench elaborate programs format check-format firesim-check check-chipyard clean
setup: ## install missing packages on Debian or Ubuntu; list them elsewhere
	@scripts/setup

demo: setup ## run all programs on three single-core SoCs: overhead, and a check of DRAM
	@scripts/study run bench/plans/demo.yml

linux: setup-linux ## build kernel, firmware and programs for Linux on CONFIG=... as one ELF file
	@$(MAKE) --no-print-directory -C tests/linux CONFIG=$(CONFIG)

linux-report: setup-linux ## run Linux from boot to power-off on thirteen SoCs: overhead, and a check of DRAM
	@scripts/study run bench/plans/linux.yml

linux-attack: setup-linux ## attack pages of a running Linux in DRAM, with and without freshness
	@scripts/linux-attack

linux-test: setup-linux ## test Linux: shell, denied accesses of root, panic, sealed programs, secure contexts
	@python3 sims/verilator/test/linux_test.py -v

certified-execution: setup-linux ## run a job in a secure context under Linux, and check its signed answer and seven forgeries
	@scripts/certified-execution $(if $(filter command line,$(origin CONFIG)),--config $(CONFIG))

drm: setup-linux ## play content that only one program on one processor gets, once, under Linux
	@scripts/drm $(if $(filter command line,$(origin CONFIG)),--config $(CONFIG))

linux-shell: setup-linux ## run Linux on CONFIG=... with a shell in this terminal
	@$(MAKE) --no-print-directory -C tests/linux CONFIG=$(CONFIG) RUN=shell
	@$(MAKE) --no-print-directory -C sims/verilator CONFIG=$(CONFIG) run-binary BINARY=tests/linux/build/$(CONFIG)/linux.elf \
	  EXTRA_SIM_FLAGS=--console EXTRA_CHECK_FLAGS=--pages

.PHONY: setup-linux setup-embedded setup-test
setup-linux setup-embedded setup-test: setup-%:
	@scripts/setup $*

test: setup-test ## run the tests that CI runs
	@scripts/test

test-publish: setup ## publish every generator for every Chisel, and elaborate from the artifacts alone (tests/downstream)
	@scripts/test-publish

test-quick: setup ## run the quick tests: formats, sources, elaboration on Chisel 3.2.6, harness, tools
	@scripts/test format sources scripts study chisel-3.2.6 harness

test-thorough: setup-test ## test what make test leaves out: more of every Chisel, of sealed programs, secure contexts and ciphers in C++ (three hours)
	@HAUBERK_THOROUGH=1 scripts/test chisel simulator sealed

test-chisel: setup ## test the generators on Chisel 3.2.6, 6.7.0 and 7.14.0
	@scripts/test chisel

bench-multicore: setup ## run every multicore program on every configuration with a bus, into results/multicore
	@SIM_OPT=$(or $(SIM_OPT),-Os) scripts/study run bench/plans/multicore.yml

stress: setup ## check millions of accesses of four caches through a secure bus (half an hour)
	@./sbt "++2.12.20" "hauberk/Test/runMain hauberk.tilelink.bus.CoherenceStress 1000000"

HINTS ?= 10000000
fuzz-steering: setup ## give HINTS=... random hints (default ten million) before a memory that lies, and look for a repeated pad; SEED=...
	@./sbt "++2.13.15" 'set memory / Test / envVars := Map.empty' "memory/Test/runMain hauberk.memory.SteeringFuzz $(HINTS) $(SEED)"

LIES ?= 1000000
fuzz-monitor: setup ## have memory tell LIES=... lies (default a million) to the microcode of secure contexts, on the host; SEED=...
	@$(MAKE) --no-print-directory -C tests/contexts/host
	@tests/build/host/fuzz $(or $(SEED),1) $(LIES)

mutate: setup ## break the generators in OF=... places (default 1500) and the monitor, one at a time, and list what no test notices, into results/mutate
	@scripts/mutate $(if $(OF),--of $(OF))

check-dumps: setup ## verify the DRAM that a program leaves on every preset, by docs/formats.md alone, into results/dumps (two hours)
	@scripts/check-dumps

coverage: setup ## measure line, branch and toggle coverage of LIBRARIES="..." (default: all generators) by their suites, into results/coverage; RECORD=1 records it
	@scripts/coverage $(LIBRARIES) $(if $(RECORD),--record)

prove: setup ## prove the properties of docs/proofs.md, and refute them of their mutants, into results/prove
	@scripts/prove

attack: setup ## run every attack on every scheme, into results/attack
	@scripts/attack

bench: setup ## measure every figure of the project, into results/bench
	@scripts/bench

study: setup-embedded ## run the plan PLAN=..., all of its studies or STUDIES="..."; FLAGS="--docs" also records the runs
	@scripts/study run $(or $(PLAN),bench/plans/demo.yml) $(if $(STUDIES),--studies $(STUDIES)) $(FLAGS)

current: setup-embedded ## list the recorded runs of earlier hardware and the cost to repeat them; RUN=1 repeats them
	@scripts/study current $(if $(RUN),--run) $(FLAGS)

sweep: setup ## run the sweep of PLAN=... (default bench/sweeps/example.yml): tables, plots and a page, into results/sweeps
	@scripts/study run $(or $(PLAN),bench/sweeps/example.yml) $(SWEEP_FLAGS)

synth: setup ## synthesize every preset and the secure buses for UltraScale+ with Yosys, into results/synth
	@bench/synth/soc

reproduce: setup-embedded ## repeat the sweeps of the papers on this SoC, into results/papers
	@scripts/study run bench/plans/papers.yml
	@scripts/study run bench/plans/ibench.yml

ibench: setup ## measure the latency of instruction decryption, and compare it with the paper's model (part of make reproduce)
	@scripts/study run bench/plans/ibench.yml

bench-presets: setup ## run every program on every preset, into results/presets
	@scripts/study run bench/plans/presets.yml

elaborate: setup ## write Verilog, device tree and description of CONFIG=... (default AegisOtpRocketConfig)
	@$(MAKE) --no-print-directory -C sims/verilator CONFIG=$(CONFIG) verilog

programs: setup ## build the RISC-V programs, into tests/build
	@$(MAKE) --no-print-directory -C tests

generate: setup ## write the C header and the tables of the docs, from the register maps, the recorded figures and the verification plan
	@scripts/generate
	@scripts/figures
	@scripts/plan

PROJECTS := crypto memory bus instruction contexts hauberk tools
CPP_SOURCES = $(shell python3 scripts/tree.py '*.cc' '*.h' '*.c')

# The generators have sources that only some Chisel sees
PER_CHISEL = $(foreach scala,2.13.15 2.13.16,"++$(scala)" crypto/$(1) memory/$(1) bus/$(1) instruction/$(1) contexts/$(1))

format: setup ## format every source
	@./sbt scalafmtSbt $(PROJECTS:%=%/scalafmtAll) $(call PER_CHISEL,scalafmtAll)
	@clang-format -i $(CPP_SOURCES)

check-format: setup ## check the format of every source
	@./sbt scalafmtSbtCheck $(PROJECTS:%=%/scalafmtCheckAll) $(call PER_CHISEL,scalafmtCheckAll)
	@clang-format --dry-run --Werror $(CPP_SOURCES)

lint: setup ## check sources, imports, links, scaladoc and generated files
	@scripts/check-sources
	@scripts/check-packages
	@scripts/check-docs
	@scripts/diagrams --check
	@scripts/check-commands
	@scripts/check-scaladoc
	@scripts/figures --check
	@scripts/plan --check
	@scripts/generate --check

.PHONY: study current sweep docs generate lint reproduce bench-presets bench-multicore multicore presets check-sources
# Old names
multicore: bench-multicore
presets: bench-presets
check-sources: lint
papers: reproduce

docs: setup ## build the documentation site, into docs/build/html
	@scripts/docs

firesim-check: setup ## check firesim/ against FireSim's formats, and the collector on a sample
	@scripts/firesim-check

check-chipyard: setup ## in a checkout of Chipyard: elaborate and lint every configuration of chipyard/, or CONFIGS="..."; FLAGS="--firtool ..."
	@scripts/check-chipyard $(FLAGS) $(CONFIGS)

clean: ## remove all build results
	@$(MAKE) --no-print-directory -C sims/verilator clean
	@$(MAKE) --no-print-directory -C sims/attack-engine clean
	@$(MAKE) --no-print-directory -C sims/attack-bus clean
	@$(MAKE) --no-print-directory -C tests clean
	@$(MAKE) --no-print-directory -C tests/linux clean
	@rm -rf results target project/target project/project/target tools/target generators/*/target
