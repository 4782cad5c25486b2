// Page tables: those of the supervisor, which are read, and those of a context, which are made. A context's tables map
// its own pages for good; what is nobody's they map when it is accessed, as the supervisor's tables have it.
#include "contexts.h"

#define LEVELS 3
#define ENTRIES 512
#define RESERVED (~0UL << 54)
#define KIND (ENTRY_READ | ENTRY_WRITE | ENTRY_EXECUTE)

static unsigned index_of(uint64_t address, unsigned level) { return (address >> (PAGE_BITS + 9 * level)) % ENTRIES; }

// A table's level, and the bits of an address that are equal for all that it maps
static uint64_t place_of(uint64_t address, unsigned level) {
  return address >> (PAGE_BITS + 9 * (level + 1)) << 2 | level;
}

// The number of a table among those that are used; their count if there is none. Where tables are is on the chip: what
// memory has of them is for the hart's walks, and is never followed here.
static unsigned find_table(const context *context, uint64_t address, unsigned level) {
  const uint64_t place = place_of(address, level);
  unsigned i = 0;
  while (i < context->used && context->place[i] != place) i++;
  return i;
}

static uint64_t *slot_at(const context *context, unsigned slot) {
  return (uint64_t *)context->table[slot / ENTRIES] + slot % ENTRIES;
}

// A table that is not there yet; false if there are too few
static bool add_table(context *context, uint64_t address, unsigned level, unsigned slot) {
  if (context->used == context->tables) return false;
  const unsigned added = context->used++;
  if (context->written < context->used) context->written = context->used;
  context->place[added] = place_of(address, level);
  context->slot[added] = (uint16_t)slot;
  clear_page(context->table[added]);
  return true;
}

uint64_t *entry_at(context *context, uint64_t address) {
  const unsigned table = find_table(context, address, 0);
  return table < context->used ? slot_at(context, table * ENTRIES + index_of(address, 0)) : NULL;
}

uint64_t *make_entry(context *context, uint64_t address) {
  uint64_t *there = entry_at(context, address);
  if (there) return there;
  unsigned table = 0;
  for (unsigned level = LEVELS - 1; level-- > 0;) {
    const unsigned slot = table * ENTRIES + index_of(address, level + 1);
    table = find_table(context, address, level);
    if (table < context->used) continue;
    if (!add_table(context, address, level, slot)) return NULL;
    *slot_at(context, slot) = entry_of(context->table[table], ENTRY_VALID);
  }
  return entry_at(context, address);
}

uint64_t own_entry(context *context, uint64_t address) {
  const volatile uint64_t *entry = entry_at(context, address);
  return entry ? *entry : 0;
}

bool has_data_page(const context *context, uint64_t page) {
  for (unsigned i = 0; i < context->tables; i++)
    if (context->table[i] == page) return false;
  return has_page(context, page);
}

uint64_t leaf_of(uint64_t satp, uint64_t address, context *hidden) {
  if (satp >> 60 != SV39 || address >> USER_BITS) return 0;
  uint64_t table = satp << 20 >> 20 << PAGE_BITS;
  for (unsigned level = LEVELS; level-- > 0;) {
    if (!is_dram(table) || (hidden && has_page(hidden, table))) return 0;
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
  add_table(context, 0, LEVELS - 1, 0);
}

void forget_outside(context *context) {
  for (unsigned i = context->fixed; i < context->used; i++) *slot_at(context, context->slot[i]) = 0;
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
  if ((leaf & needed) != needed || has_page(context, page_of(leaf))) return false;
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
