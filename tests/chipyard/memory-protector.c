// The memory protector at work: it was armed before this program was loaded through it, and serves more memory than
// caches hold.
#include <stdio.h>

#include "free_memory.h"
#include "mmio.h"
#include "registers.h"

#define WORDS (576 * 1024 / sizeof(uint64_t))  // the L2 cache has 512 KiB
#define STRIDE (64 / sizeof(uint64_t))

static uint64_t expected(size_t i) { return i * 0x9e3779b97f4a7c15UL + 1; }

int main(void) {
  if (reg_read64(PROTECTOR_BASE + PROTECTOR_ID) != PROTECTOR_ID_VALUE) {
    printf("there is no memory protector at 0x%x\n", PROTECTOR_BASE);
    return 1;
  }
  const uint64_t status = reg_read64(PROTECTOR_BASE + PROTECTOR_STATUS);
  const uint64_t ready = PROTECTOR_STATUS_ARMED | PROTECTOR_STATUS_LOCKED;
  if ((status & ready) != ready) {
    printf("the memory protector is not armed and locked: status 0x%lx\n", (unsigned long)status);
    return 2;
  }
  for (size_t i = 0; i < WORDS; i += STRIDE) free_memory[i] = expected(i);
  for (size_t i = 0; i < WORDS; i += STRIDE)
    if (free_memory[i] != expected(i)) {
      printf("word %lu is not what was written\n", (unsigned long)i);
      return 3;
    }

  const unsigned engines = PROTECTOR_GEOMETRY_ENGINES(reg_read64(PROTECTOR_BASE + PROTECTOR_GEOMETRY));
  for (unsigned engine = 0; engine < engines; engine++) {
    const uintptr_t statistics = PROTECTOR_BASE + PROTECTOR_STATS + PROTECTOR_STATS_STRIDE * engine;
    const unsigned long blocks = reg_read64(statistics + PROTECTOR_STAT_AES_BLOCKS);
    const unsigned long reads = reg_read64(statistics + PROTECTOR_STAT_DATA_READS);
    const unsigned long writes = reg_read64(statistics + PROTECTOR_STAT_DATA_WRITES);
    printf("engine %u: %lu reads, %lu writes, %lu AES blocks\n", engine, reads, writes, blocks);
    if (blocks == 0 || reads == 0 || writes == 0) {
      printf("engine %u did not encrypt\n", engine);
      return 4;
    }
  }
  if (reg_read64(PROTECTOR_BASE + PROTECTOR_STATUS) & PROTECTOR_STATUS_ALARM) {
    printf("alarm: cause %lu, address 0x%lx\n", (unsigned long)reg_read64(PROTECTOR_BASE + PROTECTOR_ALARM_CAUSE),
           (unsigned long)reg_read64(PROTECTOR_BASE + PROTECTOR_ALARM_ADDR));
    return 5;
  }
  printf("memory protector: good\n");
  return 0;
}
