// H(Prog), the hash of a program: SHA-256 of its segments, its entry, and the contents of code and data.
#include "contexts.h"

#define MAGIC 0x3165657462756148UL  // "Haubtee1"
#define LINES_OF_PAGE (TEE_PAGE / CACHE_LINE)

static volatile uint64_t *at(uintptr_t offset) { return (volatile uint64_t *)(HASHER_BASE + offset); }

static void add(uint64_t word) { *at(HASHER_WORD) = word; }

// False if a read failed, which has ended the message: what is added next would begin another.
static bool add_page(uint64_t page) {
  *at(HASHER_ADDRESS) = page;
  *at(HASHER_LINES) = LINES_OF_PAGE;
  while (*at(HASHER_STATUS) & HASHER_STATUS_READING) {
  }
  return !(*at(HASHER_STATUS) & (HASHER_STATUS_FAILED | HASHER_STATUS_REFUSED));
}

static bool add_segment(context *context, uint64_t address, uint64_t pages) {
  for (uint64_t i = 0; i < pages; i++)
    if (!add_page(page_of(*entry_at(context, address + i * TEE_PAGE)))) return false;
  return true;
}

bool measure(context *context, const tee_program *program, uint64_t pc) {
  add(MAGIC);
  add(program->start);
  add(pc);
  add(program->segments);
  for (unsigned i = 0; i < program->segments; i++) {
    add(program->segment[i].kind);
    add(program->segment[i].pages);
  }
  uint64_t address = program->start;
  for (unsigned i = 0; i < program->segments; i++) {
    const uint64_t kind = program->segment[i].kind, pages = program->segment[i].pages;
    if ((kind == TEE_CODE || kind == TEE_DATA) && !add_segment(context, address, pages)) {
      *at(HASHER_ABORT) = 1;
      return false;
    }
    address += pages * TEE_PAGE;
  }
  *at(HASHER_END) = 0;
  while (!(*at(HASHER_STATUS) & HASHER_STATUS_DONE)) {
  }
  for (unsigned i = 0; i < 4; i++) context->digest[i] = *at(HASHER_DIGEST_0 + 8 * i);
  return true;
}
