"""The control flow inside of a function, and which instructions lie between a store and its loads."""

from . import relocations


class Flow:
    """Successors of each instruction. A jump through a register may reach every label of the function."""

    def __init__(self, program, function):
        code, section = program.object, function.section
        self.transfers = {}
        labels = {symbol.value for symbol in code.symbols_of[section.index] if function.start <= symbol.value < function.end}
        for entry in section.relocations:
            if entry.kind in relocations.TRANSFERS and function.start <= entry.offset < function.end:
                symbol = code.symbols[entry.symbol]
                # A call is two instructions, and the second one jumps
                offset = entry.offset + (4 if entry.kind in relocations.CALLS else 0)
                self.transfers[offset] = (symbol.section, symbol.value + entry.addend)
        self.successors = {}
        for instruction in function.instructions:
            follows = instruction.offset + instruction.size
            place, target = self.transfers.get(instruction.offset, (None, None))
            inside = [target] if place == section.index and function.start <= target < function.end else []
            if instruction.kind == "branch":
                # A branch without a relocation leads over the jump behind it
                found = (inside or [instruction.offset + instruction.displacement]) + [follows]
            elif instruction.kind == "jump":
                found = inside
            elif instruction.kind == "indirect":
                found = inside if instruction.offset in self.transfers else sorted(labels)
            elif instruction.kind == "return":
                found = []
            else:
                found = [follows]
            self.successors[instruction.offset] = found

    def live_range(self, store, loads):
        """Offsets of the instructions on a way from the store to one of its loads."""
        forward = self._reached(self.successors, [store])
        backwards = {}
        for offset, found in self.successors.items():
            for follows in found:
                backwards.setdefault(follows, []).append(offset)
        return forward & self._reached(backwards, loads)

    @staticmethod
    def _reached(edges, starts):
        seen, waiting = set(starts), list(starts)
        while waiting:
            for offset in edges.get(waiting.pop(), []):
                if offset not in seen:
                    seen.add(offset)
                    waiting.append(offset)
        return seen
