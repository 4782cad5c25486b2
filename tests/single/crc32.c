// CRC-32 (IEEE 802.3, reflected) by tables, eight bytes a step, over a message larger than the L1 data cache.
//
// Check: the catalogue's vector for "123456789"; a CRC appended to its message leaves the fixed residue; and each
// quarter of the message agrees with bit-by-bit polynomial division on a stretch of it.
#include "hauberk.h"

#define MESSAGE_BYTES (32 * 1024)
#define QUARTER (MESSAGE_BYTES / 4)
#define STRETCH 512
#define POLYNOMIAL 0xedb88320u
#define RESIDUE 0x2144df1cu

static NOINIT uint64_t message[MESSAGE_BYTES / 8 + 1];  // one word more for the appended CRC
static NOINIT uint32_t tables[8][256];
static RESULTS uint32_t checksums[6];

static void build_tables(void) {
  for (uint32_t byte = 0; byte < 256; byte++) {
    uint32_t remainder = byte;
    for (unsigned bit = 0; bit < 8; bit++) remainder = remainder >> 1 ^ (remainder & 1 ? POLYNOMIAL : 0);
    tables[0][byte] = remainder;
  }
  for (unsigned k = 1; k < 8; k++) {
    for (unsigned byte = 0; byte < 256; byte++) {
      uint32_t previous = tables[k - 1][byte];
      tables[k][byte] = previous >> 8 ^ tables[0][previous & 255];
    }
  }
}

// `data` must be aligned to 8 bytes.
static uint32_t crc_by_tables(const void *data, size_t size) {
  uint32_t crc = ~0u;
  const uint64_t *words = data;
  for (; size >= 8; size -= 8) {
    uint64_t word = *words++ ^ crc;
    crc = 0;
#pragma GCC unroll 8
    for (unsigned k = 0; k < 8; k++) crc ^= tables[7 - k][word >> 8 * k & 255];
  }
  const uint8_t *bytes = (const uint8_t *)words;
  while (size--) crc = crc >> 8 ^ tables[0][(crc ^ *bytes++) & 255];
  return ~crc;
}

static uint32_t crc_bit_by_bit(const uint8_t *bytes, size_t size) {
  uint32_t crc = ~0u;
  while (size--) {
    crc ^= *bytes++;
    for (unsigned bit = 0; bit < 8; bit++) crc = crc & 1 ? crc >> 1 ^ POLYNOMIAL : crc >> 1;
  }
  return ~crc;
}

int main(void) {
  static const _Alignas(8) char digits[] = "123456789";
  uint8_t *bytes = (uint8_t *)message;
  for (unsigned i = 0; i < MESSAGE_BYTES / 8; i++) message[i] = mix64(i);

  kernel_begin();
  build_tables();
  checksums[0] = crc_by_tables(message, MESSAGE_BYTES);
  kernel_end();

  checksums[1] = crc_by_tables(digits, sizeof digits - 1);
  expect(checksums[1] == 0xcbf43926u, "the CRC of \"123456789\" is the catalogue's");
  for (unsigned i = 0; i < 4; i++) bytes[MESSAGE_BYTES + i] = (uint8_t)(checksums[0] >> 8 * i);
  expect(crc_by_tables(message, MESSAGE_BYTES + 4) == RESIDUE, "message and CRC together leave the residue");
  for (unsigned i = 0; i < 4; i++) {
    checksums[2 + i] = crc_by_tables(bytes + i * QUARTER, STRETCH);
    expect(checksums[2 + i] == crc_bit_by_bit(bytes + i * QUARTER, STRETCH), "tables agree with division bit by bit");
  }
  return 0;
}
