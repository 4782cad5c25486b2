"""The hash tree over lines of tags."""

from aes import LINE_HASH, upper
from field import words
from refusal import demand


def line_hash(key, level, line, data):
    return upper(key.wide(LINE_HASH, [level << 56 | line, *words(data)])) or 1


def verified_tags(memory, keys, root, image_blocks):
    """Tags of all blocks, under the root's hashes of the lines of the last level, with any of the keys."""
    hashes = root
    for level in range(memory.levels, 0, -1):
        nodes = [verified(memory, keys, "node", level, line, hashes[line]) or bytes(64) for line in range(memory.lines("node", level))]
        hashes = [each for node in nodes for each in words(node)]
    tags = []
    for line in range(memory.lines("tag")):
        found = verified(memory, keys, "tag", 0, line, hashes[line])
        first = 8 * line
        tags += words(found) if found else [tag if first + i < image_blocks else 0 for i, tag in enumerate(words(memory.line("tag", line)))]
    return tags


def verified(memory, keys, kind, level, line, expected):
    """A line, or None if it was never written back."""
    if not expected:
        return None
    found = memory.line(kind, line, level)
    demand(any(line_hash(key, level, line, found) == expected for key in keys),
           f"bank {memory.index}: line {line} of level {level} of the hash tree has not the hash {expected:#x} of the level above")
    return found
