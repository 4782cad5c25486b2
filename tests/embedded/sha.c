// SHA-1 of a message that is given in pieces (after MiBench's sha).
//
// Check: the digests that Python's hashlib has for the same bytes.
#include <string.h>

#include "hauberk.h"
#include "input.h"

#define BLOCK 64
#define PIECE 300  // not a multiple of a block
#define LARGEST 9000

static const unsigned sizes[] = {1000, LARGEST};
static const uint32_t known[][5] = {{0x87a11fef, 0xc8bea03f, 0xceb5b551, 0x91dbfaaf, 0x8b079465},
                                    {0x73e81ed7, 0xc5e408d8, 0x6afc186, 0x9d29d697, 0x61ba7989}};

typedef struct {
  uint32_t state[5];
  uint64_t length;
  uint8_t block[BLOCK];
} sha;

static NOINIT uint64_t message[LARGEST / 8];
static RESULTS uint32_t digest[6];

static inline uint32_t rotate(uint32_t word, unsigned bits) { return word << bits | word >> (32 - bits); }

static void __attribute__((noinline)) compress(sha *hash) {
  uint32_t schedule[80];
  for (unsigned i = 0; i < 16; i++) {
    const uint8_t *at = &hash->block[4 * i];
    schedule[i] = (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
  }
  for (unsigned i = 16; i < 80; i++) {
    schedule[i] = rotate(schedule[i - 3] ^ schedule[i - 8] ^ schedule[i - 14] ^ schedule[i - 16], 1);
  }
  uint32_t a = hash->state[0], b = hash->state[1], c = hash->state[2], d = hash->state[3], e = hash->state[4];
  for (unsigned i = 0; i < 80; i++) {
    uint32_t mixed;
    if (i < 20) {
      mixed = (d ^ (b & (c ^ d))) + 0x5a827999;
    } else if (i < 40) {
      mixed = (b ^ c ^ d) + 0x6ed9eba1;
    } else if (i < 60) {
      mixed = ((b & c) | (d & (b | c))) + 0x8f1bbcdc;
    } else {
      mixed = (b ^ c ^ d) + 0xca62c1d6;
    }
    mixed += rotate(a, 5) + e + schedule[i];
    e = d, d = c, c = rotate(b, 30), b = a, a = mixed;
  }
  hash->state[0] += a, hash->state[1] += b, hash->state[2] += c, hash->state[3] += d, hash->state[4] += e;
}

static void begin(sha *hash) { *hash = (sha){.state = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0}}; }

static void add(sha *hash, const uint8_t *bytes, size_t size) {
  while (size) {
    unsigned filled = hash->length % BLOCK;
    size_t taken = BLOCK - filled < size ? BLOCK - filled : size;
    memcpy(&hash->block[filled], bytes, taken);
    hash->length += taken, bytes += taken, size -= taken;
    if (hash->length % BLOCK == 0) compress(hash);
  }
}

static void end(sha *hash) {
  static const uint8_t padding[BLOCK] = {0x80};
  uint64_t bits = 8 * hash->length;
  uint8_t length[8];
  for (unsigned i = 0; i < 8; i++) length[i] = (uint8_t)(bits >> (56 - 8 * i));
  add(hash, padding, 1 + (2 * BLOCK - 1 - sizeof length - hash->length % BLOCK) % BLOCK);
  add(hash, length, sizeof length);
}

int main(void) {
  static sha hash;
  const unsigned size = sizes[input];
  for (unsigned i = 0; i < ARRAY_LENGTH(message); i++) message[i] = mix64(i);

  kernel_begin();
  begin(&hash);
  for (unsigned done = 0; done < size; done += PIECE) {
    add(&hash, (const uint8_t *)message + done, size - done < PIECE ? size - done : PIECE);
  }
  end(&hash);
  kernel_end();

  memcpy(digest, hash.state, sizeof hash.state);
  expect(memcmp(hash.state, known[input], sizeof hash.state) == 0, "the digest is that of hashlib");
  return 0;
}
