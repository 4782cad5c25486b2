// AES-128 in CBC mode, forward and back, by tables of words (after MiBench's rijndael).
//
// Check: the last block, in which CBC mixes all before it, is that of OpenSSL; decrypted, the message is as it was.
#include <string.h>

#include "hauberk.h"
#include "input.h"

#define ROUNDS 10
#define LARGEST 160

static const unsigned blocks[] = {18, LARGEST};
static const uint32_t known[][4] = {{0x642ad3df, 0xc1c74788, 0x1100507e, 0xad56002},
                                    {0x33f3358f, 0xdf86254f, 0xaa66dc5, 0xf9a60c88}};
static const uint32_t key[4] = {0x2b7e1516, 0x28aed2a6, 0xabf71588, 0x09cf4f3c};
static const uint32_t start[4] = {0x00010203, 0x04050607, 0x08090a0b, 0x0c0d0e0f};

static uint8_t sbox[256], inverse_sbox[256];
static uint32_t forward[4][256], backward[4][256];
static uint32_t keys[4 * (ROUNDS + 1)], inverse_keys[4 * (ROUNDS + 1)];
static NOINIT uint32_t message[LARGEST][4];
static RESULTS uint32_t result[4];

static unsigned doubled(unsigned x) { return (x << 1 ^ (x & 0x80 ? 0x11b : 0)) & 255; }

static unsigned product(unsigned x, unsigned y) {
  unsigned result = 0;
  for (; y; y >>= 1, x = doubled(x)) result ^= y & 1 ? x : 0;
  return result;
}

static uint32_t rotate(uint32_t word, unsigned bits) { return word >> bits | word << (32 - bits); }

// x runs through all powers of 3, and y through those of its inverse, 0xf6.
static void build_tables(void) {
  unsigned x = 1, y = 1;
  do {
    unsigned affine = y ^ y << 1 ^ y << 2 ^ y << 3 ^ y << 4;
    sbox[x] = (uint8_t)(affine ^ affine >> 8 ^ 0x63);
    x ^= doubled(x);
    y = product(y, 0xf6);
  } while (x != 1);
  sbox[0] = 0x63;
  for (unsigned i = 0; i < 256; i++) inverse_sbox[sbox[i]] = (uint8_t)i;
  for (unsigned i = 0; i < 256; i++) {
    unsigned s = sbox[i], t = inverse_sbox[i];
    uint32_t column = doubled(s) << 24 | s << 16 | s << 8 | (doubled(s) ^ s);
    uint32_t inverse = product(t, 14) << 24 | product(t, 9) << 16 | product(t, 13) << 8 | product(t, 11);
    for (unsigned k = 0; k < 4; k++) {
      forward[k][i] = k ? rotate(column, 8 * k) : column;
      backward[k][i] = k ? rotate(inverse, 8 * k) : inverse;
    }
  }
}

static uint32_t substituted(uint32_t word) {
  return (uint32_t)sbox[word >> 24] << 24 | (uint32_t)sbox[word >> 16 & 255] << 16 |
         (uint32_t)sbox[word >> 8 & 255] << 8 | sbox[word & 255];
}

// The keys of decryption are those of encryption in reverse order, with MixColumns inverted on all but two.
static void __attribute__((noinline)) expand_key(void) {
  unsigned constant = 1;
  memcpy(keys, key, sizeof key);
  for (unsigned i = 4; i < ARRAY_LENGTH(keys); i++) {
    uint32_t word = keys[i - 1];
    if (i % 4 == 0) {
      word = substituted(rotate(word, 24)) ^ (uint32_t)constant << 24;
      constant = doubled(constant);
    }
    keys[i] = keys[i - 4] ^ word;
  }
  for (unsigned i = 0; i < ARRAY_LENGTH(keys); i++) {
    uint32_t word = keys[4 * (ROUNDS - i / 4) + i % 4];
    if (i / 4 % ROUNDS) {
      word = backward[0][sbox[word >> 24]] ^ backward[1][sbox[word >> 16 & 255]] ^ backward[2][sbox[word >> 8 & 255]] ^
             backward[3][sbox[word & 255]];
    }
    inverse_keys[i] = word;
  }
}

// `shift` is 1 for encryption and 3 for decryption: from which column the next row comes.
static inline void rounds(uint32_t block[4], const uint32_t *round_keys, uint32_t table[4][256], const uint8_t *box,
                          unsigned shift) {
  uint32_t state[4], next[4];
  for (unsigned i = 0; i < 4; i++) state[i] = block[i] ^ round_keys[i];
  for (unsigned round = 1; round < ROUNDS; round++) {
    round_keys += 4;
    for (unsigned i = 0; i < 4; i++) {
      next[i] = table[0][state[i] >> 24] ^ table[1][state[(i + shift) % 4] >> 16 & 255] ^
                table[2][state[(i + 2) % 4] >> 8 & 255] ^ table[3][state[(i + 4 - shift) % 4] & 255] ^ round_keys[i];
    }
    memcpy(state, next, sizeof state);
  }
  round_keys += 4;
  for (unsigned i = 0; i < 4; i++) {
    block[i] = ((uint32_t)box[state[i] >> 24] << 24 | (uint32_t)box[state[(i + shift) % 4] >> 16 & 255] << 16 |
                (uint32_t)box[state[(i + 2) % 4] >> 8 & 255] << 8 | box[state[(i + 4 - shift) % 4] & 255]) ^
               round_keys[i];
  }
}

static void __attribute__((noinline)) encrypt(uint32_t block[4]) { rounds(block, keys, forward, sbox, 1); }
static void __attribute__((noinline)) decrypt(uint32_t block[4]) {
  rounds(block, inverse_keys, backward, inverse_sbox, 3);
}

static void __attribute__((noinline)) encrypt_chain(unsigned count) {
  const uint32_t *before = start;
  for (unsigned i = 0; i < count; before = message[i++]) {
    for (unsigned k = 0; k < 4; k++) message[i][k] ^= before[k];
    encrypt(message[i]);
  }
}

static void __attribute__((noinline)) decrypt_chain(unsigned count) {
  uint32_t before[4], kept[4];
  memcpy(before, start, sizeof before);
  for (unsigned i = 0; i < count; i++) {
    memcpy(kept, message[i], sizeof kept);
    decrypt(message[i]);
    for (unsigned k = 0; k < 4; k++) message[i][k] ^= before[k];
    memcpy(before, kept, sizeof before);
  }
}

int main(void) {
  const unsigned count = blocks[input];
  for (unsigned i = 0; i < 4 * count; i++) message[i / 4][i % 4] = (uint32_t)mix64(i);
  build_tables();

  kernel_begin();
  expand_key();
  encrypt_chain(count);
  kernel_end();
  memcpy(result, message[count - 1], sizeof result);
  expect(memcmp(result, known[input], sizeof result) == 0, "the last block is that of OpenSSL");

  kernel_begin();
  decrypt_chain(count);
  kernel_end();
  for (unsigned i = 0; i < 4 * count; i++) {
    expect(message[i / 4][i % 4] == (uint32_t)mix64(i), "the decrypted message is the original");
  }
  return 0;
}
