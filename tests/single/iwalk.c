// Instruction-side walk in the manner of iBench: straight-line code far larger than the L1 instruction cache, entered
// in order and in random order, so that nearly every line of code comes from memory.
//
// Check: a loop over the same constants, which stays within a few lines of code, computes what the functions must.
#include "hauberk.h"

#define FUNCTIONS 512
#define ROUNDS 3

// clang-format off
// Each function mixes its own number into the value four times: two lines of code with constants of its own.
#define MULTIPLIER(n, k) (((n) * 0x01000193u + (k) * 0x9e3779b1u) | 1)
#define ADDEND(n, k) (((n) * 0x85ebca6bu) ^ ((k) * 0xc2b2ae35u))
#define STEP(n, k) value = (value ^ value >> 15 ^ ADDEND(n, k)) + value * MULTIPLIER(n, k);

#define FUNCTION(n)                                                                          \
  static __attribute__((noinline, noclone, aligned(64))) uint32_t walk_##n(uint32_t value) { \
    STEP(0##n, 1) STEP(0##n, 2) STEP(0##n, 3) STEP(0##n, 4) return value;                    \
  }
#define NAME(n) walk_##n,

// The functions' numbers in octal, so that a number is its digits one after another.
#define TIMES8(apply, prefix)                                         \
  apply(prefix##0) apply(prefix##1) apply(prefix##2) apply(prefix##3) \
  apply(prefix##4) apply(prefix##5) apply(prefix##6) apply(prefix##7)
#define TIMES64(apply, prefix)                                                                        \
  TIMES8(apply, prefix##0) TIMES8(apply, prefix##1) TIMES8(apply, prefix##2) TIMES8(apply, prefix##3) \
  TIMES8(apply, prefix##4) TIMES8(apply, prefix##5) TIMES8(apply, prefix##6) TIMES8(apply, prefix##7)
#define TIMES512(apply)                                                   \
  TIMES64(apply, 0) TIMES64(apply, 1) TIMES64(apply, 2) TIMES64(apply, 3) \
  TIMES64(apply, 4) TIMES64(apply, 5) TIMES64(apply, 6) TIMES64(apply, 7)

TIMES512(FUNCTION)
// clang-format on

static uint32_t (*const functions[FUNCTIONS])(uint32_t) = {TIMES512(NAME)};

static NOINIT uint16_t order[ROUNDS][FUNCTIONS];
static RESULTS uint32_t values[ROUNDS];

// The first round walks forwards, the others in a random order of their own.
static void build_orders(void) {
  for (unsigned round = 0; round < ROUNDS; round++) {
    for (unsigned i = 0; i < FUNCTIONS; i++) order[round][i] = (uint16_t)i;
    for (unsigned i = FUNCTIONS - 1; round > 0 && i > 0; i--) {
      unsigned other = (unsigned)(mix64(round * FUNCTIONS + i) % (i + 1));
      uint16_t kept = order[round][i];
      order[round][i] = order[round][other];
      order[round][other] = kept;
    }
  }
}

static uint32_t __attribute__((noinline)) walk_functions(const uint16_t *at, uint32_t value) {
  for (unsigned i = 0; i < FUNCTIONS; i++) value = functions[at[i]](value);
  return value;
}

static uint32_t __attribute__((noinline)) compute_in_a_loop(const uint16_t *at, uint32_t value) {
  for (unsigned i = 0; i < FUNCTIONS; i++) {
    for (unsigned k = 1; k <= 4; k++) STEP(at[i], k)
  }
  return value;
}

int main(void) {
  build_orders();
  kernel_begin();
  for (unsigned round = 0; round < ROUNDS; round++) values[round] = walk_functions(order[round], round + 1);
  kernel_end();
  for (unsigned round = 0; round < ROUNDS; round++) {
    expect(values[round] == compute_in_a_loop(order[round], round + 1), "the walk computes what the loop computes");
  }
  return 0;
}
