"""A group of the secure bus: its keys, and what is on the bus of its beats (docs/senss.md, exact computation)."""

from aes import Key, xor

SET_UP, MASK_KEY, MAC_KEY, TAG_KEY, HASH_KEY, PAD_KEY = 0x40, 0x41, 0x42, 0x43, 0x44, 0x49
FIRST_MASK, FIRST_CHAIN, NEXT_MASK, SENDER_MASK = 0x45, 0x46, 0x47, 0x48


def packed(*fields):
    """An AES block of (value, width), the first in the most significant bits."""
    block = 0
    for value, width in fields:
        block = block << width | value
    assert sum(width for _, width in fields) == 128
    return block.to_bytes(16, "big")


def session_block(group, members):
    return packed((SET_UP, 8), (group, 8), (0, 80), (sum(1 << member for member in members), 32))


def session_key(group_key, group, shares):
    """Of {member: its random number}."""
    chained = group_key.encrypt(session_block(group, shares))
    for member, random in sorted(shares.items()):
        share = packed((SET_UP, 8), (0, 51), (member, 5), (random, 64))
        chained = group_key.encrypt(xor(chained, share))
    return Key(chained)


def derived(session, kind):
    return Key(session.encrypt(packed((kind, 8), (0, 120))))


def mask_block(kind, lane, sender, number, rest=0):
    return packed((kind, 8), (lane, 4), (sender, 5), (number, 47), (rest, 64))


def folded(ciphertext):
    """The XOR of the halves of an AES block, as a number."""
    return int.from_bytes(ciphertext[:8], "big") ^ int.from_bytes(ciphertext[8:], "big")
