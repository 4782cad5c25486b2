// The pages of a program become a context's (AEGIS, 3.1), which maps them. A batch of pages is taken before it is
// mapped: the hasher reads them while tables are cleared.
#include "contexts.h"

#define BATCH 16
// So many tables map what is nobody's: two for each of the two pages that an instruction accesses
#define TABLES_OUTSIDE 4

typedef struct {
  uint64_t kind, address, page;
} taken_page;

// A page that the program could write is the program's alone, or would have been copied.
static int64_t take(context *context, uint64_t address, uint64_t *page) {
  // What is the context's already has no secrets yet
  const uint64_t leaf = leaf_of(context->outside, address, NULL), needed = ENTRY_USER | ENTRY_READ | ENTRY_WRITE;
  if ((leaf & needed) != needed) return TEE_UNMAPPED;
  *page = page_of(leaf);
  return is_dram(*page) && give_page(context, *page) ? 0 : TEE_TAKEN;
}

// Those for the context's tables: a root, which maps nothing, and others
static int64_t take_tables(context *context, const tee_program *program) {
  uint64_t address = program->start;
  unsigned i = 0;
  for (; program->segment[i].kind != TEE_TABLES; i++) address += program->segment[i].pages * TEE_PAGE;
  for (; context->tables < program->segment[i].pages; context->tables++) {
    const int64_t error = take(context, address + context->tables * TEE_PAGE, &context->table[context->tables]);
    if (error) return error;
  }
  make_root(context);
  return 0;
}

static uint64_t kind_at(const program_page *at) { return at->program->segment[at->segment].kind; }
static uint64_t pages_at(const program_page *at) { return at->program->segment[at->segment].pages; }

// Goes on to a page that is not one of page tables: false if there is none
static bool find_page(program_page *at) {
  for (; at->segment < at->program->segments; at->segment++, at->number = 0) {
    if (kind_at(at) == TEE_TABLES)
      at->address += pages_at(at) * TEE_PAGE;
    else if (at->number < pages_at(at))
      return true;
  }
  return false;
}

static void go_to_next(program_page *at) {
  at->number++;
  at->address += TEE_PAGE;
}

static bool has_contents(uint64_t kind) { return kind != TEE_ZERO; }

static uint64_t mode_of(uint64_t kind) {
  const bool is_private = kind == TEE_PRIVATE_CODE || kind == TEE_PRIVATE_DATA;
  const bool is_code = kind == TEE_CODE || kind == TEE_PRIVATE_CODE;
  return (is_code ? ENTRY_READ | ENTRY_EXECUTE : ENTRY_READ | ENTRY_WRITE | ENTRY_DIRTY) |
         (is_private ? 0 : ENTRY_VALID);  // private.c
}

// Pages wait for the hasher in their order, as long as it takes them.
static int64_t take_batch(context *context, program_page *at, program_page *to_hash, taken_page *batch,
                          unsigned *count) {
  for (*count = 0; *count < BATCH && find_page(at); go_to_next(at)) {
    taken_page *next = &batch[*count];
    *next = (taken_page){.kind = kind_at(at), .address = at->address};
    const int64_t error = take(context, next->address, &next->page);
    if (error) return error;
    ++*count;
    if (find_page(to_hash) && to_hash->address == at->address && (!has_contents(next->kind) || hash_later(next->page)))
      go_to_next(to_hash);
  }
  return 0;
}

static int64_t map_batch(context *context, const taken_page *batch, unsigned count, unsigned *mapped) {
  for (*mapped = 0; *mapped < count; ++*mapped) {
    hash_on();
    const taken_page *next = &batch[*mapped];
    uint64_t *entry = make_entry(context, next->address);
    if (!entry) return TEE_FEW_TABLES;
    *entry = entry_of(next->page, ENTRY_USER | ENTRY_ACCESSED | mode_of(next->kind));
  }
  return 0;
}

int64_t take_pages(context *context, program_page *to_hash) {
  program_page at = *to_hash;
  taken_page batch[BATCH];
  int64_t error = 0;
  while (!error && find_page(&at)) {
    unsigned count, mapped = 0;
    error = take_batch(context, &at, to_hash, batch, &count);
    if (!error && !context->used) error = take_tables(context, at.program);
    if (!error) error = map_batch(context, batch, count, &mapped);
    // What is not mapped is nobody's again.
    for (; mapped < count; mapped++) release_page(context, batch[mapped].page);
  }
  if (error) return error;
  context->fixed = context->used;
  return context->tables - context->fixed < TABLES_OUTSIDE ? TEE_FEW_TABLES : 0;
}

bool clear_pages(context *context, program_page at) {
  for (; find_page(&at); go_to_next(&at)) {
    if (kind_at(&at) != TEE_ZERO) continue;
    const uint64_t page = page_of(own_entry(context, at.address));
    if (!has_data_page(context, page)) return false;
    clear_page(page);
  }
  return true;
}

bool measure_pages(context *context, program_page *to_hash) {
  for (; find_page(to_hash); go_to_next(to_hash)) {
    if (!has_contents(kind_at(to_hash))) continue;
    const uint64_t page = page_of(own_entry(context, to_hash->address));
    if (!has_data_page(context, page)) return false;
    while (!hash_later(page)) {
    }
  }
  return hash_wait() && hash_end(0, 0, context->digest);
}
