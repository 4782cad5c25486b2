// The registers of guard, hasher and page clearer.
#include <string.h>
#include <sys/mman.h>

#include "model.h"

static uint64_t *at(uint64_t address) { return (uint64_t *)address; }
static uint64_t guard(uint64_t offset) { return CONTEXTS_BASE + offset; }
static uint64_t tile(unsigned hart) {
  return guard(CONTEXTS_TILE + hart * CONTEXTS_TILE_STRIDE + CONTEXTS_TILE_ACTIVE);
}

// Of the hasher: a digest so far, and whether a message has begun
static uint64_t mixed[DIGEST_WORDS];
static bool has_begun, is_done;

static const struct {
  uint64_t base, bytes;
} blocks[] = {{CONTEXTS_BASE, TEE_PAGE}, {HASHER_BASE, TEE_PAGE}, {CLEARER_BASE, TEE_PAGE}};

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
  map(DRAM, DRAM_PAGES * TEE_PAGE);
  for (unsigned i = 0; i < ARRAY_LENGTH(blocks); i++) map(blocks[i].base, blocks[i].bytes);
  *at(guard(CONTEXTS_GEOMETRY)) = 3 | MAX_HARTS << 8 | MODEL_PAGE_BITS << 16;
}

static void mix(uint64_t word) {
  if (!has_begun) memset(mixed, 0, sizeof mixed);
  has_begun = true;
  is_done = false;
  for (unsigned i = 0; i < DIGEST_WORDS; i++) mixed[i] = mix64(mixed[i] ^ word ^ (uint64_t)i << 32);
}

static void end_message(void) {
  mix(0x80);
  has_begun = false;
  is_done = true;
}

void digest_of(const uint64_t *words, unsigned count, uint64_t *digest) {
  for (unsigned i = 0; i < count; i++) mix(words[i]);
  mix(0);
  end_message();
  memcpy(digest, mixed, sizeof mixed);
  is_done = false;
}

static void hash_range(void) {
  const uint64_t page = *at(HASHER_BASE + HASHER_ADDRESS), lines = *at(HASHER_BASE + HASHER_LINES);
  if (page % TEE_PAGE || lines != TEE_PAGE / CACHE_LINE || !is_in_dram(page) ||
      model.owner[number_of(page)] != model.active[model.hart])
    must_not("hashes a page that is not the context's,", page, &counts->others);
  for (unsigned i = 0; i < TEE_PAGE / 8; i++) mix(words_at(page)[i]);
}

static void clear(uint64_t page) {
  const uint64_t cleared = page & ~(uint64_t)CLEARER_PAGE_SLOWLY;
  // Now and then memory refuses a line
  if (!is_in_dram(cleared) || !any_of(16)) return;
  stores(cleared, TEE_PAGE);
  memset(words_at(cleared), 0, TEE_PAGE);
  model.cached[number_of(cleared)] = NONE;
  *at(CLEARER_BASE + CLEARER_STATUS) = (*at(CLEARER_BASE + CLEARER_STATUS) + (1 << 16)) & 0xffff0000;
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
  for (unsigned i = 0; model.must_clear && is_written_table(spid, page) && i < TEE_PAGE / 8; i++)
    if (words_at(page)[i]) must_not("releases a page that is not clear,", page, &counts->releases);
  change(page, 0);
}

static void change_owner(uint64_t *word) {
  const uint64_t page = *word & ~(TEE_PAGE - 1UL);
  const unsigned spid = CONTEXTS_OWNER_SPID(*word);
  const bool releases = *word & CONTEXTS_OWNER_RELEASE, asks = *word & CONTEXTS_OWNER_ASK;
  const bool exists = is_in_dram(page) && spid && spid <= 3;
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
      if (has_lines()) must_not("takes lines of its cache along, as", *at(address), &counts->others);
      model.active[hart] = (unsigned)*at(address);
      model.has_old_instructions = model.has_old_addresses = true;
    }
  if (address == guard(CONTEXTS_OWNER)) change_owner(at(address));
  if (address == HASHER_BASE + HASHER_LINES) hash_range();
  if (address == HASHER_BASE + HASHER_WORD) mix(*at(address));
  if (address == HASHER_BASE + HASHER_ABORT) has_begun = is_done = false;
  if (address == HASHER_BASE + HASHER_END) {
    mix(*at(HASHER_BASE + HASHER_TAIL));
    end_message();
  }
  if (address == CLEARER_BASE + CLEARER_PAGE) clear(*at(address));
}

void register_read(uint64_t address) {
  if (address == guard(CONTEXTS_RANDOM)) *at(address) = random_word();
  if (address == HASHER_BASE + HASHER_STATUS)
    *at(address) = (has_begun ? HASHER_STATUS_BUSY : 0) | (is_done ? HASHER_STATUS_DONE : 0) |
                   // It takes time
                   (any_of(8) ? HASHER_STATUS_FULL : 0);
  if (address - (HASHER_BASE + HASHER_DIGEST_0) < sizeof mixed)
    *at(address) = is_done ? mixed[(address - HASHER_BASE - HASHER_DIGEST_0) / 8] : 0;
}
