"""Inserted instructions change nothing but time: whatever is hinted, programs print and keep what they did before."""

import random
import unittest

from bench import Bench, functions
from elftools.elf.elffile import ELFFile
from generated import c_program, far_branches
from steer import build, contract, generate, insertion, matching, nudged, patching
from steer.allocation import Allocation, before, entry, point
from steer.objects import Object
from steer.program import Program
from steer.ranges import Longer


def everything(program, seed, registers=16):
    """Every access has some id, and registers grow wherever they can."""
    source = random.Random(seed)
    hintable = matching.hintable(program)
    found = Allocation(registers)
    for access in program.accesses:
        if access.index in hintable:
            (found.stores if access.kind == "store" else found.loads)[access.index] = source.randrange(128)
            by = source.choice((-3, -2, -1, 1, 2, 3))
            if access.kind == "store" and nudged.nudgeable(access, by):
                found.nudges[access.index] = by
            if source.random() < 0.3:
                found.increments[before(access.index)] = source.randrange(registers)
    for function in program.functions:
        if function.can_increment:
            found.increments[entry(function.index)] = source.randrange(registers)
    for spot in program.points:
        found.increments[point(spot.index)] = source.randrange(registers)
    return found


class Programs(Bench):
    def check(self, *objects, seed=0):
        """Runs a program without hints and with hints everywhere."""
        given = self.inputs(*objects)
        plain = self.ran(given.link(given.program(), "plain"))
        steered, _ = build.steer(given, everything(given.program(), seed))
        self.assertEqual(self.ran(steered), plain)
        return plain

    def test_generated_programs(self):
        for seed in range(4):
            with self.subTest(seed=seed):
                flags = [["-O2"], ["-O0"], ["-Os", "-msave-restore"], ["-O3", "-funroll-loops", "-falign-loops=16"]][seed]
                code, _ = self.check(self.compiled("test.c", c_program(seed).replace("memcpy", "__builtin_memcpy"), *flags), seed=seed)
                self.assertEqual(code, 0)

    def test_branches_at_the_limit_of_their_range(self):
        for distance, kind in [(200, "c.beqz a0,"), (200, "c.bnez s0,"), (3600, "beq a0, a1,"), (5000, "beq a0, a1,"),
                               (3600, "bltu a0, s1,"), (1500, "bgez a0,")]:
            with self.subTest(kind=kind, distance=distance):
                text = far_branches(distance, kind).replace("li s1, 3", "la s0, kept\n  li s1, 3")
                made = self.compiled("test.S", text)
                self.check(made)
                program = Program(Object(made))
                inserted = insertion.Insertion(program.object, generate.words(program, everything(program, 0)))
                inserted.apply()
                self.assertTrue(any(inserted.longer.values()))

    def test_no_hints_leave_the_program_alone(self):
        given = self.inputs(self.compiled("test.c", c_program(5).replace("memcpy", "__builtin_memcpy")))
        self.tools.link(given.gathered, self.path("linked"))
        plain, steered = given.link(given.program(), "plain"), build.steer(given, Allocation(8))[0]
        images = [self.image(path) for path in (self.path("linked"), plain, steered)]
        self.assertEqual(images[0], images[1])
        self.assertEqual(images[0], images[2])

    @staticmethod
    def image(path):
        with open(path, "rb") as file:
            return [(segment["p_vaddr"], segment["p_memsz"], segment.data()) for segment in ELFFile(file).iter_segments()
                    if segment["p_type"] == "PT_LOAD"]


ASSEMBLY = """
  .text
  .globl f, g
  .type f, @function
f:
.Lloop:
  ld a1, 8(a0)
  bnez a1, .Lloop
  sd a1, -8(a0)
  ret
  .size f, .-f
  .type g, @function
g:
  lla a5, .Ltable
  lw a4, 0(a5)
  jr a4
.Lcase:
  lb a1, 3(a0)
  amoadd.w a1, a1, (a0)
  lr.d a1, (a0)
  ret
  .size g, .-g
late:
  auipc a5, %pcrel_hi(somewhere)
  ld a5, %pcrel_lo(late)(a5)
  ret
  .section .rodata
.Ltable:
  .word .Lcase - g
  .dword f + 4
"""


