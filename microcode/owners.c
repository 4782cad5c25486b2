// Owners of pages, as the guard has them.
#include "contexts.h"

static volatile uint64_t *at(uintptr_t offset) { return (volatile uint64_t *)(CONTEXTS_BASE + offset); }

#define DRAM_BASE 0x80000000UL

static uint64_t dram_end(void) {
  return DRAM_BASE + (1UL << (CONTEXTS_GEOMETRY_PAGE_BITS(*at(CONTEXTS_GEOMETRY)) + PAGE_BITS));
}

bool is_dram(uint64_t page) { return page >= DRAM_BASE && page < dram_end(); }

bool give_page(uint64_t page, unsigned spid) {
  *at(CONTEXTS_OWNER) = page | spid;
  while (*at(CONTEXTS_STATUS) & CONTEXTS_STATUS_BUSY) {
  }
  return !(*at(CONTEXTS_STATUS) & CONTEXTS_STATUS_REFUSED);
}

static uint64_t clearer(void) { return *(volatile uint64_t *)(CLEARER_BASE + CLEARER_STATUS); }

// By the page clearer; false if it has not cleared it: it was not asked, as after an alarm, or memory refused a line.
static bool clear_by_hardware(uint64_t page) {
  const uint64_t before = CLEARER_STATUS_CLEARED(clearer());
  fence_all();  // stores to the page come before
  *(volatile uint64_t *)(CLEARER_BASE + CLEARER_PAGE) = page | (is_hashing() ? CLEARER_PAGE_SLOWLY : 0);
  while (clearer() & CLEARER_STATUS_BUSY) hash_on();
  fence_all();  // and loads behind
  return CLEARER_STATUS_CLEARED(clearer()) != before;
}

// Who is not exclusive clears one page now and then, for a page table.
void clear_page(uint64_t page) {
  if (!is_exclusive() || !clear_by_hardware(page)) memset((void *)page, 0, TEE_PAGE);
}
