// In the place of br_i31_modpow in BearSSL's signatures: its own in words of 62 bits, a quarter of the multiplications.
#include "inner.h"

// Words of 62 bits for modulus, factor, and a window of 4 bits, for numbers of 256 bits
#define WORDS (5 * (2 + 17))

void modpow_62(uint32_t *x, const unsigned char *e, size_t elen, const uint32_t *m, uint32_t m0i, uint32_t *t1,
               uint32_t *t2) {
  uint64_t t[WORDS];
  (void)t1, (void)t2;
  br_i62_modpow_opt(x, e, elen, m, m0i, t, WORDS);
}
