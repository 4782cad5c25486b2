"""The polynomial hash over GF(2^64)."""

MODULUS = 1 << 64 | 0b11011


def words(data):
    return [int.from_bytes(data[at:at + 8], "little") for at in range(0, len(data), 8)]


def double(element):
    element <<= 1
    return element ^ MODULUS if element >> 64 else element


class Point:
    """A point of the hash, with its products by every byte at each of eight places."""

    def __init__(self, value):
        self.products = []
        for _ in range(8):
            products = [0]
            for _ in range(8):
                products += [product ^ value for product in products]
                value = double(value)
            self.products.append(products)

    def times(self, element):
        product = 0
        for products in self.products:
            product ^= products[element & 255]
            element >>= 8
        return product

    def hash(self, words_of_it):
        total = 0
        for word in words_of_it:
            total = self.times(total ^ word)
        return total
