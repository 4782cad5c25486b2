"""Synthesis of whole SoCs for UltraScale+ by Yosys: what bench/synth/soc is made of."""
