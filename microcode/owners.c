// Owners of pages, as the guard has them.
#include "contexts.h"

static volatile uint64_t *at(uintptr_t offset) { return (volatile uint64_t *)(CONTEXTS_BASE + offset); }

#define DRAM_BASE 0x80000000UL

static uint64_t dram_end(void) {
  return DRAM_BASE + (1UL << (CONTEXTS_GEOMETRY_PAGE_BITS(*at(CONTEXTS_GEOMETRY)) + PAGE_BITS));
}

bool is_dram(uint64_t page) { return page >= DRAM_BASE && page < dram_end(); }

// Changes the owner of a page, or asks for it; false if that was refused. The register shows what was written last: a
// store that does not come there, as after an alarm, is waited for. Harts that are not exclusive ask, too.
static bool write_owner(uint64_t word) {
  static volatile uint32_t in_use;
  while (__atomic_exchange_n(&in_use, 1, __ATOMIC_ACQUIRE)) {
  }
  fence_all();
  *at(CONTEXTS_OWNER) = word;
  uint64_t shown;
  do shown = *at(CONTEXTS_OWNER);
  while ((shown & ~(uint64_t)CONTEXTS_OWNER_REFUSED) != word);
  fence_all();
  __atomic_store_n(&in_use, 0, __ATOMIC_RELEASE);
  return !(shown & CONTEXTS_OWNER_REFUSED);
}

bool give_page(context *context, uint64_t page) {
  if (!write_owner(page | spid_of(context))) return false;
  context->pages++;
  return true;
}

bool release_page(context *context, uint64_t page) {
  if (!write_owner(page | CONTEXTS_OWNER_RELEASE | spid_of(context))) return false;
  context->pages--;
  return true;
}

bool has_page(const context *context, uint64_t page) {
  return write_owner(page | CONTEXTS_OWNER_ASK | spid_of(context));
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
