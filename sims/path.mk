# Make takes a path with a space for two: what follows would build, and clean, something else.
ifneq ($(words $(CURDIR)),1)
$(error the path of this clone has a space, "$(CURDIR)": move the clone to a path without one)
endif
