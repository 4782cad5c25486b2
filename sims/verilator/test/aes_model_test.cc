#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <string>

extern "C" void hauberk_aes_block(int keyBits, uint8_t decrypts, const uint32_t* key, const uint32_t* block,
                                  uint32_t* result);

namespace hauberk {
namespace {

/** A number in hexadecimal as DPI's bit vector, its least significant word first. */
std::array<uint32_t, 8> bits(const std::string& hex) {
  std::array<uint32_t, 8> words{};
  for (size_t i = 0; i < hex.size() / 8; i++)
    words[i] = std::stoul(hex.substr(hex.size() - 8 * (i + 1), 8), nullptr, 16);
  return words;
}

struct Known {
  const char *key, *start, *plain, *cipher;
};

// Keys, plaintexts and ciphertexts are those of FIPS-197, appendices B and C, and of SP 800-38A, F.1.1, F.1.3 and
// F.1.5. The decryption starts are the ends of the key schedules, which FIPS-197 lists in appendix A up to the last
// round key; the words behind follow from the same recursion.
const Known kKnown[] = {
    {"2b7e151628aed2a6abf7158809cf4f3c", "d014f9a8c9ee2589e13f0cc8b6630ca6", "3243f6a8885a308d313198a2e0370734",
     "3925841d02dc09fbdc118597196a0b32"},
    {"2b7e151628aed2a6abf7158809cf4f3c", "d014f9a8c9ee2589e13f0cc8b6630ca6", "6bc1bee22e409f96e93d7e117393172a",
     "3ad77bb40d7a3660a89ecaf32466ef97"},
    {"8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b", "e98ba06f448c773c8ecc720401002202292d34689511d3dd",
     "6bc1bee22e409f96e93d7e117393172a", "bd334f1d6e45f25ff712a214571fa5cc"},
    {"603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4",
     "fe4890d1e6188d0b046df344706c631e9baa51917f7fcaa5e5a0a06b58b0b966", "6bc1bee22e409f96e93d7e117393172a",
     "f3eed1bdb5d2a03c064b5a7e3db181f8"},
    {"000102030405060708090a0b0c0d0e0f", "13111d7fe3944a17f307a78b4d2b30c5", "00112233445566778899aabbccddeeff",
     "69c4e0d86a7b0430d8cdb78070b4c55a"},
    {"000102030405060708090a0b0c0d0e0f1011121314151617", "a4970a331a78dc09c418c271e3a41d5d41879d5299294760",
     "00112233445566778899aabbccddeeff", "dda97ca4864cdfe06eaf70a0ec0d7191"},
    {"000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
     "24fc79ccbf0979e9371ac23c6d68de36721f7b9cdbed347ca5ba1fd66842d23c", "00112233445566778899aabbccddeeff",
     "8ea2b7ca516745bfeafc49904b496089"},
};

TEST(AesModel, HasThePublishedResults) {
  for (const Known& known : kKnown) {
    const int keyBits = 4 * std::string(known.key).size();
    std::array<uint32_t, 8> result{};
    hauberk_aes_block(keyBits, 0, bits(known.key).data(), bits(known.plain).data(), result.data());
    EXPECT_EQ(result, bits(known.cipher)) << "encryption under " << known.key;
    hauberk_aes_block(keyBits, 1, bits(known.start).data(), bits(known.cipher).data(), result.data());
    EXPECT_EQ(result, bits(known.plain)) << "decryption under " << known.key;
  }
}

}  // namespace
}  // namespace hauberk
