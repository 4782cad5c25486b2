"""Results of FireSim as one comparison (firesim/README.md)."""
