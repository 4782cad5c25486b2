"""The roots on the chip at the end of a run, from its record."""

from refusal import Refused


class Roots:
    def __init__(self, record):
        self.record = record.get("roots", {})

    def of(self, engine, module):
        """Words of each memory or register of a module, in the order of their names."""
        found = sorted(name for name in self.record if name.split(".")[0] == module)
        if not found:
            raise Refused(f"the run record has no roots of {module}: whether memory is current cannot be told")
        return [[int(word, 0) for word in self.record[name][engine]] for name in found]

    def counters(self, engine):
        return self.of(engine, "RootTable")[0]

    def hashes(self, engine):
        return self.of(engine, "HashRoot")[0]

    def touched_lines(self, engine):
        bits = self.of(engine, "TouchedLines")[0]
        return [64 * place + bit for place, word in enumerate(bits) for bit in range(64) if word >> bit & 1]

    def log(self, engine):
        """Sums of what was taken and of what was put, each of even and of odd epochs."""
        sums = [word for register in self.of(engine, "LogAccumulators") for word in register]
        return sums[:2], sums[2:]

    def sweep(self, engine):
        """The first block that a re-encryption has not reached; behind the last one if it has ended."""
        return self.of(engine, "RekeySweep")[0][0]
