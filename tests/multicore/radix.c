// Parallel radix sort of records by their upper 16 bits, 4 bits a pass: with 16 digits, few lines are written by two
// harts. In each pass a hart counts the digits of its stretch of records, learns from all counts where its records of
// each digit go, and moves them there.
//
// Check: a record's lower half is its number, so as the sort is stable the whole records must ascend; and their sum,
// exclusive-or and sum of squares are those of the records generated.
#include "hauberk.h"

#define RECORDS 4096  // 16 KiB, and as much to move to
#define DIGIT_BITS 4
#define DIGITS (1 << DIGIT_BITS)
#define PASSES 4  // even, so that the last pass ends in records

static NOINIT uint32_t records[RECORDS];
static NOINIT uint32_t moved[RECORDS];
static NOINIT uint32_t counts[MAX_HARTS][DIGITS];  // a line for each hart
static barrier meeting;
static RESULTS uint32_t samples[128];

typedef struct {
  uint64_t sum, parity, squares;
} fingerprint;

static void add_record(fingerprint *print, uint64_t record) {
  print->sum += record;
  print->parity ^= record;
  print->squares += record * record;
}

// Where the first record of each digit goes that this hart moves: after all smaller digits, and after the same digit of
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
  unsigned first = RECORDS * hart / harts, last = RECORDS * (hart + 1) / harts;
  uint32_t places[DIGITS];
  uint32_t *from = records, *to = moved;
  for (unsigned pass = 0; pass < PASSES; pass++) {
    unsigned shift = 16 + DIGIT_BITS * pass;
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
  for (unsigned i = 0; i < RECORDS; i++) {
    records[i] = (uint32_t)mix64(i) << 16 | i;
    add_record(&before, records[i]);
  }

  kernel_begin();
  on_every_hart(sort_share);
  kernel_end();

  for (unsigned i = 0; i < RECORDS; i++) {
    expect(i == 0 || records[i - 1] < records[i], "the records ascend");
    add_record(&after, records[i]);
    if (i % (RECORDS / ARRAY_LENGTH(samples)) == 0) samples[i / (RECORDS / ARRAY_LENGTH(samples))] = records[i];
  }
  expect(before.sum == after.sum && before.parity == after.parity && before.squares == after.squares,
         "the records are those generated");
  return 0;
}
