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

void clear_page(uint64_t page) {
  // In pieces, so that the hasher gets its next page soon
  const bool hashes = is_exclusive() && is_hash_waiting();
  const uint64_t piece = hashes ? TEE_PAGE / 16 : TEE_PAGE;
  for (uint64_t from = page; from < page + TEE_PAGE; from += piece) {
    memset((void *)from, 0, piece);
    if (hashes) hash_on();
  }
}
