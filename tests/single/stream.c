// Memory bandwidth: STREAM's copy, scale and triad over three arrays of doubles, each larger than the L1 data cache.
//
// Check: the inputs are small integers, so each final element is known exactly and computed in integers.
#include "hauberk.h"

#define LENGTH 3072  // 24 KiB per array
#define SCALAR 3
#define BLOCK 256

static NOINIT double a[LENGTH], b[LENGTH], c[LENGTH];
static RESULTS uint64_t block_hashes[LENGTH / BLOCK];

static uint64_t initial(unsigned i) { return mix64(i) & 0xffff; }

static void __attribute__((noinline)) copy(void) {
  for (unsigned i = 0; i < LENGTH; i++) c[i] = a[i];
}

static void __attribute__((noinline)) scale(void) {
  for (unsigned i = 0; i < LENGTH; i++) b[i] = SCALAR * c[i];
}

static void __attribute__((noinline)) triad(void) {
  for (unsigned i = 0; i < LENGTH; i++) a[i] = b[i] + SCALAR * c[i];
}

static void measure(const char *name, void (*kernel)(void), unsigned arrays) {
  uint64_t before = kernel_cycles();
  kernel_begin();
  kernel();
  kernel_end();
  uint64_t cycles = kernel_cycles() - before;
  uint64_t bytes = (uint64_t)arrays * LENGTH * sizeof(double);
  print("%s: %lu bytes per 1000 cycles\n", name, bytes * 1000 / cycles);
}

int main(void) {
  for (unsigned i = 0; i < LENGTH; i++) a[i] = (double)initial(i);
  measure("copy", copy, 2);
  measure("scale", scale, 2);
  measure("triad", triad, 3);

  for (unsigned i = 0; i < LENGTH; i++) {
    uint64_t value = (uint64_t)a[i];
    expect(value == initial(i) * SCALAR * 2, "triad of the scaled copy is 2 * 3 * the initial value");
    if (i % BLOCK == 0) block_hashes[i / BLOCK] = FNV_OFFSET;
    block_hashes[i / BLOCK] = (block_hashes[i / BLOCK] ^ value) * FNV_PRIME;
  }
  return 0;
}
