// Kernels that miss an L2 of 512 KiB: they use 1 MiB. All harts share each kernel in equal parts. Prints the cycles of
// each, on hart 0, from its start to the end of the last hart. `make -C tests build-htif/l2-misses.riscv` builds it.
#include "hauberk.h"

#define BASE 0x80400000UL  // outside the program, so that no loader writes it
#define WORDS (1UL << 17)
#define QUARTER (WORDS / 4)
#define SCATTERED 4096UL
#define TRIAD_WORDS 11008UL

static uint64_t *const a = (uint64_t *)BASE;
RESULTS static uint64_t results[2];
static struct { _Alignas(CACHE_LINE) uint64_t sum; } sums[MAX_HARTS];

// This hart's part of so many words
#define PART(total)                  \
  uint64_t length = (total) / harts; \
  uint64_t first = length * hart;

static void write_words(uint64_t *p, uint64_t length, uint64_t v) {
  for (uint64_t i = 0; i < length; i += 8, v += 8) {
    p[i] = v;
    p[i + 1] = v + 1;
    p[i + 2] = v + 2;
    p[i + 3] = v + 3;
    p[i + 4] = v + 4;
    p[i + 5] = v + 5;
    p[i + 6] = v + 6;
    p[i + 7] = v + 7;
  }
}

// 16,384 lines, each for the first time
static void write_first(unsigned hart, unsigned harts) {
  PART(WORDS)
  write_words(a + first, length, first);
}

// 4,096 lines in order
static void write_quarter(unsigned hart, unsigned harts) {
  PART(QUARTER)
  write_words(a + first, length, first);
}

// 4,096 lines in order
static void read_quarter(unsigned hart, unsigned harts) {
  PART(QUARTER)
  const uint64_t *p = a + QUARTER + first;
  uint64_t s = 0;
  for (uint64_t i = 0; i < length; i += 8)
    s += p[i] + p[i + 1] + p[i + 2] + p[i + 3] + p[i + 4] + p[i + 5] + p[i + 6] + p[i + 7];
  sums[hart].sum += s;
}

// 4,096 words anywhere
static void read_scattered(unsigned hart, unsigned harts) {
  PART(SCATTERED)
  uint64_t s = 0;
  for (uint64_t i = 0; i < length; i++) s += a[mix64(first + i) % WORDS];
  sums[hart].sum += s;
}

// 4,096 words anywhere in the hart's part, so that no update is lost
static void update_scattered(unsigned hart, unsigned harts) {
  PART(SCATTERED)
  uint64_t words = WORDS / harts;
  for (uint64_t i = 0; i < length; i++) a[words * hart + mix64(~(first + i)) % words] += 3;
}

// 2,048 lines to 2,048 others
static void copy(unsigned hart, unsigned harts) {
  PART(QUARTER / 2)
  const uint64_t *from = a + 2 * QUARTER + first;
  uint64_t *to = a + 3 * QUARTER + first;
  for (uint64_t i = 0; i < length; i += 8) {
    uint64_t t0 = from[i], t1 = from[i + 1], t2 = from[i + 2], t3 = from[i + 3];
    uint64_t t4 = from[i + 4], t5 = from[i + 5], t6 = from[i + 6], t7 = from[i + 7];
    to[i] = t0;
    to[i + 1] = t1;
    to[i + 2] = t2;
    to[i + 3] = t3;
    to[i + 4] = t4;
    to[i + 5] = t5;
    to[i + 6] = t6;
    to[i + 7] = t7;
  }
}

// Three arrays of 1,376 lines each
static void triad(unsigned hart, unsigned harts) {
  PART(TRIAD_WORDS)
  uint64_t *x = a + first;
  const uint64_t *y = a + QUARTER + first, *z = a + 3 * QUARTER + QUARTER / 2 + first;
  for (uint64_t i = 0; i < length; i++) x[i] = y[i] + 3 * z[i];
}

static const struct {
  const char *name;
  void (*work)(unsigned, unsigned);
} kernels[] = {
    {"first", write_first},     {"write", write_quarter}, {"read", read_quarter}, {"sread", read_scattered},
    {"srmw", update_scattered}, {"copy", copy},           {"triad", triad},
};
#define KERNELS (sizeof kernels / sizeof *kernels)

int main(void) {
  uint64_t cycles[KERNELS];
  for (unsigned k = 0; k < KERNELS; k++) {
    __asm__ volatile("fence rw, rw" ::: "memory");
    uint64_t start = read_cycles();
    on_every_hart(kernels[k].work);
    __asm__ volatile("fence rw, rw" ::: "memory");
    cycles[k] = read_cycles() - start;
    if (kernels[k].work == read_quarter)
      for (unsigned h = 0; h < 4; h++) results[0] += sums[h].sum;
  }
  expect(results[0] == QUARTER * QUARTER + QUARTER * (QUARTER - 1) / 2, "sum of the reading");
  for (unsigned h = 0; h < 4; h++) results[1] += sums[h].sum;
  for (uint64_t i = 0; i < WORDS; i += 512) results[1] = results[1] * FNV_PRIME + a[i];
  for (unsigned k = 0; k < KERNELS; k++) print("%s %lu\n", kernels[k].name, cycles[k]);
  return 0;
}
