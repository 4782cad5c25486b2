"""Tags of the blocks of a bank."""

import hash_tree
from field import words
from refusal import demand
from tags import image_tag, written_tag


def tags_of(contents, roots):
    """Of all blocks, once the tree above them is verified."""
    memory = contents.memory
    if contents.description["integrity"] == "hash tree":
        return hash_tree.verified_tags(memory, contents.keys.dynamic[-2:], roots.hashes(memory.index), contents.image_blocks)
    return [tag for line in range(memory.lines("tag")) for tag in words(memory.line("tag", line))]


def verify(contents):
    """How many tags are right. A log hash has tags of the image alone."""
    judged = [block for block, number in enumerate(contents.numbers) if contents.tags and (contents.is_image(block) or number and not contents.log)]
    for block in judged:
        demand(contents.tags[block] == tag_of(contents, block),
               f"bank {contents.memory.index}: the tag of block {block} is wrong under its counter {contents.numbers[block]}")
    return len(judged)


def tag_of(contents, block):
    stored, place = contents.memory.block(block), (contents.memory.index, block)
    hashed = contents.plaintext(block) if contents.description["overPlaintext"] else stored
    if contents.is_image(block):
        return image_tag(contents.keys.static, *place, contents.image_blocks, hashed)
    return written_tag(contents.key(block), *place, contents.numbers[block], hashed)
