"""Dumps and records that a verifier must refuse, made of a run that it accepts."""

import contextlib
import copy

from refusal import Refused, demand
from verify import banks_of, verify
from writer import Writer


@contextlib.contextmanager
def flipped(run, address):
    """The lowest bit of a byte is another one, for as long as it lasts."""
    run.dram[address - run.base] ^= 1
    try:
        yield
    finally:
        run.dram[address - run.base] ^= 1


def things_of(bank, block):
    """(name, bus address of a byte) of all that memory has for a written block."""
    memory, shape = bank.memory, bank.description["metadata"]
    yield "data", memory.block_address(block) + memory.block_bytes - 1
    if bank.log:
        yield "version", memory.line_address("version", block // 16) + 4 * (block % 16)
    else:
        yield "tag", memory.line_address("tag", block // 8) + 8 * (block % 8)
    line, place = divmod(block, shape["countersPerLine"])
    if shape["tree"] == "counters":
        yield "line of counters", memory.line_address("counter", line)
        yield "MAC of a line of counters", memory.line_address("counter", line) + 63
    else:
        yield "counter", memory.line_address("counter", line) + memory.block_bytes // shape["countersPerLine"] * place
        line = block // 8
    for level in range(1, memory.levels + 1):
        yield f"node of level {level}", memory.line_address("node", line // 8 ** level, level) + 8
        yield f"end of a node of level {level}", memory.line_address("node", line // 8 ** level, level) + 63


def refusal(run):
    """Why a run is refused; None if it is accepted."""
    try:
        verify(run)
    except Refused as why:
        return str(why)
    return None


def image_mutants(run):
    """(name, refusal) of changed blocks of the program, which are compared with its package whatever the scheme."""
    for bank in banks_of(run):
        blocks = bank.unwritten()
        for block in {*blocks[:1], *blocks[-1:]}:
            with flipped(run, bank.memory.block_address(block)):
                yield f"block {block} of the image, bank {bank.memory.index}", refusal(run)
            if bank.verifies:
                with flipped(run, bank.memory.line_address("tag", block // 8) + 8 * (block % 8)):
                    yield f"tag of block {block} of the image, bank {bank.memory.index}", refusal(run)
    for segment in run.vendor["segments"]:
        if segment["fileBytes"] and not segment["writable"]:
            address = int(segment["address"], 0) + segment["fileBytes"] - 1
            with flipped(run, address):
                yield f"the read-only byte at {address:#x}", refusal(run)


def written_mutants(run):
    """Of the first block that was written, and the last of each bank: all that is flipped, and the older memory under the newer roots."""
    for index in range(len(run.description["banks"])):
        for block in blocks_to_write(banks_of(run)[index]):
            before, old_record = bytes(run.dram), run.record
            run.record = copy.deepcopy(old_record)
            bank = banks_of(run)[index]
            Writer(bank, run.record).write(block, bytes(range(bank.memory.block_bytes)))
            demand(refusal(run) is None, f"block {block} of bank {index}, which was written by the page, is refused: {refusal(run)}")
            for name, address in things_of(bank, block):
                with flipped(run, address):
                    yield f"{name} of block {block}, bank {index}", refusal(run)
            run.dram = bytearray(before)
            if "freshness" in run.description["claims"]:
                yield f"memory before block {block} of bank {index} was written", refusal(run)
            run.record = old_record
            demand(refusal(run) is None, "older memory is refused under its own roots")


def blocks_to_write(bank):
    """Minor counters and timestamps must have room."""
    written = [block for block, number in enumerate(bank.numbers) if number and number % 64 < 63]
    return [*written[:1], bank.memory.blocks - 1] if bank.verifies else []


def refused(run):
    """How many mutants are refused. Raises Refused if one is accepted."""
    tried = [*image_mutants(run), *written_mutants(run)]
    accepted = [name for name, why in tried if why is None]
    demand(not accepted, f"a change is not noticed: {'; '.join(accepted)}")
    return len(tried)
