// Population count by three methods over an array larger than the L1 data cache.
//
// Check: the methods agree on each block, and as every second word is its neighbour's complement, each pair of words
// has exactly 64 bits set.
#include "hauberk.h"

#define WORDS 4096  // 32 KiB
#define BLOCKS 32
#define BLOCK_WORDS (WORDS / BLOCKS)

static NOINIT uint64_t words[WORDS];
static NOINIT uint8_t byte_counts[256];
static RESULTS uint64_t counts[BLOCKS];  // of the even words of each block

typedef unsigned (*method)(uint64_t word);

static unsigned count_in_parallel(uint64_t word) {
  word -= word >> 1 & 0x5555555555555555UL;
  word = (word & 0x3333333333333333UL) + (word >> 2 & 0x3333333333333333UL);
  word = (word + (word >> 4)) & 0x0f0f0f0f0f0f0f0fUL;
  return (unsigned)(word * 0x0101010101010101UL >> 56);
}

static unsigned count_by_table(uint64_t word) {
  unsigned count = 0;
  for (; word; word >>= 8) count += byte_counts[word & 255];
  return count;
}

static unsigned count_one_by_one(uint64_t word) {
  unsigned count = 0;
  for (; word; word &= word - 1) count++;
  return count;
}

static uint64_t count_block(method count, unsigned block, unsigned parity) {
  uint64_t total = 0;
  for (unsigned i = 0; i < BLOCK_WORDS; i += 2) total += count(words[block * BLOCK_WORDS + i + parity]);
  return total;
}

int main(void) {
  static uint64_t by_table[BLOCKS], one_by_one[BLOCKS], of_complements[BLOCKS];
  for (unsigned i = 0; i < WORDS; i += 2) {
    words[i] = mix64(i) & mix64(i + 1);  // a quarter of the bits, so that a word and its complement differ in count
    words[i + 1] = ~words[i];
  }
  byte_counts[0] = 0;
  for (unsigned byte = 1; byte < 256; byte++) byte_counts[byte] = (uint8_t)(byte_counts[byte >> 1] + (byte & 1));

  kernel_begin();
  for (unsigned block = 0; block < BLOCKS; block++) counts[block] = count_block(count_in_parallel, block, 0);
  for (unsigned block = 0; block < BLOCKS; block++) by_table[block] = count_block(count_by_table, block, 0);
  for (unsigned block = 0; block < BLOCKS; block++) one_by_one[block] = count_block(count_one_by_one, block, 0);
  for (unsigned block = 0; block < BLOCKS; block++) of_complements[block] = count_block(count_in_parallel, block, 1);
  kernel_end();

  for (unsigned block = 0; block < BLOCKS; block++) {
    expect(counts[block] == by_table[block] && counts[block] == one_by_one[block], "the three methods agree");
    expect(counts[block] + of_complements[block] == 64 * BLOCK_WORDS / 2, "a word and its complement have 64 bits set");
  }
  return 0;
}
