# Hauberk: one command for each thing one does with it. `make help` lists them.

CONFIG ?= AegisOtpRocketConfig
include sims/path.mk

.PHONY: help
help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1|\2/p' $(MAKEFILE_LIST) | awk -F'|' '{printf "%-22s %s\n", $$1, $$2}'
	@echo "  make -C sims/verilator CONFIG=... run-binary BINARY=...   any program on any configuration"

.PHONY: setup demo linux linux-report linux-attack linux-test linux-shell test test-publish test-quick test-chisel stress coverage attack bench synth papers ibench elaborate programs format check-format firesim-check clean
setup: ## install what is missing on Debian or Ubuntu, else name it
	@scripts/setup

demo: setup ## the single-core configurations over all programs: what protection costs, and the proof in DRAM
	@scripts/demo

linux: setup-linux ## kernel, firmware and programs for Linux on CONFIG=..., in one ELF file
	@$(MAKE) --no-print-directory -C tests/linux CONFIG=$(CONFIG)

linux-report: setup-linux ## Linux from boot to power-off on seven SoCs: what protection costs, and the proof in DRAM
	@scripts/linux-report

linux-attack: setup-linux ## attacks on pages of a running Linux, in DRAM, on schemes without and with freshness
	@scripts/linux-attack

linux-test: setup-linux ## Linux booted, typed at, attacked by its root, and panicking
	@python3 sims/verilator/test/linux_test.py -v

linux-shell: setup-linux ## Linux on CONFIG=..., with a shell at this terminal
	@$(MAKE) --no-print-directory -C tests/linux CONFIG=$(CONFIG) RUN=shell
	@$(MAKE) --no-print-directory -C sims/verilator CONFIG=$(CONFIG) run-binary BINARY=tests/linux/build/$(CONFIG)/linux.elf \
	  EXTRA_SIM_FLAGS=--console EXTRA_CHECK_FLAGS=--pages

.PHONY: setup-linux
setup-linux:
	@scripts/setup linux

test: setup-linux ## every test
	@scripts/test

test-publish: setup ## publish every generator on every Chisel, with scaladoc, and elaborate from the artifacts alone (tests/downstream)
	@scripts/test-publish

test-quick: setup ## in minutes: formats, sources, what elaborates on Chisel 3.2.6, the harness, and the tools
	@scripts/test format sources scripts chisel-3.2.6 harness

test-chisel: setup ## the generators on Chisel 3.2.6, 6.7.0 and 7.14.0
	@scripts/test chisel

bench-multicore: setup ## every program for several cores on every configuration with a bus, into results/multicore
	@SIM_OPT=$(or $(SIM_OPT),-Os) scripts/papers --plan bench/multicore/studies.json --out results/multicore

stress: setup ## millions of accesses of four caches through a secure bus, each checked; about half an hour
	@./sbt "++2.12.20" "hauberk/Test/runMain hauberk.tilelink.bus.CoherenceStress 1000000"

coverage: setup ## how much of the engines' Verilog runs under attack and traffic, into results/coverage
	@scripts/coverage

attack: setup ## every attack on every scheme, into results/attack
	@scripts/attack

bench: setup ## every figure of the project, into results/bench
	@scripts/bench

synth: setup ## area and longest paths of every preset and the secure bus on UltraScale+, by Yosys, into results/synth
	@bench/synth/soc

reproduce: setup ## what the figures of the papers sweep, on this SoC, into results/papers
	@scripts/papers
	@scripts/ibench

ibench: setup ## what instruction decryption adds to fetches, and the model of its paper (the last part of make reproduce)
	@scripts/ibench

bench-presets: setup ## every program on the configuration of every preset, into results/presets
	@scripts/papers --plan bench/presets/studies.json --out results/presets

elaborate: setup ## Verilog, device tree and description of CONFIG=... (default AegisOtpRocketConfig)
	@$(MAKE) --no-print-directory -C sims/verilator CONFIG=$(CONFIG) verilog

programs: setup ## the RISC-V programs, into tests/build
	@$(MAKE) --no-print-directory -C tests

generate: setup ## the C header and the documentation's tables from the register maps
	@scripts/generate

PROJECTS := crypto memory bus instruction hauberk tools
CPP_SOURCES = $(shell git ls-files '*.cc' '*.h' '*.c')

# The generators have sources that only some Chisel sees
PER_CHISEL = $(foreach scala,2.13.15 2.13.16,"++$(scala)" crypto/$(1) memory/$(1) bus/$(1) instruction/$(1))

format: setup ## format every source
	@./sbt scalafmtSbt $(PROJECTS:%=%/scalafmtAll) $(call PER_CHISEL,scalafmtAll)
	@clang-format -i $(CPP_SOURCES)

check-format: setup ## fail if a source is not formatted
	@./sbt scalafmtSbtCheck $(PROJECTS:%=%/scalafmtCheckAll) $(call PER_CHISEL,scalafmtCheckAll)
	@clang-format --dry-run --Werror $(CPP_SOURCES)

lint: setup ## fail if shared sources leave the subset of all Chisels, an import points up, the docs name what is not there, types lack scaladoc, or generated files are stale
	@scripts/check-sources
	@scripts/check-packages
	@scripts/check-docs
	@scripts/check-scaladoc
	@scripts/generate --check

.PHONY: generate lint reproduce bench-presets bench-multicore multicore presets check-sources
# Older names of the same
multicore: bench-multicore
presets: bench-presets
check-sources: lint
papers: reproduce

firesim-check: setup ## that firesim/ is as FireSim wants it, and the collector on a sample made by hand
	@scripts/firesim-check

clean: ## remove everything made
	@$(MAKE) --no-print-directory -C sims/verilator clean
	@$(MAKE) --no-print-directory -C sims/attack-engine clean
	@$(MAKE) --no-print-directory -C sims/attack-bus clean
	@$(MAKE) --no-print-directory -C tests clean
	@$(MAKE) --no-print-directory -C tests/linux clean
	@rm -rf results target project/target project/project/target tools/target generators/*/target
