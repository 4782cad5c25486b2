// Parallel radix sort of 32-bit keys, 8 bits a pass. In each pass a hart counts the digits of its stretch of keys,
// learns from all counts where its keys of each digit go, and moves them there.
//
// Check: the keys are in order, and their sum, exclusive-or and sum of squares are those of the keys generated.
#include "hauberk.h"

#define KEYS 4096  // 16 KiB, and as much to move to
#define DIGITS 256
#define PASSES 4  // even, so that the last pass ends in keys

static NOINIT uint32_t keys[KEYS];
static NOINIT uint32_t moved[KEYS];
static NOINIT uint32_t counts[MAX_HARTS][DIGITS];
static barrier meeting;
static RESULTS uint32_t samples[128];

typedef struct {
  uint64_t sum, parity, squares;
} fingerprint;

static void add_key(fingerprint *print, uint64_t key) {
  print->sum += key;
  print->parity ^= key;
  print->squares += key * key;
}

// Where the first key of each digit goes that this hart moves: after all smaller digits, and after the same digit of
// the harts before it, which keeps the sort stable.
static void find_places(uint32_t places[DIGITS], unsigned hart, unsigned harts) {
  uint32_t place = 0;
  for (unsigned digit = 0; digit < DIGITS; digit++) {
    for (unsigned other = 0; other < harts; other++) {
      if (other == hart) places[digit] = place;
      place += counts[other][digit];
    }
  }
}

static void sort_share(unsigned hart, unsigned harts) {
  unsigned first = KEYS * hart / harts, last = KEYS * (hart + 1) / harts;
  uint32_t places[DIGITS];
  uint32_t *from = keys, *to = moved;
  for (unsigned pass = 0; pass < PASSES; pass++) {
    unsigned shift = 8 * pass;
    memset(counts[hart], 0, sizeof counts[hart]);
    for (unsigned i = first; i < last; i++) counts[hart][from[i] >> shift & (DIGITS - 1)]++;
    barrier_wait(&meeting, harts);
    find_places(places, hart, harts);
    for (unsigned i = first; i < last; i++) to[places[from[i] >> shift & (DIGITS - 1)]++] = from[i];
    barrier_wait(&meeting, harts);
    uint32_t *sorted = to;
    to = from;
    from = sorted;
  }
}

int main(void) {
  fingerprint before = {0}, after = {0};
  for (unsigned i = 0; i < KEYS; i++) {
    keys[i] = (uint32_t)mix64(i);
    add_key(&before, keys[i]);
  }

  kernel_begin();
  on_every_hart(sort_share);
  kernel_end();

  for (unsigned i = 0; i < KEYS; i++) {
    expect(i == 0 || keys[i - 1] <= keys[i], "the keys are in order");
    add_key(&after, keys[i]);
    if (i % (KEYS / ARRAY_LENGTH(samples)) == 0) samples[i / (KEYS / ARRAY_LENGTH(samples))] = keys[i];
  }
  expect(before.sum == after.sum && before.parity == after.parity && before.squares == after.squares,
         "the keys are those generated");
  return 0;
}
