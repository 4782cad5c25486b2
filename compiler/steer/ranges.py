"""Branches that no longer reach their target get the next longer form: compressed, 4 bytes, inverse branch and jump."""

from . import relocations

REACH = {relocations.RVC_BRANCH: 1 << 8, relocations.RVC_JUMP: 1 << 11, relocations.BRANCH: 1 << 12}
# Alignment and the linker's own changes move targets by less than this
MARGIN = 64
JUMP = 0x0000006f               # jal zero
OVER_THE_JUMP = 8 >> 1 << 8     # offset of 8 bytes in a branch


def lengthen(data, entry, distance, before):
    """(old size, new bytes) for the branch of a relocation, or None if its present form reaches. `before` is its longer form so far."""
    if entry.kind not in REACH:
        return None
    size = 4 if entry.kind == relocations.BRANCH else 2
    form = before[1] if before else data[entry.offset:entry.offset + size]
    if len(form) == 8 or form[0] & 0x7f == 0x6f:
        return None
    reach = REACH[relocations.BRANCH] if len(form) == 4 else REACH[entry.kind]
    # An insertion after the instruction's start lies between it and its target
    if -reach + MARGIN <= distance < reach - MARGIN:
        return None
    if entry.kind == relocations.RVC_JUMP:
        return size, JUMP.to_bytes(4, "little")
    if len(form) == 2:
        return size, _full_branch(int.from_bytes(form, "little")).to_bytes(4, "little")
    inverse = int.from_bytes(form, "little") ^ 1 << 12
    inverse = inverse & ~0xfe000f80 | OVER_THE_JUMP
    return size, inverse.to_bytes(4, "little") + JUMP.to_bytes(4, "little")


def _full_branch(compressed):
    """beq or bne with zero, for c.beqz or c.bnez."""
    register = (compressed >> 7 & 7) + 8
    return register << 15 | (compressed >> 13 & 1) << 12 | 0x63
