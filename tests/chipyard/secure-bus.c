// The secure bus at work: this program is fetched over it, and every line that it reads or writes crosses it.
#include <stdio.h>

#include "mmio.h"

#define BUS 0x10030000UL
#define ID 0x4861756265726b32UL  // "Hauberk2"
#define OPENED 1
#define ALARM 4
#define WORDS (256 * 1024 / sizeof(uint64_t))
#define STRIDE (64 / sizeof(uint64_t))

static uint64_t data[WORDS];

int main(void) {
  if (reg_read64(BUS) != ID) {
    printf("there is no secure bus at 0x%lx\n", BUS);
    return 1;
  }
  const uint64_t before = reg_read64(BUS + 0x88);
  for (size_t i = 0; i < WORDS; i += STRIDE) data[i] = i + 1;
  for (size_t i = 0; i < WORDS; i += STRIDE)
    if (data[i] != i + 1) {
      printf("word %lu is not what was written\n", (unsigned long)i);
      return 2;
    }
  const unsigned long beats = reg_read64(BUS + 0x88) - before;
  const unsigned long macs = reg_read64(BUS + 0x90);
  const uint64_t status = reg_read64(BUS + 0x10);
  printf("%lu beats with data, %lu MACs since reset, status 0x%lx\n", beats, macs, (unsigned long)status);
  if (beats == 0 || macs == 0) {
    printf("nothing was encrypted or authenticated\n");
    return 3;
  }
  if ((status & (OPENED | ALARM)) != OPENED) {
    printf("the bus's group is not open, or there was an alarm\n");
    return 4;
  }
  printf("secure bus: good\n");
  return 0;
}
