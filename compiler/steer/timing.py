"""A model of the core, for the choice between places of a hint."""

import collections

from .contract import KEPT_PADS

# Without a data cache: cycles of an access, cycles between two of them, accesses in flight
LATENCY, INTERVAL, IN_FLIGHT = 18, 4, 4
LEAD = 4                    # cycles that a hint must come before its load, so that the pad is never late


class Timing:
    """The block on the core: a hint is an instruction, a load goes on until its result is needed. `spots` are those of hints that have moved."""

    def __init__(self, block, hinted):
        self.block, self.hinted, self.spots = block, hinted, {}

    def _plan(self):
        """{position: [(load or None for a store, base)]} of hints."""
        plan = collections.defaultdict(list)
        for number, spot in self.spots.items():
            plan[spot.position].append((number, spot.base))
        for position, number in self.hinted.items():
            if number not in self.spots:
                access = self.block.lines[position].access
                plan[position].append((number if access.kind == "load" else None, access.base))
        return plan

    def _turns(self):
        return 2 if self.block.loops else 1

    def pads_suffice(self):
        """The engine still has the pad of each load when it comes."""
        plan, made, at = self._plan(), 0, {}
        for _ in range(self._turns()):
            for position in range(len(self.block.lines)):
                for number, _ in plan[position]:
                    if number is not None:
                        made += 1
                        at.setdefault(number, []).append(made)
                number = self.hinted.get(position)
                if number in at and self.block.lines[position].access.kind == "load":
                    waiting = at[number]
                    if waiting and made - waiting.pop(0) >= KEPT_PADS:
                        return False
        return True

    def cycles(self):
        """(when all is done, when the last instruction leaves)."""
        plan, lines = self._plan(), self.block.lines
        ready, hints, flights = collections.defaultdict(int), {}, []
        now = 0
        for _ in range(self._turns()):
            for position, line in enumerate(lines):
                for number, base in plan[position]:
                    now = max(now, ready[base]) + 1
                    if number is not None:
                        hints[number] = now
                now = max([now, *(ready[register] for register in line.operands.reads | line.operands.writes)])
                if line.access is not None:
                    if len(flights) >= IN_FLIGHT:
                        now = max(now, flights[-IN_FLIGHT])
                    done = max(now + LATENCY, flights[-1] + INTERVAL if flights else 0)
                    if line.access.index in hints:
                        # The pad may be late
                        done += max(0, LEAD - (now - hints.pop(line.access.index) + 1))
                    flights.append(done)
                    for register in line.operands.writes:
                        ready[register] = done
                now += 1
        return max([now, *flights[-1:]]), now
