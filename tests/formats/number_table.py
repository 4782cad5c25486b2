"""The numbers that a sequence number cache without replacement has on the chip."""


def lines_of(memories, line_bits):
    """{line: its 16 numbers}, of the words of the table's three memories: places in use and tags of each set, and lines of numbers."""
    used, tags, numbers = sorted(memories, key=lambda words: (len(words), max(words).bit_length()))
    sets = len(used)
    set_bits = sets.bit_length() - 1
    tag_bits = line_bits - set_bits
    found = {}
    for set_index in range(sets):
        for way in range(used[set_index]):
            tag = tags[set_index] >> tag_bits * way & (1 << tag_bits) - 1
            words = numbers[way * sets + set_index]
            found[tag << set_bits | set_index] = [words >> 32 * i & 0xffffffff for i in range(16)]
    return found
