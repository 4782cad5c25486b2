"""A mapped design without its hierarchy: its cells, who owns them, and its longest paths."""

import collections
import re

from . import cells

Path = collections.namedtuple("Path", "levels start end cells nets")
NOWHERE = -1
REGISTERS = cells.FLIP_FLOPS | cells.ASYNCHRONOUS


def compact(design):
    """What this needs of the modules of Yosys' JSON, the library's left out."""
    kept = {}
    for name, module in design["modules"].items():
        if "blackbox" in module["attributes"] or "whitebox" in module["attributes"]:
            continue
        names = {}
        for net, wire in module["netnames"].items():
            if wire["hide_name"]:
                continue
            line = line_of(wire)
            for i, bit in enumerate(wire["bits"]):
                title = net if len(wire["bits"]) == 1 else f"{net}[{i}]"
                if isinstance(bit, int) and (bit not in names or preference(title) < preference(names[bit][0])):
                    names[bit] = (title, line)
        kept[name] = {
            "ports": {port: [wire["direction"], wire["bits"]] for port, wire in module["ports"].items()},
            "cells": [compact_cell(title, cell) for title, cell in module["cells"].items()],
            "names": names,
        }
    return kept


def line_of(thing):
    """The line of Verilog where something was declared, 0 if Yosys made it."""
    found = re.findall(r":(\d+)\.\d+-", thing["attributes"].get("src", ""))
    return int(found[-1]) if found else 0


def compact_cell(name, cell):
    """[name if it has one, kind, inputs, outputs, the registers a DSP has]"""
    directions = cell["port_directions"]
    ports = [{port: bits for port, bits in cell["connections"].items() if (directions[port] == "output") == output}
             for output in (False, True)]
    parameters = {}
    if cell["type"] in cells.DSPS:
        parameters = {key: value for key, value in cell["parameters"].items() if key.endswith("REG")}
    return ["" if cell["hide_name"] else name, cell["type"], *ports, parameters]


def preference(net):
    """Of the names of a net the one that says most: a register's own, not that of a port it leaves by."""
    last = net.split(".")[-1]
    return (last.startswith(("io_", "auto_", "_")), last in ("Q", "D"), -net.count("."), len(net), net)


