"""The call graph: which functions may run because of an instruction."""

from . import relocations
from .flow import Flow
from .objects import SHF_ALLOC


class Calls:
    """A call through a register may reach every function whose address is taken."""

    def __init__(self, program):
        self.program = program
        self.at = {(function.section.index, function.start): function.index for function in program.functions}
        self.taken = self._address_taken()
        self.flows = [Flow(program, function) for function in program.functions]
        self.direct = [set().union(*self.callees(function).values()) for function in program.functions]
        self.closures = {}

    def callees(self, function):
        """{offset: functions} of the instructions that leave the function."""
        flow, found = self.flows[function.index], {}
        for instruction in function.instructions:
            target = flow.transfers.get(instruction.offset)
            if target is not None and not (target[0] == function.section.index and function.start < target[1] < function.end):
                if target in self.at:
                    found[instruction.offset] = {self.at[target]}
            elif target is None and instruction.kind in ("call", "indirect"):
                found[instruction.offset] = self.taken
        last = function.instructions[-1] if function.instructions else None
        if last and last.kind not in ("jump", "return", "indirect") and (function.section.index, function.end) in self.at:
            found[last.offset] = found.get(last.offset, set()) | {self.at[function.section.index, function.end]}
        return found

    def reached(self, function):
        """The functions that a call of this one may run, itself included."""
        if function not in self.closures:
            seen, waiting = {function}, [function]
            while waiting:
                for callee in self.direct[waiting.pop()]:
                    if callee not in seen:
                        seen.add(callee)
                        waiting.append(callee)
            self.closures[function] = seen
        return self.closures[function]

    def _address_taken(self):
        found = set()
        for section in self.program.object.sections:
            if not section.header[2] & SHF_ALLOC:
                continue
            for entry in section.relocations:
                symbol = self.program.object.symbols[entry.symbol]
                function = self.at.get((symbol.section, symbol.value + entry.addend))
                if function is not None and entry.kind not in relocations.TRANSFERS | relocations.PCREL_LOWS:
                    found.add(function)
        return found
