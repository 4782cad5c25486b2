// What memory must hold, computed apart from the hardware after docs/formats.md: AES-128 of FIPS-197, and the pads of
// blocks under pairs.
#pragma once

#include <array>
#include <cstdint>

namespace hauberk::engine {

using AesBlock = std::array<uint8_t, 16>;

/** The key is two words of a key slot, the first of which is the more significant half. */
AesBlock encryptAes(const uint64_t key[2], const AesBlock& plain);

/** Domain 1 of engine 0: the pad of an AES block of a block with this counter. */
AesBlock dataPad(const uint64_t key[2], uint64_t block, uint64_t counter, unsigned aesBlock);

}  // namespace hauberk::engine
