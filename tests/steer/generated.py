"""Programs for the tests, in C and in assembly, made from a seed."""

import random

HEAD = """#include "hauberk.h"
static RESULTS uint64_t results[8];
static volatile uint64_t cell;
static uint64_t table[64], words[256];
static uint8_t bytes[200];
"""


def c_program(seed):
    """Recursion, switch tables, function pointers, arrays of several widths, globals, doubles."""
    source = random.Random(seed)
    cases = source.randrange(8, 14)
    functions = source.randrange(2, 5)
    parts = [HEAD]
    for number in range(functions):
        body = "\n".join(_statement(source) for _ in range(source.randrange(2, 6)))
        parts.append(f"static __attribute__((noinline)) uint64_t leaf{number}(uint64_t x, uint64_t y) {{\n"
                     f"  uint64_t local[{source.randrange(3, 40)}];\n  for (unsigned i = 0; i < ARRAY_LENGTH(local); i++) local[i] = x * i + y;\n"
                     f"  __asm__ volatile(\"\" :: \"r\"(local) : \"memory\");\n{body}\n  return x ^ local[y % ARRAY_LENGTH(local)];\n}}\n")
    pointers = ", ".join(f"leaf{number}" for number in range(functions))
    parts.append(f"static uint64_t (*const pointers[])(uint64_t, uint64_t) = {{{pointers}}};\n")
    parts.append("static __attribute__((noinline)) uint64_t chosen(uint64_t x) {\n  switch (x) {\n"
                 + "".join(f"    case {number}: table[{source.randrange(64)}] += x * {source.randrange(99)}; return cell + {number};\n"
                           for number in range(cases)) + "    default: cell++; return x >> 3;\n  }\n}\n")
    parts.append("static __attribute__((noinline)) uint64_t deep(uint64_t n, uint64_t x) {\n  if (n == 0) return chosen(x % 17);\n"
                 f"  uint64_t left = deep(n - 1, x * 3 + n);\n  {_statement(source)}\n"
                 "  return left + (n & 1 ? pointers[n % ARRAY_LENGTH(pointers)](x, n) : deep(n / 2, x));\n}\n")
    parts.append(f"int main(void) {{\n  double sum = 0;\n  for (uint64_t i = 0; i < {source.randrange(10, 40)}; i++) {{\n"
                 f"    results[i % 8] ^= deep(i % {source.randrange(5, 9)}, i * {source.randrange(1, 1 << 30)});\n"
                 "    sum += (double)(table[i % 64] & 0xffff) / 3;\n    words[i] = i * i;\n    bytes[(i * 7) % 200] = (uint8_t)i;\n  }\n"
                 "  results[0] ^= (uint64_t)(sum * 1000) + bytes[21] + words[9];\n  return 0;\n}\n")
    return "".join(parts)


def _statement(source):
    number = source.randrange(1, 60)
    return source.choice([
        f"  for (unsigned i = 0; i < {number % 20 + 1}; i++) table[(x + i) % 64] ^= x << (i & 7);",
        f"  cell = cell * {number} + x;",
        f"  bytes[x % 200] ^= (uint8_t){number}; x += bytes[(x >> 8) % 200];",
        f"  if (x & {number}) words[x % 256] += {number}; else x ^= words[(x >> 5) % 256];",
        f"  ((uint32_t *)words)[x % 512] = (uint32_t)x; x += ((uint16_t *)words)[{number}];",
        "  memcpy(table + x % 32, words + x % 200, 128);",
    ])


def far_branches(distance, kind):
    """A loop whose branches reach about so many bytes over loads and stores. kind: the branch instruction, with its first operands."""
    filling = distance // 4
    return f"""
  .text
  .globl main
  .type main, @function
main:
  addi sp, sp, -64
  sd ra, 56(sp)
  li s1, 3
  li a0, 0
1:
  {kind} 2f
  .rept {filling // 2}
  c.sd a0, 0(s0)
  c.ld a1, 0(s0)
  .endr
  .rept {filling - filling // 2}
  c.sdsp a0, 8(sp)
  c.ldsp a1, 8(sp)
  .endr
  addi a0, a0, 1
2:
  addi s1, s1, -1
  addi a0, a0, 5
  bnez s1, 3f
  j 4f
3:
  .rept {filling // 3}
  c.ldsp a1, 8(sp)
  .endr
  j 1b
4:
  la a2, kept
  sd a0, 0(a2)
  ld ra, 56(sp)
  addi sp, sp, 64
  li a0, 0
  ret
  .size main, .-main
  .section .results, "aw", @nobits
kept:
  .zero 8
"""
