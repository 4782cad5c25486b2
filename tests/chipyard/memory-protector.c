// The memory protector at work: it was armed before this program was loaded through it, and serves more memory than
// caches hold.
#include <stdio.h>

#include "mmio.h"

#define PROTECTOR 0x10010000UL
#define ID 0x4861756265726b31UL  // "Hauberk1"
#define ARMED_AND_LOCKED 0x18
#define ALARM 0x100

// Statistics of an engine
#define FIRST_ENGINE 0x100
#define ENGINE_STRIDE 0x80
#define AES_BLOCKS 0x10
#define DATA_READS 0x18
#define DATA_WRITES 0x20

#define WORDS (2 * 1024 * 1024 / sizeof(uint64_t))  // the L2 cache has 512 KiB
#define STRIDE (64 / sizeof(uint64_t))

static uint64_t data[WORDS];

static uint64_t expected(size_t i) { return i * 0x9e3779b97f4a7c15UL + 1; }

int main(void) {
  if (reg_read64(PROTECTOR) != ID) {
    printf("there is no memory protector at 0x%lx\n", PROTECTOR);
    return 1;
  }
  const uint64_t status = reg_read64(PROTECTOR + 0x18);
  if ((status & ARMED_AND_LOCKED) != ARMED_AND_LOCKED) {
    printf("the memory protector is not armed and locked: status 0x%lx\n", (unsigned long)status);
    return 2;
  }
  for (size_t i = 0; i < WORDS; i += STRIDE) data[i] = expected(i);
  for (size_t i = 0; i < WORDS; i += STRIDE)
    if (data[i] != expected(i)) {
      printf("word %lu is not what was written\n", (unsigned long)i);
      return 3;
    }

  const unsigned engines = reg_read64(PROTECTOR + 0x08) & 0xff;
  for (unsigned engine = 0; engine < engines; engine++) {
    const uintptr_t statistics = PROTECTOR + FIRST_ENGINE + ENGINE_STRIDE * engine;
    const unsigned long blocks = reg_read64(statistics + AES_BLOCKS);
    const unsigned long reads = reg_read64(statistics + DATA_READS);
    const unsigned long writes = reg_read64(statistics + DATA_WRITES);
    printf("engine %u: %lu reads, %lu writes, %lu AES blocks\n", engine, reads, writes, blocks);
    if (blocks == 0 || reads == 0 || writes == 0) {
      printf("engine %u did not encrypt\n", engine);
      return 4;
    }
  }
  if (reg_read64(PROTECTOR + 0x18) & ALARM) {
    printf("alarm: cause %lu, address 0x%lx\n", (unsigned long)reg_read64(PROTECTOR + 0x40),
           (unsigned long)reg_read64(PROTECTOR + 0x48));
    return 5;
  }
  printf("memory protector: good\n");
  return 0;
}
