#include "hauberk.h"

static uint64_t cycles_before, instructions_before;
static uint64_t cycles_total, instructions_total;

void kernel_begin(void) {
  instructions_before = read_instructions();
  cycles_before = read_cycles();
}

void kernel_end(void) {
  cycles_total += read_cycles() - cycles_before;
  instructions_total += read_instructions() - instructions_before;
}

uint64_t kernel_cycles(void) { return cycles_total; }
uint64_t kernel_instructions(void) { return instructions_total; }
