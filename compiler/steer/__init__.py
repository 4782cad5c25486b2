"""hauberk-steer: the compiler of steered counters."""
