"""Summaries of the beats of a group: the two policies of docs/senss.md."""

import functools

import group
from aes import xor

ZERO = bytes(16)


class Cbc:
    """A chain for each slot and lane, and one for the slot's headers."""

    def __init__(self, session, lanes, slots):
        masks = group.derived(session, group.MASK_KEY)
        self.key = group.derived(session, group.MAC_KEY)
        self.chains = [[masks.encrypt(group.mask_block(group.FIRST_CHAIN, lane, 0, slot)) for lane in range(lanes + 1)] for slot in range(slots)]

    def take(self, counted, blocks, header):
        """`blocks` is empty for a beat without data."""
        slot = self.chains[counted % len(self.chains)]
        for lane, block in [*enumerate(blocks), (-1, header)]:
            slot[lane] = self.key.encrypt(xor(slot[lane], block))

    def summary(self):
        return functools.reduce(xor, (chain for slot in self.chains for chain in slot))


class Ghash:
    def __init__(self, session, lanes, slots):
        # The hash key is a derived block; GCM has the coefficient of x^0 in a block's most significant bit
        self.key = int.from_bytes(group.derived(session, group.HASH_KEY).raw, "big")
        self.lanes, self.total = lanes, 0

    def take(self, counted, blocks, header):
        for block in [*(blocks or [ZERO] * self.lanes), header]:
            self.total = self.times_key(self.total ^ int.from_bytes(block, "big"))

    def times_key(self, element):
        product, power = 0, self.key
        for bit in range(127, -1, -1):
            if element >> bit & 1:
                product ^= power
            power = power >> 1 ^ (0xe1 << 120 if power & 1 else 0)
        return product

    def summary(self):
        return self.total.to_bytes(16, "big")
