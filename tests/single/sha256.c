// SHA-256 (FIPS 180-4): the program that computes most for each line of memory it reads.
//
// Check: two of the standard's example vectors, and for the long message the digest Python's hashlib gives:
//   hashlib.sha256(bytes((167 * i + 13 * (i >> 8)) & 255 for i in range(10240)))
#include "hauberk.h"

#define MESSAGE_BYTES 10240

static NOINIT uint8_t message[MESSAGE_BYTES];
static RESULTS uint8_t digests[3][32];

static const uint32_t round_constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static inline uint32_t rotate(uint32_t value, unsigned bits) { return value >> bits | value << (32 - bits); }

static uint32_t read_big_endian(const uint8_t *bytes) {
  return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static void compress(uint32_t state[8], const uint8_t *block) {
  uint32_t w[64];
  for (unsigned t = 0; t < 16; t++) w[t] = read_big_endian(block + 4 * t);
  for (unsigned t = 16; t < 64; t++) {
    uint32_t s0 = rotate(w[t - 15], 7) ^ rotate(w[t - 15], 18) ^ w[t - 15] >> 3;
    uint32_t s1 = rotate(w[t - 2], 17) ^ rotate(w[t - 2], 19) ^ w[t - 2] >> 10;
    w[t] = w[t - 16] + s0 + w[t - 7] + s1;
  }
  uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
  uint32_t e = state[4], f = state[5], g = state[6], h = state[7];
  for (unsigned t = 0; t < 64; t++) {
    uint32_t sum1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    uint32_t t1 = h + sum1 + ((e & f) ^ (~e & g)) + round_constants[t] + w[t];
    uint32_t sum0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
    uint32_t t2 = sum0 + ((a & b) ^ (a & c) ^ (b & c));
    h = g, g = f, f = e, e = d + t1, d = c, c = b, b = a, a = t1 + t2;
  }
  state[0] += a, state[1] += b, state[2] += c, state[3] += d;
  state[4] += e, state[5] += f, state[6] += g, state[7] += h;
}

static void sha256(const void *data, size_t size, uint8_t digest[32]) {
  uint32_t state[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  const uint8_t *bytes = data;
  size_t left = size;
  for (; left >= 64; left -= 64, bytes += 64) compress(state, bytes);

  uint8_t tail[128] = {0};  // the rest, a one bit, zeros, and the length in bits at the end of a block
  memcpy(tail, bytes, left);
  tail[left] = 0x80;
  size_t tail_size = left < 56 ? 64 : 128;
  for (unsigned i = 0; i < 8; i++) tail[tail_size - 1 - i] = (uint8_t)((uint64_t)size * 8 >> 8 * i);
  for (size_t at = 0; at < tail_size; at += 64) compress(state, tail + at);

  for (unsigned i = 0; i < 32; i++) digest[i] = (uint8_t)(state[i / 4] >> (24 - i % 4 * 8));
}

static bool digest_is(const uint8_t digest[32], const uint32_t words[8]) {
  for (unsigned i = 0; i < 8; i++) {
    if (read_big_endian(digest + 4 * i) != words[i]) return false;
  }
  return true;
}

int main(void) {
  static const uint32_t of_abc[8] = {0xba7816bf, 0x8f01cfea, 0x414140de, 0x5dae2223,
                                     0xb00361a3, 0x96177a9c, 0xb410ff61, 0xf20015ad};
  static const uint32_t of_two_blocks[8] = {0x248d6a61, 0xd20638b8, 0xe5c02693, 0x0c3e6039,
                                            0xa33ce459, 0x64ff2167, 0xf6ecedd4, 0x19db06c1};
  static const uint32_t of_message[8] = {0xbcd50d16, 0x8fb28a65, 0x37545d37, 0xbba536e0,
                                         0x96b97cf4, 0xd806dd63, 0xff34f7ff, 0x0a40ba08};
  static const char two_blocks[] = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
  for (unsigned i = 0; i < MESSAGE_BYTES; i++) message[i] = (uint8_t)(167 * i + 13 * (i >> 8));

  kernel_begin();
  sha256(message, MESSAGE_BYTES, digests[0]);
  kernel_end();
  sha256("abc", 3, digests[1]);
  sha256(two_blocks, sizeof two_blocks - 1, digests[2]);

  expect(digest_is(digests[1], of_abc), "the digest of \"abc\" is the standard's");
  expect(digest_is(digests[2], of_two_blocks), "the digest of the two-block message is the standard's");
  expect(digest_is(digests[0], of_message), "the digest of the long message is hashlib's");
  return 0;
}
