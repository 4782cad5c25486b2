# Make takes a path with a space for two: what follows would build, and clean, something else.
ifneq ($(words $(CURDIR)),1)
$(error the path of this clone has a space, "$(CURDIR)": move the clone to a path without one)
endif

# CONFIG and BINARY reach shells and make's patterns: those with other signs are refused before anything reads them.
open := (
close := )
hash := \#
dollar := $$
SIGNS := $(open) $(close) $(hash) $(dollar) ' " ` & | ; < > * ? [ ] { } ! \ % : ^
define refuse_signs
$(if $(word 2,$(value $(1))),$(error $(1) has a space: name it without one))$(foreach sign,$(SIGNS),$(if $(findstring $(sign),$(value $(1))),$(error $(1) has the sign $(sign): name it without it)))
endef
$(call refuse_signs,CONFIG)
$(call refuse_signs,BINARY)
