// CRC-32 by a table, a byte at a time (after MiBench's CRC32).
//
// Check: the CRC that Python's zlib has for the same bytes.
#include "hauberk.h"
#include "input.h"

#define LARGEST 48000

static const unsigned sizes[] = {5000, LARGEST};
static const uint32_t known[] = {0x897b7cc4, 0xb18f7c7a};
static NOINIT uint64_t message[LARGEST / 8];
static uint32_t table[256];
static RESULTS uint32_t result[2];

static void build_table(void) {
  for (uint32_t byte = 0; byte < 256; byte++) {
    uint32_t remainder = byte;
    for (unsigned bit = 0; bit < 8; bit++) remainder = remainder >> 1 ^ (remainder & 1 ? 0xedb88320u : 0);
    table[byte] = remainder;
  }
}

static uint32_t __attribute__((noinline)) crc(const uint8_t *bytes, size_t size) {
  uint32_t remainder = ~0u;
  while (size--) remainder = remainder >> 8 ^ table[(remainder ^ *bytes++) & 255];
  return ~remainder;
}

int main(void) {
  for (unsigned i = 0; i < sizes[input] / 8; i++) message[i] = mix64(i);
  build_table();

  kernel_begin();
  result[0] = crc((const uint8_t *)message, sizes[input]);
  kernel_end();

  expect(result[0] == known[input], "the CRC is that of zlib");
  return 0;
}