class Objects(Bench):
    def setUp(self):
        super().setUp()
        self.program = self.assembled(ASSEMBLY)
        self.named = functions(self.program)

    def test_accesses(self):
        self.assertEqual([(str(access), access.kind, access.base, access.displacement) for access in self.program.accesses[:4]],
                         [("f+0", "load", 10, 8), ("f+1", "store", 10, -8), ("g+0", "load", 15, 0), ("g+1", "load", 10, 3)])
        self.assertEqual([access.kind for access in self.program.accesses[4:6]], ["atomic", "atomic"])
        self.assertTrue(self.program.accesses[6].late)
        self.assertNotIn(4, matching.hintable(self.program))

    def rewritten(self, allocation):
        generate.rewrite(self.program, allocation)
        return self.program.object.code()[0].data, {symbol.name: symbol for symbol in self.program.object.symbols}

    def test_a_jump_reaches_the_hint_and_a_call_the_increment(self):
        f = self.named["f"]
        data, symbols = self.rewritten(Allocation(8, {f.accesses[1].index: 8}, {f.accesses[0].index: 9}, {entry(f.index): 1}))
        words = [int.from_bytes(data[at:at + 4], "little") for at in (0, 4)]
        self.assertEqual([contract.decode(word) for word in words], [("next", 1), ("hint", 0, 9, 10, 2)])
        self.assertEqual((symbols["f"].value, symbols[".Lloop"].value), (0, 4))
        self.assertEqual(symbols["g"].value, symbols["f"].size)

    def test_addends_follow_their_instruction(self):
        f = self.named["f"]
        self.rewritten(Allocation(8, {f.accesses[1].index: 8}, {f.accesses[0].index: 8}, {entry(f.index): 0}))
        rodata = next(section for section in self.program.object.sections if section.name == ".rodata")
        found = [found.addend for found in rodata.relocations if self.program.object.symbols[found.symbol].name == "f"]
        self.assertEqual(found, [12 if self.compressed_load() else 8])

    def compressed_load(self):
        """f + 4 lies behind the load and the branch if both are compressed, and is the branch's end or the branch otherwise."""
        return self.named["f"].instructions[1].offset + self.named["f"].instructions[1].size == 4

    def test_a_label_of_pcrel_lo_stays_at_its_instruction(self):
        late = self.named["late"]
        self.assertFalse(late.can_increment)
        _, symbols = self.rewritten(Allocation(8, {}, {late.accesses[0].index: 3}, {}))
        self.assertIn(f"hauberk.steer.a{late.accesses[0].index}", symbols)

    def test_a_store_moves_its_base_and_back(self):
        program = self.assembled("  .text\n  .globl f\nf:\n  sb a5, -1(a4)\n1:\n  ret\n  sb a4, 0(a4)\n  sb a5, 0(sp)\n  bnez a4, 1b\n")
        store, own, stack = program.accesses
        self.assertEqual([nudged.nudgeable(access, -3) for access in (store, own, stack)], [True, False, False])
        found = Allocation(8, {store.index: 8}, {}, {})
        found.units[store.index], found.nudges[store.index] = -1, -3
        generate.rewrite(program, found)
        data = program.object.code()[0].data
        words = [int.from_bytes(data[at:at + 4], "little") for at in range(0, 16, 4)]
        # addi a4, a4, -3; hint; sb a5, 2(a4); addi a4, a4, 3
        self.assertEqual([words[0], words[2], words[3]], [0xffd70713, 0x00f70123, 0x00370713])
        self.assertEqual(contract.decode(words[1]), ("hint", 1, 8, 14, -1))
        self.assertIn(16, {symbol.value for symbol in program.object.symbols if symbol.name.startswith(".L1")})

    def test_data_among_code_is_not_code(self):
        program = self.assembled("  .text\nf:\n  ret\n  .word 0x00052503\n  .globl h\nh:\n  lw a0, 0(a0)\n  ret\n")
        self.assertEqual([str(access) for access in program.accesses], ["h+0"])

    def test_layout(self):
        layout = insertion.Layout({8: [(0, 1), (1, 2)]}, {4: Longer(2, b"123456", 0, 0)})
        self.assertEqual([layout.place(4, rank) for rank in range(3)], [4, 4, 4])
        self.assertEqual(layout.place(6, 0), 10)
        self.assertEqual([layout.place(8, rank) for rank in range(3)], [12, 16, 20])

    def test_objects_are_written_as_they_were_read(self):
        self.program.object.write(self.path("copy.o"))
        again = Object(self.path("copy.o"))
        for old, new in zip(self.program.object.sections, again.sections):
            self.assertEqual((old.name, bytes(old.data) if old.kind != 3 else b""), (new.name, bytes(new.data) if new.kind != 3 else b""))


class Patching(Bench):
    def test_hints_take_base_and_offset_from_the_linked_access(self):
        text = """#include "hauberk.h"
RESULTS uint64_t kept;
uint64_t near = 1;
int main(void) { near += 5; kept = near; return 0; }
"""
        given = self.inputs(self.compiled("test.c", text))
        program = given.program()
        main = functions(program)["main"]
        chosen = {access.index: 1 for access in main.accesses if access.late}
        self.assertTrue(chosen)
        kinds = {kind: {number: 1 for number in chosen if program.accesses[number].kind == kind} for kind in ("store", "load")}
        steered, lost = build.steer(given, Allocation(8, kinds["store"], kinds["load"]))
        with open(steered, "rb") as file:
            elf = ELFFile(file)
            text = elf.get_section_by_name(".text")
            symbol = elf.get_section_by_name(".symtab").get_symbol_by_name("main")[0]
            self.assertIsNone(elf.get_section_by_name(".symtab").get_symbol_by_name(f"hauberk.steer.a{next(iter(chosen))}"))
            start = symbol["st_value"] - text["sh_addr"]
            code = text.data()[start:start + symbol["st_size"]]
        self.agree(code, len(chosen) - len(lost))

    def agree(self, code, count):
        found = list(patching.Disassembler().instructions(code, 0, len(code)))
        hinted = [(contract.decode(int.from_bytes(code[one.offset:one.offset + 4], "little")), other)
                  for one, other in zip(found, found[1:]) if one.size == 4 and code[one.offset] == contract.OPCODE]
        self.assertEqual(len(hinted), count)
        for (_, _, _, base, units), access in hinted:
            self.assertEqual((base, units), (access.base, contract.offset_units(access.displacement)))


if __name__ == "__main__":
    unittest.main()
