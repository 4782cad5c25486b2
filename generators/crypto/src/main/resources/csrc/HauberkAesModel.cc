// AES (FIPS-197) of one block, for simulators: what HauberkAesModel.v calls through DPI. A library would need
// the beginning of the key schedule, and a decrypting core gets its end.

#include <array>
#include <cstdint>

namespace {

using Word = uint32_t;              // four bytes, the first of them the most significant
using Block = std::array<Word, 4>;  // a word for each column
constexpr int kMostRounds = 14;
constexpr int kMostKeyWords = 8;

uint8_t byteOf(Word word, int row) { return word >> (24 - 8 * row); }
Word rotated(Word word, int bytes) { return bytes == 0 ? word : word >> (8 * bytes) | word << (32 - 8 * bytes); }

/** S-boxes, and the column that each byte of row 0 adds to a mixed one (sections 5.1.1 and 5.1.3, and their inverses).
 */
struct Tables {
  std::array<uint8_t, 256> sBox{}, inverseSBox{};
  std::array<Word, 256> mix{}, unmix{};

  Tables() {
    for (int a = 0; a < 256; a++) {
      const uint8_t b = inverse(a);
      uint8_t s = 0x63;
      for (int n = 0; n < 5; n++) s ^= b << n | b >> (8 - n);
      sBox[a] = s;
      inverseSBox[s] = a;
      mix[a] = Word(multiply(a, 2)) << 24 | Word(a) << 16 | Word(a) << 8 | multiply(a, 3);
      unmix[a] =
          Word(multiply(a, 14)) << 24 | Word(multiply(a, 9)) << 16 | Word(multiply(a, 13)) << 8 | multiply(a, 11);
    }
  }

  static uint8_t multiply(uint8_t a, uint8_t b) {
    uint8_t sum = 0;
    for (; b != 0; b >>= 1, a = a << 1 ^ (a & 0x80 ? 0x1b : 0)) {
      if (b & 1) sum ^= a;
    }
    return sum;
  }

  /** a^254, with 0 for 0. */
  static uint8_t inverse(uint8_t a) {
    uint8_t power = 1;
    for (int n = 0; n < 254; n++) power = multiply(power, a);
    return power;
  }
};
const Tables tables;

Word substituted(Word word) {
  const auto& s = tables.sBox;
  return Word(s[byteOf(word, 0)]) << 24 | Word(s[byteOf(word, 1)]) << 16 | Word(s[byteOf(word, 2)]) << 8 |
         s[byteOf(word, 3)];
}

Word mixed(const std::array<Word, 256>& table, Word word) {
  Word sum = 0;
  for (int row = 0; row < 4; row++) sum ^= rotated(table[byteOf(word, row)], row);
  return sum;
}

/** The words of the key schedule (section 5.2), as far as a core gets or makes them. */
class Schedule {
 public:
  Schedule(int keyWords, bool fromEnd, const Word* key) : n_(keyWords), rounds_(keyWords + 6) {
    const int end = 4 * rounds_ + n_;
    Word* const known = fromEnd ? &words_[end - n_] : &words_[0];
    for (int i = 0; i < n_; i++) known[i] = key[n_ - 1 - i];
    Word constant = 1;
    std::array<Word, 4 * kMostRounds + kMostKeyWords> constants{};
    for (int i = n_; i < end; i += n_, constant = Tables::multiply(constant, 2)) constants[i] = constant << 24;
    if (fromEnd) {
      for (int i = end - 1; i >= n_; i--) words_[i - n_] = words_[i] ^ changed(i, constants[i]);
    } else {
      for (int i = n_; i < end; i++) words_[i] = words_[i - n_] ^ changed(i, constants[i]);
    }
  }

  int rounds() const { return rounds_; }
  void add(int round, Block& state) const {
    for (int column = 0; column < 4; column++) state[column] ^= words_[4 * round + column];
  }

 private:
  /** Difference between word i and the word a key length before it. */
  Word changed(int i, Word constant) const {
    const Word before = words_[i - 1];
    if (i % n_ == 0) return substituted(rotated(before, 3)) ^ constant;
    return n_ == 8 && i % n_ == 4 ? substituted(before) : before;
  }

  int n_, rounds_;
  std::array<Word, 4 * kMostRounds + kMostKeyWords> words_{};
};

void encrypt(const Schedule& schedule, Block& state) {
  schedule.add(0, state);
  for (int round = 1; round <= schedule.rounds(); round++) {
    Block next{};
    for (int column = 0; column < 4; column++) {
      Word shifted = 0;
      for (int row = 0; row < 4; row++) shifted = shifted << 8 | tables.sBox[byteOf(state[(column + row) % 4], row)];
      next[column] = round == schedule.rounds() ? shifted : mixed(tables.mix, shifted);
    }
    state = next;
    schedule.add(round, state);
  }
}

void decrypt(const Schedule& schedule, Block& state) {
  for (int round = schedule.rounds(); round >= 1; round--) {
    schedule.add(round, state);
    if (round != schedule.rounds()) {
      for (Word& column : state) column = mixed(tables.unmix, column);
    }
    Block next{};
    for (int column = 0; column < 4; column++) {
      for (int row = 0; row < 4; row++) {
        next[column] = next[column] << 8 | tables.inverseSBox[byteOf(state[(column + 4 - row) % 4], row)];
      }
    }
    state = next;
  }
  schedule.add(0, state);
}

}  // namespace

/** A block under a key of 128, 192 or 256 bits. Numbers have their least significant word first, as DPI's bit vectors;
 * the first byte of FIPS-197 is the most significant one. To decrypt, `key` is the key schedule's last words, of as
 * many bits, beginning with the last round key. */
extern "C" void hauberk_aes_block(int keyBits, uint8_t decrypts, const uint32_t* key, const uint32_t* block,
                                  uint32_t* result) {
  const Schedule schedule(keyBits / 32, decrypts, key);
  Block state;
  for (int column = 0; column < 4; column++) state[column] = block[3 - column];
  if (decrypts) {
    decrypt(schedule, state);
  } else {
    encrypt(schedule, state);
  }
  for (int column = 0; column < 4; column++) result[3 - column] = state[column];
}
