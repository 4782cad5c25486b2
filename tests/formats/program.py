"""What a program and its package say of decrypted memory."""

from refusal import demand


def fnv1a(data):
    digest = 0xcbf29ce484222325
    for byte in data:
        digest = (digest ^ byte) * 0x100000001b3 % (1 << 64)
    return digest


class Program:
    def __init__(self, run, banks):
        self.run, self.banks = run, banks

    def bytes(self, start, end):
        """Decrypted bytes of bus addresses."""
        found = bytearray()
        address = start - start % self.run.description["blockBytes"]
        first = address
        while address < end:
            bank = next(bank for bank in self.banks if bank.memory.bank.holds(address))
            found += bank.plaintext(bank.memory.bank.local(address) // bank.memory.block_bytes)
            address += bank.memory.block_bytes
        return bytes(found[start - first:end - first])

    def expected(self, address, size):
        """Of the package, whose plaintext leaves out the regions that it ships in the clear."""
        place = slice(address - self.run.base, address - self.run.base + size)
        shipped = any(region["plain"] and region["base"] <= address < region["base"] + region["bytes"] for region in self.run.description.get("regions", []))
        return (self.run.image if shipped else self.run.plaintext)[place]

    def check(self):
        """Read-only segments and results; how many bytes of both."""
        return self.check_segments() + self.check_results()

    def check_segments(self):
        checked = 0
        for segment in self.run.vendor["segments"]:
            if not segment["writable"]:
                start, size = int(segment["address"], 0), segment["fileBytes"]
                demand(self.bytes(start, start + size) == self.expected(start, size),
                       f"the read-only segment at {start:#x} does not decrypt to that of the program")
                checked += size
        return checked

    def check_results(self):
        if "checksum" not in self.run.uart:
            return 0
        start, end = (int(self.run.vendor["results"][name], 0) for name in ("start", "end"))
        demand(fnv1a(self.bytes(start, end)) == int(self.run.uart["checksum"], 16), "the results do not decrypt to bytes of the checksum that was printed")
        return end - start

    def check_image(self):
        """Blocks of the image that were never written; how many."""
        count = 0
        for bank in self.banks:
            for block in bank.unwritten():
                demand(bank.plaintext(block) == self.expected(bank.memory.block_address(block), bank.memory.block_bytes),
                       f"block {block} of bank {bank.memory.index} is of the image, and does not decrypt to it")
                count += 1
        return count
