"""Where a bank has what: its bus addresses, and the arrays behind the data."""


class Bank:
    """Bus addresses from `base` on whose bits `select_bits` equal `select`; local addresses have neither."""

    def __init__(self, base, size, select_bits, select):
        self.base, self.size, self.select_bits, self.select = base, size, sorted(select_bits), select

    def local(self, address):
        offset = address - self.base
        for bit in reversed(self.select_bits):
            offset = offset >> bit + 1 << bit | offset & (1 << bit) - 1
        return offset

    def address(self, local):
        offset = local
        for bit in self.select_bits:
            offset = offset >> bit << bit + 1 | offset & (1 << bit) - 1
        return self.base + (offset | self.select)

    def holds(self, address):
        offset = address - self.base
        mask = sum(1 << bit for bit in self.select_bits)
        return 0 <= offset < self.size << len(self.select_bits) and address & mask == self.select


def lines(entries, per_line):
    return -(-entries // per_line) if per_line else 0


def arrays_of(data_bytes, block_bytes, metadata):
    """(kind, level, base, lines) of each array behind the data. Lines are as long as blocks; levels of nodes count from 1."""
    blocks = data_bytes // block_bytes
    sizes = [(kind, 0, lines(blocks, metadata[kind + "sPerLine"])) for kind in ("counter", "version", "tag")]
    leaves = {"none": 0, "counters": sizes[0][2], "tags": sizes[2][2]}[metadata["tree"]]
    level = 0
    while leaves > metadata["rootEntries"]:
        level += 1
        leaves = lines(leaves, metadata["arity"])
        sizes.append(("node", level, leaves))
    base, found = data_bytes, []
    for kind, level, count in sizes:
        if count:
            found.append((kind, level, base, count))
            base += block_bytes * count
    return found, base


def layout_of(bank_bytes, block_bytes, metadata):
    """The largest multiple of 1/64 of the bank for which all fits."""
    for part in range(64, 0, -1):
        arrays, end = arrays_of(bank_bytes // 64 * part, block_bytes, metadata)
        if end <= bank_bytes:
            return bank_bytes // 64 * part, arrays
    raise ValueError(f"no data fit into a bank of {bank_bytes} bytes beside their metadata")
