"""Where the hint of a load may stand, and where it does stand."""

import json

from bench import Bench, runtime
from steer import blocks as places, build, contract, early, generate
from steer.allocation import Allocation, Early, before
from steer.contract import Hardware
from steer.model import Model
from steer.operands import operands
from traces import Maker

REGISTERS = "zero ra sp gp tp t0 t1 t2 s0 s1 a0 a1 a2 a3 a4 a5 a6 a7 s2 s3 s4 s5 s6 s7 s8 s9 s10 s11 t3 t4 t5 t6".split()
LOOP = """
  .text
f:
  li a4, 0
.Lnext:
  lbu a3, 0(a5)
  xor a4, a4, a3
  addi a5, a5, 1
  lw a6, 0(a7)
  add a4, a4, a6
  bne a5, a2, .Lnext
  ret
"""


class Operands(Bench):
    def test_each_form(self):
        for text, reads, writes, addition in [
                ("addi a0, a1, -5", "a1", "a0", ("a1", -5)), ("c.addi a0, -5", "a0", "a0", ("a0", -5)), ("c.mv a0, a1", "a1", "a0", ("a1", 0)),
                ("c.addi16sp sp, -496", "sp", "sp", ("sp", -496)), ("c.addi16sp sp, 48", "sp", "sp", ("sp", 48)),
                ("c.addi4spn a0, sp, 1020", "sp", "a0", ("sp", 1020)), ("c.addi4spn a0, sp, 8", "sp", "a0", ("sp", 8)), ("li a0, 3", "", "a0", None),
                ("c.addiw a0, 1", "a0", "a0", None), ("c.add a0, a1", "a0 a1", "a0", None), ("c.sub a0, a1", "a0 a1", "a0", None),
                ("c.srli a0, 3", "a0", "a0", None), ("c.slli t6, 3", "t6", "t6", None), ("c.ld a0, 8(a1)", "a1", "a0", None),
                ("c.sd a0, 8(a1)", "a0 a1", "", None), ("c.ldsp ra, 8(sp)", "sp", "ra", None), ("c.sdsp ra, 8(sp)", "sp ra", "", None),
                ("c.fld fa0, 8(a1)", "a1", "f10", None), ("c.fsdsp fa0, 8(sp)", "sp f10", "", None), ("mul a0, a1, a2", "a1 a2", "a0", None),
                ("sb a0, 3(a1)", "a0 a1", "", None), ("fld fa0, 8(t1)", "t1", "f10", None), ("lui a0, 1", "", "a0", None),
                ("fmadd.d fa0, fa1, fa2, fa3", "f11 f12 f13", "f10", None), ("feq.d a0, fa1, fa2", "f11 f12", "a0", None),
                ("fmv.d.x fa0, a1", "a1 f0", "f10", None), ("fcvt.w.d a0, fa1", "f0 f11", "a0", None), ("bltu a0, a1, .", "a0 a1", "", None)]:
            with self.subTest(text=text):
                section = self.assembled(f"  .text\nf:\n  {text}\n  .word 0\n").object.code()[0]
                size = 4 if section.data[0] & 3 == 3 else 2
                found = operands(bytes(section.data[:size]))
                # fcvt and fmv have a number in the field of the second register
                self.assertLessEqual(self.numbers(reads), found.reads | {32})
                self.assertEqual(found.reads - self.numbers(reads) - set(range(32, 64)), set())
                self.assertEqual(found.writes, self.numbers(writes))
                self.assertEqual(found.addition, addition and (REGISTERS.index(addition[0]), addition[1]))

    @staticmethod
    def numbers(names):
        return {REGISTERS.index(name) if name in REGISTERS else 32 + int(name[1:]) for name in names.split()}

    def test_what_is_not_looked_into(self):
        for text in ("ecall", "fence", "amoadd.w a0, a1, (a2)", "c.ebreak", "csrr a0, cycle", "lr.w a0, (a1)"):
            section = self.assembled(f"  .text\nf:\n  {text}\n  .word 0\n").object.code()[0]
            self.assertIsNone(operands(bytes(section.data[:4 if section.data[0] & 3 == 3 else 2])), text)


