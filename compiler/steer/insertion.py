"""Inserts instructions into relocatable code and keeps everything else right.

Labels of a section move with their instruction. Where instructions are inserted, rank says which labels come before them: a function's
symbol comes before its increment, a branch target behind that and before the hint, and the access behind both. What belongs behind the instruction
before comes first.
"""

import bisect

from . import relocations
from .objects import STT_SECTION
from .program import is_internal
from .ranges import lengthen

BEHIND, ENTRY, LABEL, INSTRUCTION = -1, 0, 1, 2


class Layout:
    """Where the offsets of one section go. `inserted` is {offset: [(rank, word)]}; `longer` is {offset: Longer}."""

    def __init__(self, inserted, longer):
        growth = []
        for offset, words in inserted.items():
            growth += [(offset, rank, 4) for rank, _ in words]
        # A longer instruction grows at its end: behind it, before all that is inserted there
        growth += [(offset + form.size, BEHIND, len(form.data) - form.size) for offset, form in longer.items()]
        growth.sort()
        self.keys = [(offset, rank) for offset, rank, _ in growth]
        self.totals = [0]
        for _, _, size in growth:
            self.totals.append(self.totals[-1] + size)

    def place(self, offset, rank):
        """The new offset of a label or instruction: behind everything of a lower rank."""
        return offset + self.totals[bisect.bisect_left(self.keys, (offset, rank))]


class Insertion:
    """`inserted` is {section number: {offset: [(rank, word)]}}."""

    def __init__(self, code, inserted):
        self.code, self.inserted = code, inserted
        self.layouts, self.longer = {}, {}
        self.exact = set()
        for section in code.code():
            self.exact |= {entry.symbol for entry in section.relocations if entry.kind in relocations.PCREL_LOWS}

    def apply(self):
        """Rewrites the object. place() then gives the new offset of each old one."""
        for number, words in self.inserted.items():
            section = self.code.sections[number]
            self.layouts[number] = self._layout(section, words)
        self._move_relocations()
        self._move_symbols()
        for number, words in self.inserted.items():
            self._rebuild(self.code.sections[number], words)

    def place(self, section, offset, rank):
        layout = self.layouts.get(section)
        return offset if layout is None else layout.place(offset, rank)

    def _layout(self, section, words):
        """Grows what no longer reaches its target, until everything does."""
        longer = self.longer[section.index] = {}
        while True:
            layout = Layout(words, longer)
            short = []
            for entry in section.relocations:
                symbol = self.code.symbols[entry.symbol]
                if entry.kind in relocations.TRANSFERS and symbol.section == section.index:
                    distance = self._target(layout, symbol, entry) - layout.place(entry.offset, INSTRUCTION)
                    replacement = lengthen(section.data, entry, distance, longer.get(entry.offset))
                    if replacement:
                        short.append((entry.offset, replacement))
            if not short:
                return layout
            longer.update(short)

    def _target(self, layout, symbol, entry):
        if entry.addend:
            return layout.place(symbol.value + entry.addend, ENTRY)
        return layout.place(symbol.value, self._rank(symbol, entry.symbol))

    def _rank(self, symbol, number):
        if number in self.exact:
            return INSTRUCTION
        return LABEL if is_internal(symbol.name) and symbol.kind != STT_SECTION else ENTRY

    def _move_relocations(self):
        for section in self.code.sections:
            longer = self.longer.get(section.index, {})
            for entry in section.relocations:
                symbol = self.code.symbols[entry.symbol]
                if entry.addend and symbol.section in self.layouts and entry.kind not in (relocations.ALIGN, relocations.RELAX):
                    target = self.place(symbol.section, symbol.value + entry.addend, ENTRY)
                    entry.addend = target - self.place(symbol.section, symbol.value, self._rank(symbol, entry.symbol))
                moved = self.place(section.index, entry.offset, INSTRUCTION)
                if entry.offset in longer and entry.kind in relocations.TRANSFERS:
                    moved += longer[entry.offset].at
                    entry.kind = longer[entry.offset].kind
                entry.offset = moved

    def _move_symbols(self):
        for number, symbol in enumerate(self.code.symbols):
            if symbol.section in self.layouts:
                start = self.place(symbol.section, symbol.value, self._rank(symbol, number))
                if symbol.size:
                    symbol.size = self.place(symbol.section, symbol.value + symbol.size, ENTRY) - start
                symbol.value = start

    def _rebuild(self, section, words):
        longer = self.longer[section.index]
        old, new, at = section.data, bytearray(), 0
        for offset in sorted({*words, *longer}):
            new += old[at:offset]
            at = offset
            for _, word in sorted(words.get(offset, []), key=lambda pair: pair[0]):
                new += word.to_bytes(4, "little")
            if offset in longer:
                new += longer[offset].data
                at += longer[offset].size
        section.data = bytes(new + old[at:])
