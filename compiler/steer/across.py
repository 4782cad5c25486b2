"""Step 2, across functions: which functions can share a register, because their live ranges cannot interleave."""

from .calls import Calls


class Sharing:
    """Only functions whose stores are read in the function itself share. `matched` is {load: store}, `stores` is {function: [stores]}."""

    def __init__(self, program, matched, stores):
        self.calls = Calls(program)
        accesses = program.accesses
        readers = {}
        for load, store in matched.items():
            readers.setdefault(store, []).append(load)
        self.disturbers = {}
        for function, mine in stores.items():
            loads = {store: readers[store] for store in mine}
            if all(accesses[load].function.index == function for found in loads.values() for load in found):
                self.disturbers[function] = self._disturbers(program, function, loads)

    def _disturbers(self, program, function, loads):
        """The functions that may run while a value of this one is live."""
        flow, callees = self.calls.flows[function], self.calls.callees(program.functions[function])
        found = set()
        for store, readers in loads.items():
            live = flow.live_range(program.accesses[store].offset, [program.accesses[load].offset for load in readers])
            for offset in live & callees.keys():
                for callee in callees[offset]:
                    found |= self.calls.reached(callee)
        return found

    def share(self, one, other):
        """True if no live range of one function can be interleaved with one of the other."""
        return (one in self.disturbers and other in self.disturbers
                and other not in self.disturbers[one] and one not in self.disturbers[other])
