// What is in memory, and what of it belongs to contexts.
#include <string.h>

#include "cases.h"

#define MASK 0x5a

static uint8_t own_stack[STACK] __attribute__((aligned(16)));
extern uint8_t __data_start[], _end[];

// "Haubtee1", the layout, and the pages that are in the hash, in their order
uint64_t digest_words(const space *space, uint64_t pc, uint64_t *digest) {
  static uint64_t words[PROGRAM_PAGES * 8 * 512];
  const tee_program *of = &space->program;
  uint64_t address = of->start;
  unsigned used = 0;
  words[used++] = 0x3165657462756148;
  words[used++] = of->start;
  words[used++] = pc;
  words[used++] = of->segments;
  for (unsigned i = 0; i < of->segments; i++) {
    words[used++] = of->segment[i].kind;
    words[used++] = of->segment[i].pages;
  }
  for (unsigned i = 0; i < of->segments; i++)
    for (unsigned page = 0; page < of->segment[i].pages; page++, address += PAGE) {
      if (of->segment[i].kind == ZERO || of->segment[i].kind == TABLES) continue;
      memcpy(words + used, words_at(page_at(space->satp, address)), PAGE);
      used += PAGE / 8;
    }
  digest_of(words, used, digest);
  return used;
}

unsigned pages_of(unsigned spid) {
  unsigned pages = 0;
  for (unsigned i = 0; i < DRAM_PAGES; i++) pages += model.owner[i] == spid;
  return pages;
}

bool is_clear(uint64_t page) {
  for (unsigned i = 0; i < PAGE / 8; i++)
    if (words_at(page)[i]) return false;
  return true;
}

void expect_nothing_left(void) {
  expect(pages_of(0) == DRAM_PAGES);
  expect(!model.active[model.hart] && !in_context() && !model.is_exclusive && !model.is_stopped);
  const uint8_t *rows = (const uint8_t *)contexts;
  for (unsigned i = 0; i < sizeof(context) * 8; i++) expect(!rows[i]);
}

static bool has(const uint8_t *from, const uint8_t *end, const uint8_t *masked, unsigned count) {
  for (; from + count <= end; from++) {
    unsigned same = 0;
    while (same < count && from[same] == (masked[same] ^ MASK)) same++;
    if (same == count) return true;
  }
  return false;
}

bool on_stack(const uint8_t *masked, unsigned count) { return has(own_stack, own_stack + STACK, masked, count); }
bool anywhere(const uint8_t *masked, unsigned count) {
  return has(__data_start, (uint8_t *)contexts, masked, count) || has((uint8_t *)(contexts + 8), _end, masked, count);
}

void mask(uint8_t *to, const void *from, unsigned count) {
  for (unsigned i = 0; i < count; i++) to[i] = ((const uint8_t *)from)[i] ^ MASK;
}

void on_own_stack(void (*work)(void *argument), void *argument) {
  memset(own_stack, 0, STACK);
  call_on_stack((uint64_t)own_stack + STACK, work, argument);
}
