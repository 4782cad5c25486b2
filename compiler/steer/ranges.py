"""Branches that no longer reach their target get the next longer form: compressed, 4 bytes, inverse branch and jump.

Each form is longer by a multiple of 4 bytes, so that the alignment of hand-written code without relaxation stays.
"""

import collections

from . import relocations

REACH = {relocations.RVC_BRANCH: 1 << 8, relocations.RVC_JUMP: 1 << 11, relocations.BRANCH: 1 << 12}
# Alignment and the linker's own changes move targets by less than this
MARGIN = 64
JUMP = (0x0000006f).to_bytes(4, "little")       # jal zero
OVER_THE_JUMP = 8 >> 1 << 8                     # offset of 8 bytes in a branch
PADDING = (0x0001).to_bytes(2, "little")        # c.nop

# `size` bytes of old code become `data`. The relocation moves by `at` bytes and becomes one of `kind`.
Longer = collections.namedtuple("Longer", "size data at kind")


def lengthen(data, entry, distance, before):
    """The longer form of a relocation's branch, or None if its present form reaches. `before` is its longer form so far."""
    if entry.kind not in REACH or before and before.kind == relocations.JAL:
        return None
    reach = REACH[before.kind if before else entry.kind]
    if -reach + MARGIN <= distance < reach - MARGIN:
        return None
    if entry.kind == relocations.RVC_JUMP:
        return Longer(2, JUMP + PADDING, 0, relocations.JAL)
    if entry.kind == relocations.BRANCH:
        return Longer(4, _over(data[entry.offset:entry.offset + 4]) + JUMP, 4, relocations.JAL)
    branch = _full_branch(data[entry.offset:entry.offset + 2])
    if before is None:
        return Longer(2, branch + PADDING, 0, relocations.BRANCH)
    return Longer(2, _over(branch) + JUMP + PADDING, 4, relocations.JAL)


def _over(branch):
    """The inverse branch, over the jump behind it."""
    inverse = int.from_bytes(branch, "little") ^ 1 << 12
    return (inverse & ~0xfe000f80 | OVER_THE_JUMP).to_bytes(4, "little")


def _full_branch(compressed):
    """beq or bne with zero, for c.beqz or c.bnez."""
    word = int.from_bytes(compressed, "little")
    register = (word >> 7 & 7) + 8
    return (register << 15 | (word >> 13 & 1) << 12 | 0x63).to_bytes(4, "little")
