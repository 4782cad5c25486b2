"""Chooses where each register grows: greedily, by the cycles that the profile predicts."""

import numpy

from .certainty import of_set


class Growth:
    """`sets` are the places of each register, as positions in the candidates; an empty set never grows."""

    def __init__(self, signatures, executions, increments, certainty, hardware):
        self.signatures, self.certainty, self.hardware = signatures, certainty, hardware
        costs = self.costs = [hardware.hint * count for count in increments]
        self.hints = hardware.hint * executions
        self.singles = [self.gains({number}) for number in range(len(costs))]
        self.never = self.gains(set())

    def gains(self, chosen):
        """Cycles saved for each store by a register that grows at these places."""
        signatures = self.signatures
        right = signatures.rights(chosen) * signatures.counts
        saved = numpy.bincount(signatures.store, weights=right, minlength=len(self.hints)) * of_set(self.certainty, chosen)
        return numpy.maximum(0, (self.hardware.cipher - self.hardware.hint) * saved - self.hints)

    def run(self, usable):
        """The places of each register, from those with these numbers."""
        self.sets, self.values, self.wider = [], [], []
        while self._step(usable):
            pass
        return self.sets

    def _step(self, usable):
        """Takes the best of: a new register, one more place for a register, one place less."""
        now = self._total(self.values)
        best, action = 1e-9, None
        if len(self.sets) < self.hardware.registers:
            for number in [None, *usable]:
                gains = self.never if number is None else self.singles[number]
                more = self._total([*self.values, gains]) - now - (0 if number is None else self.costs[number])
                if more > best:
                    best, action = more, (None, set() if number is None else {number}, gains)
        for register, chosen in enumerate(self.sets):
            others = self.values[:register] + self.values[register + 1:]
            floor = numpy.max(others, axis=0) if others else 0
            for number, gains in self.wider[register].items():
                cost = -self.costs[number] if number in chosen else self.costs[number]
                more = float(numpy.maximum(floor, gains).sum()) - now - cost
                if more > best:
                    best, action = more, (register, chosen ^ {number}, gains)
        if action is None:
            return False
        register, chosen, gains = action
        if register is None:
            register = len(self.sets)
            self.sets.append(None)
            self.values.append(None)
            self.wider.append(None)
        self.sets[register], self.values[register] = chosen, gains
        self.wider[register] = {number: self.gains(chosen ^ {number}) for number in usable}
        return True

    @staticmethod
    def _total(values):
        return float(numpy.max(values, axis=0).sum()) if values else 0.0
