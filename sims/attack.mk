# Builds an adversary's bench for every scheme under attack; scripts/attack runs it. The folder that includes this says before:
#   HERE       its own path
#   WHAT       what is attacked, for messages: "engine"
#   TOP_MODULE of the Verilog, which is in generated-src/SCHEME/$(WHAT).sv
#   EMIT       the sbt command that emits the schemes, but for its arguments
#   UNITS      objects that the unit tests need

include $(TOP)/sims/compiler.mk
COMMON := $(TOP)/sims/common
REGISTERS := $(TOP)/tests/runtime
GEN := $(HERE)/generated-src
BUILD := $(HERE)/build
OPT ?= -O2
INCLUDES := -I$(HERE)/src -I$(COMMON) -I$(REGISTERS)
CXXFLAGS := -std=c++17 -O3 -march=native -Wall -Wextra $(INCLUDES)

.PHONY: verilog harness bench test clean
.DELETE_ON_ERROR:
bench: $(GEN)/$(SCHEME)/attack

# ---- Scala to Verilog ------------------------------------------------------------------------------------------------

SCALA := $(shell find $(TOP)/generators -path '*/src/*' -name '*.scala') $(TOP)/build.sbt

# NAMES="..." emits these schemes only.
NAMES ?=
EMITTED := $(GEN)/emitted$(if $(NAMES),-some)
verilog: $(EMITTED)
$(EMITTED): $(SCALA)
	@mkdir -p $(GEN)
	@echo "attack: emitting each $(WHAT)"
	@cd $(TOP) && ./sbt "++2.13.15 $(EMIT) $(GEN) $(NAMES)" >$(GEN)/emit.log 2>&1 </dev/null || \
	  { cat $(GEN)/emit.log >&2; exit 1; }
	@touch $@

# ---- The bench, the same for every scheme; only model.cc is compiled against a scheme's Verilog ----------------------

SOURCES := $(filter-out $(HERE)/src/model.cc,$(wildcard $(HERE)/src/*.cc)) $(wildcard $(COMMON)/*.cc)
OBJECTS := $(patsubst %.cc,$(BUILD)/%.o,$(notdir $(SOURCES)))
HEADERS := $(wildcard $(HERE)/src/*.h $(COMMON)/*.h) $(REGISTERS)/registers.h
vpath %.cc $(HERE)/src $(COMMON)

$(BUILD)/%.o: %.cc $(HEADERS)
	@mkdir -p $(@D)
	@$(CXX) $(CXXFLAGS) -c -o $@ $<
harness: $(BUILD)/libattack.a
$(BUILD)/libattack.a: $(OBJECTS)
	@rm -f $@
	@ar -rcs $@ $^

# Unit tests of what needs no model; GTEST_FLAGS passes options to GoogleTest.
$(BUILD)/bench-test: $(wildcard $(HERE)/test/*.cc) $(BUILD)/libattack.a
	@$(CXX) -std=c++17 -O1 -Wall -Wextra $(INCLUDES) -o $@ $(wildcard $(HERE)/test/*.cc) \
	  $(UNITS:%=$(BUILD)/%.o) -lgtest -lgtest_main -pthread
test: $(BUILD)/bench-test
	@$< $(GTEST_FLAGS)

# ---- Verilog to bench ------------------------------------------------------------------------------------------------

# Paths are as seen from the model's folder: the tree may move, and ccache finds what another tree compiled.
UP := ../../..
NEAR_INCLUDES := -I$(UP)/src -I$(UP)/../common -I$(UP)/../../tests/runtime
# -savable: the bench goes back to a saved state instead of repeating how it came there.
VERILATOR_FLAGS := --cc --exe --savable --top-module $(TOP_MODULE) -O3 \
  --x-assign fast --x-initial fast --noassert --output-split 30000 -Wno-fatal -Wno-lint -Wno-style

.SECONDARY:
$(GEN)/%/model/V$(TOP_MODULE).mk: $(GEN)/%/$(WHAT).sv
	@command -v verilator >/dev/null || { echo "verilator is not installed: run scripts/setup" >&2; exit 1; }
	@echo "attack: building the bench of $*"
	@rm -rf $(@D)
	@cd $(GEN)/$* && verilator $(VERILATOR_FLAGS) -CFLAGS "-std=gnu++17 $(OPT) $(NEAR_INCLUDES)" --Mdir model -o attack \
	  $(WHAT).sv $(UP)/src/model.cc $(UP)/build/libattack.a >$(GEN)/$*/build.log 2>&1 || \
	  { cat $(GEN)/$*/build.log >&2; exit 1; }

# The model's own makefile does not know that the bench is an input of the link: so it links anew.
$(GEN)/%/attack: $(GEN)/%/model/V$(TOP_MODULE).mk $(BUILD)/libattack.a $(HERE)/src/model.cc $(HEADERS)
	@rm -f $@ $(GEN)/$*/model/attack
	@$(MAKE) --no-print-directory -C $(GEN)/$*/model -f V$(TOP_MODULE).mk OPT_FAST= OPT_GLOBAL= OPT_SLOW=-O0 \
	  CXX=$(CXX) >>$(GEN)/$*/build.log 2>&1 || { cat $(GEN)/$*/build.log >&2; exit 1; }
	@cp $(GEN)/$*/model/attack $@

clean:
	rm -rf $(HERE)/generated-src* $(BUILD)
