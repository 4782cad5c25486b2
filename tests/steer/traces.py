"""Hand-made and random traces, and the rules of the contract applied to them event by event."""

import random

from steer.trace import Trace, Values


class Maker:
    """Writes a trace. Accesses, functions and points are numbers; addresses are bytes."""

    def __init__(self):
        self.who, self.where = [], []

    def store(self, access, address):
        return self._add(2 * access + 1, address)

    def load(self, access, address):
        return self._add(2 * access, address)

    def enter(self, function):
        return self._add(-1 - 2 * function, 0)

    def point(self, number):
        return self._add(-2 - 2 * number, 0)

    def values(self, block=8, last_pairs=0):
        return Values(Trace(self.who, self.where), block, last_pairs=last_pairs)

    def _add(self, who, where):
        self.who.append(who)
        self.where.append(where)
        return self


def randomly(seed, events=400):
    """Accesses 0 to 5 store, 6 to 11 load; functions 0 to 2 are entered."""
    source, made = random.Random(seed), Maker()
    for _ in range(events):
        event = source.random()
        if event < 0.1:
            made.enter(source.randrange(3))
        elif event < 0.5:
            made.store(source.randrange(6), 8 * source.randrange(source.choice((3, 40))))
        else:
            made.load(6 + source.randrange(6), 8 * source.randrange(source.choice((3, 40))))
    return made


def replayed(made, allocation, hardware):
    """(right, wrong, not applied) by the contract, in plain Python."""
    registers = [1] * hardware.registers
    writes = [0] * hardware.registers
    known, pairs = {}, {}
    right = wrong = without = 0
    for who, where in zip(made.who, made.where):
        block = where // hardware.block
        if who < 0:
            for place, register in allocation.increments.items():
                if place.kind == "entry" and who == -1 - 2 * place.number:
                    registers[register] += 1
                    writes[register] = 0
                    known = {key: blocks for key, blocks in known.items() if key % hardware.registers != register}
            continue
        access = who >> 1
        chosen = (allocation.stores if who & 1 else allocation.loads).get(access)
        register = None if chosen is None else chosen % hardware.registers
        if not who & 1:
            if chosen is None:
                without += 1
            elif pairs.get(block) == (chosen, registers[register]):
                right += 1
            else:
                wrong += 1
            continue
        pairs[block] = None
        if chosen is not None:
            seen = known.setdefault(chosen, [])
            if not seen or block > max(seen) or block < min(seen) or writes[register] < hardware.pairs and block not in seen:
                pairs[block] = chosen, registers[register]
                seen.append(block)
            writes[register] += 1
    return right, wrong, without
