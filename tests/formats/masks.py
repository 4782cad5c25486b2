"""Masks of the data on the secure bus: the two policies of docs/senss.md."""

import collections

import group


class Chained:
    """A slot's next masks depend on its last ciphertext."""

    def __init__(self, key, lanes, slots):
        self.key = key
        self.masks = [[key.encrypt(group.mask_block(group.FIRST_MASK, lane, 0, slot)) for lane in range(lanes)] for slot in range(slots)]

    def of(self, counted, sender):
        return self.masks[counted % len(self.masks)]

    def passed(self, counted, sender, ciphertexts):
        self.masks[counted % len(self.masks)] = [
            self.key.encrypt(group.mask_block(group.NEXT_MASK, lane, sender, counted, group.folded(ciphertext)))
            for lane, ciphertext in enumerate(ciphertexts)]


class PerSender:
    """A sender's masks depend on the number of its beats with data."""

    def __init__(self, key, lanes, slots):
        self.key, self.lanes, self.sent = key, lanes, collections.Counter()

    def of(self, counted, sender):
        return [self.key.encrypt(group.mask_block(group.SENDER_MASK, lane, sender, self.sent[sender])) for lane in range(self.lanes)]

    def passed(self, counted, sender, ciphertexts):
        self.sent[sender] += 1
