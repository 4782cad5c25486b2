"""Studies: plans of simulated runs, their raw numbers, and the tables and plots made of them (docs/sweeps.md)."""
