// Must fail: reads an address nothing answers to, so the trap handler has to say where and end with a non-zero exit
// code.
#include "hauberk.h"

#define NOBODY_HOME 0x50000UL

static RESULTS uint64_t word;

int main(void) {
  word = *(volatile uint64_t *)NOBODY_HOME;
  print("the load from 0x%lx returned\n", NOBODY_HOME);
  return 0;
}
