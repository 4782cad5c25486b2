// The secure bus at work: this program is fetched over it, and every line that it reads or writes crosses it.
#include <stdio.h>

#include "free_memory.h"
#include "mmio.h"
#include "registers.h"

#define WORDS (256 * 1024 / sizeof(uint64_t))
#define STRIDE (64 / sizeof(uint64_t))

int main(void) {
  if (reg_read64(BUS_BASE + BUS_ID) != BUS_ID_VALUE) {
    printf("there is no secure bus at 0x%x\n", BUS_BASE);
    return 1;
  }
  const uint64_t before = reg_read64(BUS_BASE + BUS_STATS + BUS_STAT_DATA_BEATS);
  for (size_t i = 0; i < WORDS; i += STRIDE) free_memory[i] = i + 1;
  for (size_t i = 0; i < WORDS; i += STRIDE)
    if (free_memory[i] != i + 1) {
      printf("word %lu is not what was written\n", (unsigned long)i);
      return 2;
    }
  const unsigned long beats = reg_read64(BUS_BASE + BUS_STATS + BUS_STAT_DATA_BEATS) - before;
  const unsigned long macs = reg_read64(BUS_BASE + BUS_STATS + BUS_STAT_AUTHENTICATIONS);
  const uint64_t status = reg_read64(BUS_BASE + BUS_STATUS);
  printf("%lu beats with data, %lu MACs since reset, status 0x%lx\n", beats, macs, (unsigned long)status);
  if (beats == 0 || macs == 0) {
    printf("nothing was encrypted or authenticated\n");
    return 3;
  }
  if ((status & (BUS_STATUS_OPENED | BUS_STATUS_ALARM)) != BUS_STATUS_OPENED) {
    printf("the bus's group is not open, or there was an alarm\n");
    return 4;
  }
  printf("secure bus: good\n");
  return 0;
}
