// Random numbers, which a seed repeats, and what memory may say in the place of the truth.
#include "model.h"

uint64_t random_word(void) { return mix64(model.random++); }

unsigned any_of(unsigned count) { return (unsigned)(random_word() >> 32) % count; }

// A page of a context, of its tables, of nobody, or of what is no memory: machine mode's own, registers, nothing
static uint64_t any_page(void) {
  const context *of = &contexts[any_of(8)];
  switch (any_of(8)) {
    case 0:
      return MICROCODE_BASE + any_of(32) * PAGE;
    case 1:
      return (const uint64_t[]){CONTEXTS_BASE, HASHER_BASE, CLEARER_BASE, 0x10000000, 0x2000000, 0}[any_of(6)];
    case 2:
      return (const uint64_t[]){DRAM - PAGE, DRAM + DRAM_PAGES * PAGE, 1UL << 55, ~0UL << 12 >> 8}[any_of(4)];
    case 3:
      return of->table[any_of(16)];
    default:
      break;
  }
  // Pages with owners are few
  for (unsigned tries = 0; tries < 16; tries++) {
    const uint64_t number = any_of(DRAM_PAGES);
    if (model.owner[number]) return DRAM + number * PAGE;
  }
  return DRAM + any_of(DRAM_PAGES) * PAGE;
}

uint64_t any_lie(uint64_t truth) {
  switch (any_of(8)) {
    case 0:
      return random_word();
    case 1:
      return any_of(2) ? 0 : ~0UL;
    case 2:
      return truth ^ 1UL << any_of(64);
    case 3:
      return entry_of(any_page(), truth & 1023);
    case 4:
      return entry_of(any_page(), ENTRY_VALID);
    default:
      return entry_of(any_page(), random_word() & 1023);
  }
}
