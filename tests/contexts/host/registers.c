// The registers of the guard, and where those of other devices are.
#include <string.h>
#include <sys/mman.h>

#include "model.h"

#define CLINT 0x2000000

static uint64_t *at(uint64_t address) { return (uint64_t *)address; }
static uint64_t guard(uint64_t offset) { return CONTEXTS_BASE + offset; }
static uint64_t tile(unsigned hart) {
  return guard(CONTEXTS_TILE + hart * CONTEXTS_TILE_STRIDE + CONTEXTS_TILE_ACTIVE);
}

static const struct {
  uint64_t base, bytes;
} blocks[] = {{CONTEXTS_BASE, PAGE}, {HASHER_BASE, PAGE}, {CLEARER_BASE, PAGE}, {CLINT, 0xc000}};

bool is_register(uint64_t address) {
  if (address % 8) return false;
  for (unsigned i = 0; i < ARRAY_LENGTH(blocks); i++)
    if (address - blocks[i].base < blocks[i].bytes) return true;
  return false;
}

static void map(uint64_t base, uint64_t bytes) {
  const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE | MAP_NORESERVE;
  if (mmap(at(base), bytes, PROT_READ | PROT_WRITE, flags, -1, 0) == MAP_FAILED) __builtin_abort();
}

void make_model(void) {
  map(DRAM, DRAM_PAGES * PAGE);
  for (unsigned i = 0; i < ARRAY_LENGTH(blocks); i++) map(blocks[i].base, blocks[i].bytes);
  model.contexts = 3;
}

static bool is_written_table(unsigned spid, uint64_t page) {
  const context *of = &contexts[spid - 1];
  for (unsigned i = 0; i < of->tables; i++)
    if (of->table[i] == page) return i < of->written;
  return true;
}

static void change(uint64_t page, unsigned owner) {
  if (!model.is_stopped) must_not("changes an owner while others have the page in caches,", page, &counts->others);
  if (!owner && model.cached[number_of(page)] == DIRTY)
    must_not("releases a page that it has written in its cache,", page, &counts->others);
  model.owner[number_of(page)] = owner;
  model.has_old_instructions = true;
}

static void release(unsigned spid, uint64_t page) {
  if (spid != model.active[model.hart]) must_not("releases a page of another context,", page, &counts->releases);
  for (unsigned i = 0; model.must_clear && is_written_table(spid, page) && i < PAGE / 8; i++)
    if (words_at(page)[i]) must_not("releases a page that is not clear,", page, &counts->releases);
  change(page, 0);
}

// The guard and the page clearer see what is in memory, and the hart sees what they did, behind fences.
static void must_have_drained(uint64_t address) {
  if (model.has_stores) must_not("asks before its stores are in memory, at", address, &counts->others);
  model.needs_fence = true;
}

static void change_owner(uint64_t *word) {
  const uint64_t page = *word & ~(PAGE - 1UL);
  const unsigned spid = CONTEXTS_OWNER_SPID(*word);
  const bool releases = *word & CONTEXTS_OWNER_RELEASE, asks = *word & CONTEXTS_OWNER_ASK;
  const bool exists = is_in_dram(page) && spid && spid <= model.contexts;
  if (!is_in_dram(page) && !releases && !asks) must_not("gives what is not DRAM,", page, &counts->others);
  if (!exists || model.owner[number_of(page)] != (releases || asks ? spid : 0)) {
    *word |= CONTEXTS_OWNER_REFUSED;
  } else if (!asks && releases) {
    release(spid, page);
  } else if (!asks) {
    change(page, spid);
  }
}

static bool has_lines(void) {
  for (unsigned i = 0; i < DRAM_PAGES; i++)
    if (model.cached[i]) return true;
  return false;
}

void register_written(uint64_t address) {
  for (unsigned hart = 0; hart < MAX_HARTS; hart++)
    if (address == tile(hart)) {
      if (!model.is_drained || has_lines())
        must_not("takes lines of its cache along, as", *at(address), &counts->others);
      model.active[hart] = (unsigned)*at(address);
      model.has_old_instructions = model.has_old_addresses = true;
    }
  if (address == guard(CONTEXTS_OWNER)) {
    if (!model.has_lock) must_not("asks while another hart may ask, at", address, &counts->others);
    must_have_drained(address);
    change_owner(at(address));
  }
  if (address - HASHER_BASE < PAGE) hasher_written(address - HASHER_BASE);
  if (address == CLEARER_BASE + CLEARER_PAGE) {
    must_have_drained(address);
    clearer_written(*at(address));
  }
}

void register_read(uint64_t address) {
  if (address == guard(CONTEXTS_GEOMETRY)) *at(address) = model.contexts | MAX_HARTS << 8 | MODEL_PAGE_BITS << 16;
  if (address == guard(CONTEXTS_RANDOM)) *at(address) = ++model.draws == model.empty ? 0 : random_word();
  if (address - HASHER_BASE < PAGE) hasher_read(address - HASHER_BASE);
  if (address == CLEARER_BASE + CLEARER_STATUS) *at(address) = clearer_status();
}
