// Page tables: those of the supervisor, which are read, and those of a context, which are made. A context's tables map
// its own pages for good; what is nobody's they map when it is accessed, as the supervisor's tables have it.
#include "contexts.h"

#define LEVELS 3
#define RESERVED (~0UL << 54)
#define KIND (ENTRY_READ | ENTRY_WRITE | ENTRY_EXECUTE)

static unsigned index_of(uint64_t address, unsigned level) { return address >> (PAGE_BITS + 9 * level) & 511; }

static uint64_t new_table(context *context, uint64_t *parent) {
  if (context->used == context->tables) return 0;
  const uint64_t page = context->table[context->used];
  context->parent[context->used++] = parent;
  if (context->written < context->used) context->written = context->used;
  clear_page(page);
  return page;
}

// With new tables where they are missing, if it makes them
static uint64_t *walk(context *context, uint64_t address, bool makes) {
  uint64_t *table = (uint64_t *)context->table[0];
  for (unsigned level = LEVELS - 1; level > 0; level--) {
    uint64_t *entry = table + index_of(address, level);
    if (!*entry) {
      const uint64_t page = makes ? new_table(context, entry) : 0;
      if (!page) return NULL;
      *entry = entry_of(page, ENTRY_VALID);
    }
    table = (uint64_t *)page_of(*entry);
  }
  return table + index_of(address, 0);
}

uint64_t *entry_at(context *context, uint64_t address) { return walk(context, address, false); }

uint64_t *make_entry(context *context, uint64_t address) { return walk(context, address, true); }

static bool is_own(context *context, uint64_t page) {
  for (unsigned i = 0; i < context->tables; i++)
    if (context->table[i] == page) return true;
  for (uint64_t address = context->start; address < context->end; address = (address | (TEE_ALIGNMENT - 1)) + 1) {
    const uint64_t *entry = entry_at(context, address);
    for (uint64_t at = address; entry && at < context->end && index_of(at, 1) == index_of(address, 1);
         at += TEE_PAGE, entry++)
      if (!is_out(*entry) && page_of(*entry) == page) return true;
  }
  return false;
}

uint64_t leaf_of(uint64_t satp, uint64_t address, context *hidden) {
  if (satp >> 60 != SV39 || address >> USER_BITS) return 0;
  uint64_t table = satp << 20 >> 20 << PAGE_BITS;
  for (unsigned level = LEVELS; level-- > 0;) {
    if (!is_dram(table) || (hidden && is_own(hidden, table))) return 0;
    const uint64_t entry = ((volatile uint64_t *)table)[index_of(address, level)];
    // What is another context's reads as ones, and has reserved bits
    if (!(entry & ENTRY_VALID) || entry & RESERVED) return 0;
    if (entry & KIND) {
      const uint64_t within = (1UL << (PAGE_BITS + 9 * level)) - TEE_PAGE;
      return page_of(entry) & within ? 0 : entry | entry_of(address & within, 0);
    }
    table = page_of(entry);
  }
  return 0;
}

void make_root(context *context) {
  context->used = 0;
  new_table(context, NULL);
}

void forget_outside(context *context) {
  for (unsigned i = context->fixed; i < context->used; i++) *context->parent[i] = 0;
  context->used = context->fixed;
}

bool map_outside(context *context, uint64_t cause, uint64_t address) {
  // Tables with a context's own pages have nothing else; and it executes nothing else
  const uint64_t start = context->start & ~(TEE_ALIGNMENT - 1), end = context->end + TEE_ALIGNMENT - 1;
  if (cause == CAUSE_FETCH_PAGE || (address >= start && address < (end & ~(TEE_ALIGNMENT - 1)))) return false;
  const uint64_t leaf = leaf_of(context->outside, address, context);
  const uint64_t needed = cause == CAUSE_STORE_PAGE
                              ? ENTRY_USER | ENTRY_READ | ENTRY_WRITE | ENTRY_ACCESSED | ENTRY_DIRTY
                              : ENTRY_USER | ENTRY_READ | ENTRY_ACCESSED;
  // The supervisor may map a context's own page once more
  if ((leaf & needed) != needed || is_own(context, page_of(leaf))) return false;
  const bool writes = leaf & ENTRY_WRITE && leaf & ENTRY_DIRTY;
  const uint64_t bits =
      ENTRY_VALID | ENTRY_USER | ENTRY_READ | ENTRY_ACCESSED | (writes ? ENTRY_WRITE | ENTRY_DIRTY : 0);
  uint64_t *entry = make_entry(context, address);
  if (!entry) {
    forget_outside(context);
    entry = make_entry(context, address);
  }
  *entry = entry_of(page_of(leaf), bits);
  flush_tlb();
  return true;
}
