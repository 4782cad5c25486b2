"""Verifies the dump of a run as a whole."""

import integrity
from contents import Contents
from keys import Keys
from program import Program
from roots import Roots
from run import Memory


def banks_of(run):
    """Decrypted banks, whose numbers, tags and logs are verified up to the roots."""
    keys, roots = Keys(run), Roots(run.record)
    return [Contents(Memory(run, index), keys, roots, run.header["imageBlocks"]) for index in range(len(run.description["banks"]))]


def verify(run):
    """Counts of what was verified. Raises Refused."""
    banks = banks_of(run)
    tags = sum(integrity.verify(bank) for bank in banks)
    program = Program(run, banks)
    return {"blocks of the image": program.check_image(), "written blocks": sum(1 for bank in banks for number in bank.numbers if number), "tags": tags,
            "bytes of the program": program.check()}
