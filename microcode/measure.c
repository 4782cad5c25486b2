// H(Prog), the hash of a program: SHA-256 of its segments, its entry, and the contents of code and data.
#include "contexts.h"

#define MAGIC 0x3165657462756148UL  // "Haubtee1"

static bool add_segment(context *context, uint64_t address, uint64_t pages) {
  for (uint64_t i = 0; i < pages; i++)
    if (!hash_page(page_of(*entry_at(context, address + i * TEE_PAGE)))) return false;
  return true;
}

bool measure(context *context, const tee_program *program, uint64_t pc) {
  hash_word(MAGIC);
  hash_word(program->start);
  hash_word(pc);
  hash_word(program->segments);
  for (unsigned i = 0; i < program->segments; i++) {
    hash_word(program->segment[i].kind);
    hash_word(program->segment[i].pages);
  }
  uint64_t address = program->start;
  for (unsigned i = 0; i < program->segments; i++) {
    const uint64_t kind = program->segment[i].kind, pages = program->segment[i].pages;
    const bool has_contents = kind != TEE_ZERO && kind != TEE_TABLES;
    if (has_contents && !add_segment(context, address, pages)) {
      hash_abort();
      return false;
    }
    address += pages * TEE_PAGE;
  }
  return hash_end(0, 0, context->digest);
}
