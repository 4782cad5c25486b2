#include "reference.h"

namespace hauberk::engine {

namespace {

uint8_t doubled(uint8_t a) { return static_cast<uint8_t>(a << 1 ^ (a & 0x80 ? 0x1b : 0)); }

uint8_t product(uint8_t a, uint8_t b) {
  uint8_t sum = 0;
  for (; b != 0; b >>= 1, a = doubled(a)) sum ^= b & 1 ? a : 0;
  return sum;
}

/** The inverse in GF(2^8), which is the power of 254, then the affine map of section 5.1.1. */
uint8_t substituted(uint8_t a) {
  uint8_t inverse = 1;
  for (int i = 0; i < 254; i++) inverse = product(inverse, a);
  uint8_t sum = 0x63;
  for (int i = 0; i < 5; i++) sum ^= static_cast<uint8_t>(inverse << i | inverse >> (8 - i));
  return sum;
}

std::array<uint8_t, 256> makeTable() {
  std::array<uint8_t, 256> table;
  for (unsigned i = 0; i < 256; i++) table[i] = substituted(static_cast<uint8_t>(i));
  return table;
}

const std::array<uint8_t, 256> kTable = makeTable();

constexpr unsigned kRounds = 10;

/** The round key after this one. */
AesBlock nextKey(const AesBlock& key, uint8_t constant) {
  AesBlock next;
  for (unsigned i = 0; i < 16; i++) {
    const uint8_t before = i >= 4 ? next[i - 4] : kTable[key[12 + (i + 1) % 4]];
    next[i] = key[i] ^ before ^ (i == 0 ? constant : 0);
  }
  return next;
}

AesBlock shiftedRows(const AesBlock& state) {
  AesBlock shifted;
  for (unsigned i = 0; i < 16; i++) shifted[i] = state[(i + 4 * (i % 4)) % 16];
  return shifted;
}

AesBlock mixedColumns(const AesBlock& state) {
  AesBlock mixed;
  for (unsigned i = 0; i < 16; i++) {
    const uint8_t* column = &state[i / 4 * 4];
    mixed[i] = doubled(column[i % 4]) ^ doubled(column[(i + 1) % 4]) ^ column[(i + 1) % 4] ^ column[(i + 2) % 4] ^
               column[(i + 3) % 4];
  }
  return mixed;
}

void add(AesBlock& to, const AesBlock& other) {
  for (unsigned i = 0; i < 16; i++) to[i] ^= other[i];
}

}  // namespace

AesBlock encryptAes(const uint64_t key[2], const AesBlock& plain) {
  AesBlock roundKey;
  for (unsigned i = 0; i < 16; i++) roundKey[i] = static_cast<uint8_t>(key[i / 8] >> (56 - 8 * (i % 8)));
  AesBlock state = plain;
  add(state, roundKey);
  uint8_t constant = 1;
  for (unsigned round = 1; round <= kRounds; round++, constant = doubled(constant)) {
    for (uint8_t& byte : state) byte = kTable[byte];
    state = shiftedRows(state);
    if (round < kRounds) state = mixedColumns(state);
    roundKey = nextKey(roundKey, constant);
    add(state, roundKey);
  }
  return state;
}

AesBlock dataPad(const uint64_t key[2], uint64_t block, uint64_t counter, unsigned aesBlock) {
  AesBlock input = {};
  input[0] = 1;
  for (unsigned i = 0; i < 5; i++) input[6 - i] = static_cast<uint8_t>(block >> 8 * i);
  for (unsigned i = 0; i < 8; i++) input[14 - i] = static_cast<uint8_t>(counter >> 8 * i);
  input[15] = static_cast<uint8_t>(aesBlock);
  return encryptAes(key, input);
}

}  // namespace hauberk::engine