class Places(Bench):
    def spots(self, text, crossing=True, stops=None, register=None):
        """Of the last load: [(instruction, base, displacement)]. Registers grow so many instructions above it."""
        program = self.assembled("  .text\nf:\n" + text + "\n  ret\n")
        access = [access for access in program.accesses if access.kind == "load"][-1]
        blocks = places.Blocks(program)
        walk = places.Walk(blocks, lambda passed, mine: crossing, {(access.section.index, access.offset - 4 * up): {3} for up in stops or ()})
        block = blocks.of[access.index][0]
        return [(places.ordinal(block, spot), spot.base, spot.displacement) for spot in walk.spots(access, register)]

    def test_other_instructions_are_passed(self):
        self.assertEqual(self.spots("mul a2, a3, a4\n xor a2, a2, a3\n ld a0, 16(a1)"), [(1, 11, 16), (0, 11, 16)])

    def test_the_base_must_be_known(self):
        self.assertEqual(self.spots("mul a2, a3, a4\n add a1, a1, a3\n ld a0, 16(a1)"), [])
        self.assertEqual(self.spots("ld a1, 0(a1)\n li a4, 0\n ld a0, 16(a1)"), [(1, 11, 16)])
        self.assertEqual(self.spots("nop\n lui a1, %hi(x)\n addi a1, a1, %lo(x)\n li a4, 0\n ld a0, 16(a1)"), [(3, 11, 16)])

    def test_additions_are_corrected(self):
        self.assertEqual(self.spots("nop\n addi a1, a1, 1\n li a4, 0\n lbu a0, -1(a1)"), [(2, 11, -1), (1, 11, 0), (0, 11, 0)])
        self.assertEqual(self.spots("nop\n addi a1, sp, 8\n lbu a0, 4(a1)"), [(1, 2, 12), (0, 2, 12)])

    def test_labels_branches_calls_and_fences_stop(self):
        for text in (".globl other\nother:\n", "beqz a5, f\n", "call g\n", "fence\n", "ecall\n", "amoadd.w a4, a4, (a5)\n", ".word 0x0000700b\n",
                     ".Llocal:\n beqz a5, .Llocal\n"):
            self.assertEqual(len(self.spots(f"nop\n {text} li a4, 0\n ld a0, 16(a1)")), 1, text)

    def test_a_label_that_nothing_uses_does_not_stop(self):
        self.assertEqual(len(self.spots("nop\n.Lunused:\n li a4, 0\n ld a0, 16(a1)")), 2)

    def test_accesses_of_its_block_stop(self):
        text = "nop\n sd a4, 8(a3)\n li a4, 0\n ld a0, 16(a1)"
        self.assertEqual((len(self.spots(text)), len(self.spots(text, crossing=False))), (3, 1))

    def test_increments_of_its_register_stop(self):
        text = ".option norvc\n nop\n nop\n nop\n ld a0, 16(a1)"
        self.assertEqual([len(self.spots(text, stops=[2], register=register)) for register in (3, 4)], [1, 3])
        self.assertEqual(self.spots(text, stops=[0], register=3), [])

    def test_the_iteration_before(self):
        program = self.assembled(LOOP)
        load = program.accesses[0]
        blocks = places.Blocks(program)
        found = list(places.Walk(blocks, lambda passed, mine: True, {}).spots(load))
        # Behind the load, down to the branch; the addition to the base is taken into account
        self.assertEqual([(spot.position, spot.displacement, spot.first.position) for spot in found],
                         [(5, 0, 0), (4, 0, 0), (3, 0, 0), (2, 1, 0), (1, 1, 0)])
        self.assertTrue(places.is_spot(blocks, load, Early(4, 15, 0, Early(1, 15, 0))))
        for wrong in (Early(4, 15, 0), Early(4, 14, 0, Early(1, 15, 0)), Early(1, 15, 0, Early(1, 15, 0)), Early(4, 15, 256, Early(1, 15, 0)),
                      Early(4, 15, 0, Early(0, 15, 0))):
            self.assertFalse(places.is_spot(blocks, load, wrong), wrong)

    def test_a_loop_with_another_way_in_has_no_such_place(self):
        for text in (LOOP.replace("li a4, 0", "beqz a4, .Lnext"), LOOP.replace(".Lnext:", ".globl next\nnext:\n.Lnext:"),
                     LOOP.replace("  li a4, 0\n", "")):
            program = self.assembled(text)
            self.assertEqual(list(places.Walk(places.Blocks(program), lambda *_: True, {}).spots(program.accesses[0])), [])


