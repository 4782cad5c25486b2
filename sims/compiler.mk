# The compiler of every simulator.

CXX := g++
# Verilator's makefile compiles with it: what two simulators have in common is compiled once
export OBJCACHE ?= $(shell command -v ccache)
