"""The keys of a run."""

import group
from aes import Key
from refusal import demand


def key_of(words):
    return Key(b"".join(int(word, 0).to_bytes(8, "big") for word in words))


def pad_key(run):
    """Under which tiles encrypt for memory: that of group 0 from the first set-up on."""
    shares = {member: int(word, 0) for member, word in enumerate(run.record["pads"]["shares"])}
    return group.derived(group.session_key(Key(bytes.fromhex(run.vendor["busKey"])), 0, shares), group.PAD_KEY)


class Keys:
    """Static key, and for each engine its dynamic keys, the last one last, and that of its second context."""

    def __init__(self, run):
        description = run.description
        self.static = Key(bytes.fromhex(run.vendor["staticKey"]))
        if description["counterFormat"] == "announced":
            self.dynamic = [pad_key(run)]
            return
        words, engines = run.record["entropy"]["words"], description["engines"]
        pairs = [key_of(words[at:at + 2]) for at in range(0, len(words) - 1, 2)]
        second = any(region["context"] for region in description.get("regions", []))
        self.dynamic = pairs[:1]
        self.second = pairs[1:1 + engines] if second else []
        later = pairs[1 + len(self.second):]
        demand(not later or engines == 1, f"the record does not say which of {engines} engines took the later words of entropy")
        self.dynamic += later
