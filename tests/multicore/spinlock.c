// All harts add to a table of shared counters under one spin lock, with plain loads and stores: without mutual
// exclusion additions would be lost.
//
// Check: the same additions done by one hart without the lock; addition commutes, so the table does not depend on the
// harts.
#include "hauberk.h"

#define COUNTERS 256  // one per cache line: 16 KiB, so that the lock and the counters do not fit into an L1 together
#define ADDITIONS 1024

typedef struct {
  _Alignas(CACHE_LINE) uint64_t value;
} counter;

static NOINIT counter counters[COUNTERS];
static NOINIT uint64_t expected[COUNTERS];
static spin_lock lock;
static RESULTS uint64_t totals[COUNTERS];
static RESULTS volatile uint64_t additions_done;

static inline unsigned counter_of(unsigned i) { return (unsigned)(mix64(i) % COUNTERS); }

static void add_share(unsigned hart, unsigned harts) {
  for (unsigned i = hart; i < ADDITIONS; i += harts) {
    unsigned place = counter_of(i);
    spin_acquire(&lock);
    uint64_t done_before =
        additions_done;  // held over the addition: two harts in here at once would count one addition
    counters[place].value += i + 1;
    additions_done = done_before + 1;
    spin_release(&lock);
  }
}

int main(void) {
  for (unsigned i = 0; i < COUNTERS; i++) counters[i].value = expected[i] = i;

  kernel_begin();
  on_every_hart(add_share);
  kernel_end();

  for (unsigned i = 0; i < ADDITIONS; i++) expected[counter_of(i)] += i + 1;
  for (unsigned i = 0; i < COUNTERS; i++) {
    totals[i] = counters[i].value;
    expect(totals[i] == expected[i], "a counter holds all that was added to it");
  }
  expect(additions_done == ADDITIONS, "no addition is lost");
  return 0;
}
