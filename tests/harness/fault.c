// Must fail: the last hart reads an address nothing answers to, while the others wait for it. Its trap handler has to
// say where, and end the program on all harts with a non-zero exit code.
#include "hauberk.h"

#define NOBODY_HOME 0x50000UL

static barrier meeting;
static RESULTS uint64_t word;

static void read_on_last_hart(unsigned hart, unsigned harts) {
  if (hart == harts - 1) word = *(volatile uint64_t *)NOBODY_HOME;
  barrier_wait(&meeting, harts);
}

int main(void) {
  on_every_hart(read_on_last_hart);
  print("the load from 0x%lx returned\n", NOBODY_HOME);
  return 0;
}
