// Random update (GUPS): read-modify-write of random words in a table far larger than the L1 data cache.
//
// Check: the updates are replayed into a small table of one word per bucket. Exclusive-or commutes, so each bucket of
// the large table must fold to its word, and every bit of every update counts.
#include "hauberk.h"

#define WORDS 12288  // 96 KiB
#define UPDATES 3072
#define BUCKETS 256
#define BUCKET_WORDS (WORDS / BUCKETS)

static NOINIT uint64_t table[WORDS];
static uint64_t expected[BUCKETS];
static RESULTS uint64_t folded[BUCKETS];

// xorshift64, as cheap as the table's misses are not
static inline uint64_t next_random(uint64_t state) {
  state ^= state << 13;
  state ^= state >> 7;
  return state ^ state << 17;
}

static inline unsigned place_of(uint64_t random) { return (unsigned)((random >> 32) * WORDS >> 32); }

static void __attribute__((noinline)) update_table(uint64_t seed) {
  for (unsigned i = 0; i < UPDATES; i++) {
    seed = next_random(seed);
    table[place_of(seed)] ^= seed;
  }
}

int main(void) {
  const uint64_t seed = 0x2545f4914f6cdd1dUL;
  for (unsigned i = 0; i < WORDS; i++) table[i] = i;

  kernel_begin();
  update_table(seed);
  kernel_end();

  for (unsigned i = 0; i < WORDS; i++) {
    expected[i / BUCKET_WORDS] ^= i;
    folded[i / BUCKET_WORDS] ^= table[i];
  }
  uint64_t random = seed;
  for (unsigned i = 0; i < UPDATES; i++) {
    random = next_random(random);
    expected[place_of(random) / BUCKET_WORDS] ^= random;
  }
  expect(memcmp(folded, expected, sizeof folded) == 0, "every bucket folds to what its updates fold to");
  return 0;
}
