// Memory read latency: a chain of dependent loads, one per cache line in random order, over growing working sets.
//
// Check: the chain is built from a random order kept apart, which says where any number of steps must end.
#include "hauberk.h"

#define LARGEST (128 * 1024)
#define MAX_LINES (LARGEST / CACHE_LINE)
#define STEPS 1024  // once round the largest working set but one, and more often round the smaller

typedef struct line {
  const struct line *next;
  uint64_t payload;
  uint8_t rest[CACHE_LINE - 16];
} line;

static NOINIT line lines[MAX_LINES];
static NOINIT uint16_t order[MAX_LINES];

static const unsigned sizes[] = {8 * 1024, 16 * 1024, 32 * 1024, LARGEST};

static RESULTS struct { uint64_t last_line, payload_sum; } results[ARRAY_LENGTH(sizes)];

static uint64_t payload_of(unsigned line) { return (line + 1) * 0x9e3779b97f4a7c15UL; }

// A Fisher-Yates shuffle of 0 .. count-1.
static void shuffle(unsigned count, uint64_t seed) {
  for (unsigned i = 0; i < count; i++) order[i] = (uint16_t)i;
  for (unsigned i = count - 1; i > 0; i--) {
    unsigned other = (unsigned)((mix64(seed + i) >> 32) * (i + 1) >> 32);
    uint16_t kept = order[i];
    order[i] = order[other];
    order[other] = kept;
  }
}

static void build_chain(unsigned count) {
  for (unsigned i = 0; i < count; i++) {
    lines[order[i]].next = &lines[order[i + 1 < count ? i + 1 : 0]];
    lines[order[i]].payload = payload_of(order[i]);
  }
}

static const line *chase(const line *at, unsigned steps, uint64_t *payload_sum) {
  uint64_t sum = 0;
  while (steps--) {
    sum += at->payload;
    at = at->next;
  }
  *payload_sum = sum;
  return at;
}

int main(void) {
  for (unsigned s = 0; s < ARRAY_LENGTH(sizes); s++) {
    unsigned count = sizes[s] / CACHE_LINE;
    shuffle(count, (uint64_t)s << 32);
    build_chain(count);

    uint64_t sum;
    uint64_t before = kernel_cycles();
    kernel_begin();
    const line *last = chase(&lines[order[0]], STEPS, &sum);
    kernel_end();
    uint64_t tenths = (kernel_cycles() - before) * 10 / STEPS;
    print("%3u KiB: %lu.%lu cycles per load\n", sizes[s] / 1024, tenths / 10, tenths % 10);

    uint64_t expected_sum = 0;
    for (unsigned i = 0; i < STEPS; i++) expected_sum += payload_of(order[i & (count - 1)]);
    expect(last == &lines[order[STEPS & (count - 1)]], "the chain ends at the line the order says");
    expect(sum == expected_sum, "the payloads met on the way are those of the lines in order");
    results[s].last_line = (uint64_t)(last - lines);
    results[s].payload_sum = sum;
  }
  return 0;
}