class Planned(Bench):
    def planned(self, text, addresses, loads, rounds=4, increments=None):
        """`addresses`: of each access in a round, in order."""
        program, made = self.assembled("  .text\nf:\n" + text + "\n  ret\n"), Maker()
        for number in range(rounds):
            for access, address in zip(program.accesses, addresses):
                (made.store if access.kind == "store" else made.load)(access.index, address + 64 * number)
        allocation = Allocation(8, {}, dict.fromkeys(loads, 8), increments)
        early.Planner(program, made.values(), Hardware()).place(allocation)
        return program, allocation

    def test_in_the_shadow_of_a_load(self):
        program, allocation = self.planned("ld a4, 0(a5)\n add a4, a4, a4\n ld a0, 16(a1)", [0, 1024], [1])
        self.assertEqual(allocation.early, {1: Early(1, 11, 4)})
        generate.rewrite(program, allocation)
        data = program.object.code()[0].data
        at = program.functions[0].instructions[1].offset
        self.assertEqual(contract.decode(int.from_bytes(data[at:at + 4], "little")), ("hint", 0, 8, 11, 4))

    def test_nothing_to_gain(self):
        self.assertEqual(self.planned("ld a0, 16(a1)\n nop\n nop", [1024], [0])[1].early, {})

    def test_a_pad_takes_time(self):
        self.assertEqual(self.planned("nop\n" * 8 + "ld a0, 16(a1)", [1024], [0])[1].early, {0: Early(5, 11, 4)})

    def test_not_above_an_access_of_the_same_block(self):
        for other in (1024, 1028):
            self.assertEqual(self.planned("nop\n" * 8 + "sw a4, 0(a5)\n add a4, a4, a4\n ld a0, 16(a1)", [other, 1024], [1])[1].early,
                             {1: Early(9, 11, 4)})
        self.assertEqual(self.planned("ld a4, 12(a1)\n add a4, a4, a4\n ld a0, 16(a1)", [4096, 1024], [1])[1].early, {1: Early(1, 11, 4)})

    def test_not_above_a_load_that_takes_its_slot(self):
        text = "nop\nnop\nnop\nnop\nnop\nld a4, 0(a5)\n ld a0, 16(a1)\n add a4, a4, a4"
        self.assertNotIn(1, self.planned(text, [1024 + 64, 1024], [0, 1])[1].early)

    def test_no_more_pads_than_the_engine_keeps(self):
        text = "".join(f"ld s{number}, {64 * number}(a{number})\n" for number in range(2, 8))
        text = "nop\n" * 8 + text
        program, allocation = self.planned(text, [8 * number for number in range(6)], range(6))
        places = {number: allocation.early[number].ordinal if number in allocation.early else 8 + number for number in range(6)}
        for number in range(6):
            between = [other for other in range(6) if places[number] <= places[other] < 8 + number and other != number
                       and (places[other], other) > (places[number], number)]
            self.assertLess(len(between), contract.KEPT_PADS)

    def test_not_above_an_increment(self):
        text = "nop\n" * 8 + "sd a4, 0(a5)\n nop\n ld a0, 16(a1)"
        self.assertLess(self.planned(text, [0, 1024], [1])[1].early[1].ordinal, 9)
        # Id 8 belongs to register 0
        self.assertGreaterEqual(self.planned(text, [0, 1024], [1], increments={before(0): 0})[1].early.get(1, Early(10, 0, 0)).ordinal, 9)


SOURCE = """#include "hauberk.h"
RESULTS uint64_t kept[2];
static uint8_t bytes[1500];
static uint64_t words[64];
__attribute__((noinline)) uint64_t sum(const uint8_t *at, const uint8_t *end, const uint64_t *other) {
  uint64_t total = 0;
  while (at != end) total = total * 3 + *at++;
  return total ^ other[1] ^ other[9] * other[17];
}
int main(void) {
  for (unsigned i = 0; i < sizeof bytes; i++) bytes[i] = (uint8_t)(i * 7);
  for (unsigned i = 0; i < 64; i++) words[i] = i * i;
  __asm__ volatile("" ::: "memory");
  for (unsigned i = 0; i < 4; i++) kept[i & 1] ^= sum(bytes, bytes + sizeof bytes, words);
  return 0;
}
"""


class EndToEnd(Bench):
    def test_same_results_and_right_hints(self):
        inputs = [self.compiled("test.c", SOURCE), *runtime()]
        build.make_profile(self.tools, inputs, self.path("profile"), 0, 1 << 22)
        seen = {}
        for is_early in (False, True):
            report = build.make_steered(self.tools, inputs, self.path("out"), self.path("profile"), Hardware(), early_hints=is_early)
            model = Model(self.path("out"), Hardware())
            counts = model.run(0)
            self.assertEqual(model.board.exit_code, 0)
            for name in ("right", "wrong", "notApplied"):
                self.assertAlmostEqual(report["loads"][name], counts[name], delta=40)
            seen[is_early] = self.ran(self.path("out"))[1], report["loads"]["right"]
        self.assertEqual(seen[False][0], seen[True][0])
        self.assertGreaterEqual(seen[True][1] + 20, seen[False][1])
        places = report["allocation"]["early"]
        self.assertTrue(any(len(place) == 4 for name, place in places.items() if name.startswith("sum")))
        self.assertEqual(self.again(inputs, report), self.bytes("out"))
        report["allocation"]["early"][next(iter(places))] = [0, 31, 0]
        with self.assertRaisesRegex(build.SteerError, "another program"):
            self.again(inputs, report)

    def again(self, inputs, report):
        with open(self.path("report.json"), "w") as file:
            json.dump(report, file)
        build.make_again(self.tools, inputs, self.path("again"), self.path("report.json"), Hardware())
        return self.bytes("again")

    def bytes(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()
