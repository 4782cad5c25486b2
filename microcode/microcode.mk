# The microcode of secure contexts, for who links it: its files, $(BUILD)/microcode.ld, and $(BUILD)/bearssl.a. Beside what bearssl.mk takes of the
# including makefile, RUNTIME is the folder tests/runtime.
MICROCODE_FILES := $(filter-out %/none.c,$(wildcard $(MICROCODE)/*.c)) $(wildcard $(MICROCODE)/*.S) $(addprefix $(RUNTIME)/,print.c string.c finish.S)

include $(MICROCODE)/library/bearssl.mk

$(BUILD)/microcode.ld: $(MICROCODE)/microcode.ld $(RUNTIME)/registers.h
	@mkdir -p $(@D)
	@$(CROSS)gcc -E -P -x c -I$(RUNTIME) $< -o $@