class Netlist:
    """The cells of the last part, with those of the others in the places of the black boxes of their names.

    parts: {name: what was made of it}, each with `modules`, its `top` among them, and `locator(line)`
    """

    def __init__(self, parts):
        self.parts = parts
        self.instances = []  # of every instance: (path, modules from the top down)
        self.places = []  # of every part: (path, modules from the top down, what was made of it)
        self.kinds = []  # of every cell
        self.owners = []  # of every cell: its instance
        self.titles = []  # of every cell: its name, "" if it has none
        self.black_boxes = []  # (kind, path)
        self.names = {}  # of bits that have one: (name, the part it is from, the line there)
        self.inputs = {}  # of every bit that logic drives: the bits it depends on
        self.readers = collections.defaultdict(list)  # of every bit: the bits that depend on it
        self.carried = {}  # of every bit of a carry chain: the bit that the chain so far carries in
        self.driver = {}  # of every bit that a cell drives: the cell
        self.outputs = {}  # of every cell: the bits it drives
        self.ends = collections.defaultdict(list)  # of every bit that is sampled: the cells that do, None for a pin
        self._alias = []
        self._raw = []
        self._levels = {}
        whole = list(parts.values())[-1]
        ports = whole.modules[whole.top]["ports"]
        pins = {port: self._fresh(len(bits)) for port, (_, bits) in ports.items()}
        self._expand(whole, whole.top, "", (), pins)
        self._connect()
        for port, (direction, _) in ports.items():
            for i, bit in enumerate(map(self._find, pins[port])):
                if bit not in self.driver:
                    self.names[bit] = (f"pin {port}[{i}]", None, 0)
                if direction == "output":
                    self.ends[bit].append(None)

    # ---- Hierarchy ---------------------------------------------------------------------------------------------------

    def _fresh(self, number):
        first = len(self._alias)
        self._alias.extend(range(first, first + number))
        return list(range(first, first + number))

    def _find(self, bit):
        while isinstance(bit, int) and self._alias[bit] != bit:
            bit = self._alias[bit]
        return bit

    def _expand(self, part, name, path, above, binding):
        module = part.modules[name]
        owner = len(self.instances)
        self.instances.append((path, above + (name,)))
        if name == part.top:
            self.places.append((path, above + (name,), part))
        local = {}
        for direction in ("input", "output", "inout"):
            for port, (its_direction, bits) in module["ports"].items():
                if its_direction == direction:
                    for bit, outer in zip(bits, binding.get(port) or self._fresh(len(bits))):
                        self._bind(local, bit, outer)

        def outside(bits):
            mapped = []
            for bit in bits:
                if not isinstance(bit, int):
                    mapped.append(bit)
                    continue
                if bit not in local:
                    local[bit] = self._fresh(1)[0]
                mapped.append(local[bit])
            return mapped

        for title, kind, inputs, outputs, parameters in module["cells"]:
            ports = [{port: outside(bits) for port, bits in side.items()} for side in (inputs, outputs)]
            if kind in part.modules:
                self._expand(part, kind, f"{path}{title}.", above + (name,), {**ports[0], **ports[1]})
            elif kind in self.parts:
                self._expand(self.parts[kind], self.parts[kind].top, f"{path}{title}.", above + (name,), {**ports[0], **ports[1]})
            elif kind in cells.KNOWN:
                self._raw.append((len(self.kinds), *ports, parameters))
                self.kinds.append(kind)
                self.owners.append(owner)
                self.titles.append(title)
            else:
                self.black_boxes.append((kind, path + title))
        for bit, (net, line) in module["names"].items():
            if int(bit) in local:
                self._call(local[int(bit)], (path + net, part, line))

    def _bind(self, local, bit, outer):
        """A port's bit inside is `outer` outside."""
        if not isinstance(bit, int):
            if isinstance(outer, int):
                self._alias[self._find(outer)] = bit
        elif bit not in local:
            local[bit] = outer
        elif isinstance(outer, int) and self._find(local[bit]) != self._find(outer):
            self._alias[self._find(outer)] = local[bit]

    def _call(self, bit, name):
        if isinstance(bit, int) and (bit not in self.names or preference(name[0]) < preference(self.names[bit][0])):
            self.names[bit] = name

    # ---- Graph -------------------------------------------------------------------------------------------------------

    def _connect(self):
        names, self.names = self.names, {}
        for bit, name in names.items():
            self._call(self._find(bit), name)
        for cell, inputs, outputs, parameters in self._raw:
            kind = self.kinds[cell]
            inputs, outputs = ({port: [self._find(bit) for bit in bits] for port, bits in side.items()}
                               for side in (inputs, outputs))
            self.outputs[cell] = [bit for bits in outputs.values() for bit in bits if isinstance(bit, int)]
            self.driver.update(dict.fromkeys(self.outputs[cell], cell))
            for bit, depends in cells.arcs(kind, parameters, inputs, outputs):
                if isinstance(bit, int):
                    self.inputs[bit] = sorted({each for each in depends if isinstance(each, int)})
            if kind in cells.CARRIES:
                self.carried.update((bit, inputs["CI"][0]) for bit in self.outputs[cell])
            for bit in cells.ends(kind, inputs):
                if isinstance(bit, int):
                    self.ends[bit].append(cell)
        for bit, depends in self.inputs.items():
            for each in depends:
                self.readers[each].append(bit)
        self.carried = {bit: source for bit, source in self.carried.items()
                        if source in self.driver and self.kinds[self.driver[source]] in cells.CARRIES}
        self._raw = None

    # ---- What is asked of it -----------------------------------------------------------------------------------------

    def owned(self, owns):
        """The cells of the instances for which `owns(modules from the top down)`."""
        chosen = [owns(modules) for _, modules in self.instances]
        return {cell for cell, owner in enumerate(self.owners) if chosen[owner]}

    def of_kind(self, kinds):
        return [cell for cell, kind in enumerate(self.kinds) if kind in kinds]

    def resources(self, some):
        return cells.resources(collections.Counter(self.kinds[cell] for cell in some))

    def place(self, cell):
        """What to call a cell: its name, or else that of a net it drives."""
        path, title = self.instances[self.owners[cell]][0], self.titles[cell]
        if title:
            return path + title
        named = [self.names[bit] for bit in self.outputs[cell] if bit in self.names]
        return self.show(min(named, key=lambda name: preference(name[0]))) if named else path.rstrip(".") or "the top"

    def net(self, bit):
        if bit in self.names:
            return self.show(self.names[bit])
        return self.place(self.driver[bit]) if bit in self.driver else "a net without a name"

    @staticmethod
    def show(name):
        text, part, line = name
        scala = part and part.locator(line)
        return f"{text} ({scala})" if scala else text

    def loops(self):
        """Nets that depend on themselves without a register between."""
        before, _ = self.levels_of_all()
        return sorted({self.net(bit) for bit in self.inputs if bit not in before})

    def cost(self, source, bit, chains):
        """Levels from a bit to one that depends on it: with `chains`, what goes on in a carry chain is no new level."""
        return 0 if chains and self.carried.get(bit) == source else 1

    def levels_of_all(self, chains=False):
        """Levels of the whole design, which every part's paths through it are asked for."""
        if chains not in self._levels:
            self._levels[chains] = self.levels(None, chains)
        return self._levels[chains]

    def levels(self, inside, chains):
        """Of every bit that logic drives, the most levels up to it, its own included, and the most behind it. What no path begins before or
        ends behind has NOWHERE; what is on a loop, or behind one, is left out.

        With a set of cells `inside`, paths begin, go on and end in it; with None they begin and end at pins, too.
        """
        def belongs(bit):
            return inside is None or self.driver.get(bit) in inside

        nodes = {bit: depends for bit, depends in self.inputs.items() if belongs(bit)}
        waits = {bit: sum(each in nodes for each in depends) for bit, depends in nodes.items()}
        before, order = {}, [bit for bit, number in waits.items() if number == 0]
        for bit in order:
            reach = [before.get(each, 0) + self.cost(each, bit, chains)
                     for each in nodes[bit] if before.get(each, 0) != NOWHERE and (each in nodes or belongs(each))]
            before[bit] = max(reach, default=NOWHERE)
            for reader in self.readers[bit]:
                if reader in waits:
                    waits[reader] -= 1
                    if waits[reader] == 0:
                        order.append(reader)
        behind = {}
        for bit in reversed(order):
            after = [behind[reader] + self.cost(bit, reader, chains)
                     for reader in self.readers[bit] if behind.get(reader, NOWHERE) != NOWHERE]
            ends = any(inside is None or cell in inside for cell in self.ends.get(bit, ()))
            behind[bit] = max(after, default=0 if ends else NOWHERE)
        return before, behind

    def longest(self, some, through, chains=False):
        """The longest path from register to register among some cells or, `through` them, from anywhere to anywhere."""
        before, behind = self.levels_of_all(chains) if through else self.levels(some, chains)
        candidates = [bit for bit, levels in before.items()
                      if levels != NOWHERE and behind[bit] != NOWHERE and self.driver[bit] in some]
        if not candidates:
            return None
        # Among equals the first, so that every run names the same one.
        best = min(candidates, key=lambda bit: (-before[bit] - behind[bit], bit))
        levels, path, onward = before[best] + behind[best], [best], True
        while onward:
            onward = [bit for bit in self.inputs[path[0]]
                      if before.get(bit, NOWHERE) != NOWHERE and before[bit] + self.cost(bit, path[0], chains) == before[path[0]]]
            path[:0] = onward[:1]

        def stops(bit):
            return behind[bit] == 0 and any(through or cell in some for cell in self.ends.get(bit, ()))

        # To have no level behind is not enough: what goes on in a chain costs none
        while not stops(path[-1]):
            path.append(min(bit for bit in self.readers[path[-1]] if behind.get(bit, NOWHERE) != NOWHERE and
                            behind[bit] + self.cost(path[-1], bit, chains) == behind[path[-1]]))
        starts = [bit for bit in self.inputs[path[0]] if bit not in self.inputs and (through or self.driver.get(bit) in some)]
        ends = [self.end(cell, path[-1]) for cell in self.ends[path[-1]] if through or cell in some]
        return Path(levels, self.start(min(starts)), min(ends),
                    [self.kinds[self.driver[bit]] for bit in path], [self.net(bit) for bit in path])

    def start(self, bit):
        cell = self.driver.get(bit)
        return self.net(bit) if cell is None or self.kinds[cell] in REGISTERS else f"{self.place(cell)} ({self.kinds[cell]})"

    def end(self, cell, bit):
        if cell is None:
            return self.net(bit)
        return self.net(self.outputs[cell][0]) if self.kinds[cell] in REGISTERS else f"{self.place(cell)} ({self.kinds[cell]})"
