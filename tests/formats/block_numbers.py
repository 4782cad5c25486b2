"""The number of each block of a bank: its counter, or DIRECT if it is encrypted without one."""

import counter_tree
import counters
import number_table
from refusal import demand

DIRECT = -1


def numbers_of(memory, keys, roots):
    kind = memory.run.description["counterFormat"]
    demand(kind in FORMATS, f"docs/formats.md has no counters of format \"{kind}\"")
    numbers = FORMATS[kind](memory, keys, roots)
    return numbers[:memory.blocks]


def of_lines(memory, parse):
    lines = memory.lines("counter")
    return [number for line in range(lines) for number in parse(line, memory.line("counter", line))]


def plain(memory, keys, roots):
    per_line = memory.run.description["metadata"]["countersPerLine"]
    width = memory.run.description["arrays"][0]["entryBits"]
    return of_lines(memory, lambda _, line: counters.plain(line, width, per_line))


def under_tree(parse):
    def numbers(memory, keys, roots):
        lines = counter_tree.verified_lines(memory, keys.dynamic[-1], roots.counters(memory.index))
        return [number for line in lines for number in parse(line)]
    return numbers


def spilled(memory, keys, roots):
    key = keys.dynamic[-1]
    return of_lines(memory, lambda index, line: counters.spilled(key, memory.index, index, line))


def written_bits(memory, keys, roots):
    numbers = [DIRECT if bit else 0 for bit in of_lines(memory, lambda _, line: counters.written(line))]
    line_bits = (memory.bank.size // memory.block_bytes // 16).bit_length() - 1
    for line, on_chip in number_table.lines_of(roots.of(memory.index, "NumberTable"), line_bits).items():
        numbers[16 * line:16 * line + 16] = on_chip
    return numbers


def announced(memory, keys, roots):
    numbers = [0] * memory.blocks
    for said in memory.run.record["pads"]["announced"]:
        numbers[said["block"]] = 32 * said["count"] + said["writer"]
    return numbers


def none(memory, keys, roots):
    return [0] * memory.blocks


FORMATS = {"plain": plain, "pairs": plain, "per-address": under_tree(counters.timestamps), "split": under_tree(counters.split),
           "spilled": spilled, "written bits": written_bits, "announced": announced, "none": none}
