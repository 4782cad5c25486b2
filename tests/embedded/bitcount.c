// Population count by seven methods, which are called through a table (after MiBench's bitcount).
//
// Check: the methods agree, and their common total is known from Python's bin().
#include "hauberk.h"
#include "input.h"

#define METHODS 7

static const unsigned numbers[] = {110, 1000};
static const uint64_t known[] = {0x6d2, 0x3ecf};
static RESULTS uint64_t totals[METHODS];

static const uint8_t nibble_counts[16] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};
static uint8_t byte_counts[256];

static unsigned by_bits(uint32_t number) {
  unsigned count = 0;
  for (; number; number >>= 1) count += number & 1;
  return count;
}

static unsigned by_lowest_one(uint32_t number) {
  unsigned count = 0;
  for (; number; number &= number - 1) count++;
  return count;
}

static unsigned by_halves(uint32_t number) {
  number = (number & 0x55555555) + (number >> 1 & 0x55555555);
  number = (number & 0x33333333) + (number >> 2 & 0x33333333);
  number = (number & 0x0f0f0f0f) + (number >> 4 & 0x0f0f0f0f);
  number = (number & 0x00ff00ff) + (number >> 8 & 0x00ff00ff);
  return (number & 0xffff) + (number >> 16);
}

static unsigned by_nibbles(uint32_t number) {
  unsigned count = 0;
  for (unsigned shift = 0; shift < 32; shift += 4) count += nibble_counts[number >> shift & 15];
  return count;
}

// Recursion exercises calls, saves and restores. The attribute keeps the compiler from making a loop of it.
static unsigned __attribute__((noinline, optimize("no-optimize-sibling-calls"))) by_recursion(uint32_t number) {
  unsigned count = nibble_counts[number & 15];
  return number >> 4 ? count + by_recursion(number >> 4) : count;
}

static unsigned by_bytes(uint32_t number) {
  return byte_counts[number & 255] + byte_counts[number >> 8 & 255] + byte_counts[number >> 16 & 255] +
         byte_counts[number >> 24];
}

// The bytes as memory has them
static unsigned by_stored_bytes(uint32_t number) {
  volatile uint32_t stored = number;
  const volatile uint8_t *bytes = (const volatile uint8_t *)&stored;
  unsigned count = 0;
  for (unsigned i = 0; i < sizeof stored; i++) count += byte_counts[bytes[i]];
  return count;
}

typedef unsigned method(uint32_t number);
static method *const methods[METHODS] = {by_bits,      by_lowest_one, by_halves,      by_nibbles,
                                         by_recursion, by_bytes,      by_stored_bytes};

static void __attribute__((noinline)) count_all(unsigned count) {
  for (unsigned i = 0; i < METHODS; i++) {
    uint32_t number = 1;
    for (unsigned k = 0; k < count; k++) {
      number = number * 1664525 + 1013904223;
      totals[i] += methods[i](number);
    }
  }
}

int main(void) {
  for (unsigned i = 1; i < 256; i++) byte_counts[i] = (uint8_t)(byte_counts[i / 2] + (i & 1));

  kernel_begin();
  count_all(numbers[input]);
  kernel_end();

  for (unsigned i = 0; i < METHODS; i++) expect(totals[i] == known[input], "each method counts the known total");
  return 0;
}
