// What a context sees of memory that is nobody's: what the supervisor's tables have, with their rights, and no more.
#include <string.h>

#include "cases.h"

#define AT 0xc0000000UL  // in tables of its own

static space *beside(void) {
  space *space = entered();
  map_at(space, AT, new_page(), LEAF);
  return space;
}

// Whether the context gets the page at once; the supervisor gets the fault otherwise, and resumes the context
static bool reaches(space *space, uint64_t cause, uint64_t address) {
  const uint64_t pc = csrs()->mepc, satp = csrs()->satp;
  take_trap(cause, address, 0);
  if (in_context()) {
    expect(!model.is_shown && model.frame == &contexts[0].frame && csrs()->mepc == pc && csrs()->satp == satp);
    return true;
  }
  expect(csrs()->scause == cause && resume_at(space, GATE, 1));
  return false;
}

static uint64_t mapped(uint64_t address) {
  const uint64_t *leaf = leaf_at(csrs()->satp, address);
  return leaf ? *leaf : 0;
}

CASE(maps_with_rights, "a page outside is read, and written if it is dirty, and never executed") {
  static const struct {
    uint64_t bits, loads, stores;  // bits of what is mapped then, or 0
  } rights[] = {
      {LEAF, V | R | W | U | A | D, V | R | W | U | A | D},
      {LEAF | X, V | R | W | U | A | D, V | R | W | U | A | D},
      {LEAF & ~D, V | R | U | A, 0},
      {LEAF & ~W, V | R | U | A, 0},
      {LEAF & ~(W | D), V | R | U | A, 0},
      {LEAF & ~A, 0, 0},
      {LEAF & ~U, 0, 0},
      {LEAF & ~V, 0, 0},
      {LEAF & ~R, 0, 0},
      {V | X | U | A, 0, 0},
      {LEAF | 1UL << 54, 0, 0},
      {LEAF | 1UL << 63, 0, 0},
  };
  space *space = beside();
  uint64_t *leaf = leaf_at(space->satp, AT);
  const uint64_t page = page_at(space->satp, AT);
  for (unsigned i = 0; i < ARRAY_LENGTH(rights); i++) {
    *leaf = page >> 2 | rights[i].bits;
    for (unsigned store = 0; store < 2; store++) {
      const uint64_t bits = store ? rights[i].stores : rights[i].loads;
      context_fence();
      flush_tlb();
      expect(reaches(space, store ? STORE : LOAD, AT + 0x123) == (bits != 0));
      expect(mapped(AT) == (bits ? page >> 2 | bits : 0));
    }
    expect(!reaches(space, FETCH, AT) && !mapped(AT));
  }
}

CASE(maps_no_own_page, "no page and no table of the context's is mapped outside, or followed there") {
  space *space = beside();
  static const uint64_t own[] = {START, ZEROS, TABLES_AT, TABLES_AT + 7 * PAGE, SEALED_DATA};
  for (unsigned i = 0; i < ARRAY_LENGTH(own); i++) {
    map_at(space, AT, page_at(space->satp, own[i]), LEAF);
    expect(!reaches(space, LOAD, AT) && !mapped(AT));
  }
  // A table of the supervisor's that the context owns
  uint64_t *upper = words_at(space->satp << 20 >> 8) + (AT >> 30 & 511);
  const uint64_t before = *upper;
  *upper = page_at(space->satp, WORDS) >> 2 | V;
  words_at(page_at(space->satp, WORDS))[0] = DRAM >> 2 | LEAF;
  expect(!reaches(space, LOAD, AT));
  *upper = before;
}

// The page of an entry of a higher level covers many
static void expect_large(space *space, uint64_t *entry, uint64_t bytes, uint64_t address) {
  const uint64_t before = *entry, base = DRAM & ~(bytes - 1);
  *entry = base >> 2 | LEAF;
  expect(reaches(space, LOAD, address) &&
         mapped(address & ~(PAGE - 1)) == ((base | (address & (bytes - 1) & ~(PAGE - 1))) >> 2 | LEAF));
  for (uint64_t bit = PAGE; bit < bytes; bit <<= 1) {
    *entry = (base | bit) >> 2 | LEAF;
    context_fence();
    flush_tlb();
    expect(!reaches(space, LOAD, address));
  }
  *entry = before;
  context_fence();
  flush_tlb();
}

CASE(maps_large_pages, "large pages are mapped by the small one that is accessed, and only where they may begin") {
  space *space = beside();
  uint64_t *root = words_at(space->satp << 20 >> 8), *middle = words_at((root[3] << 10 >> 20 << 12));
  // Pages of contexts are none of these
  expect_large(space, &middle[1], MIB_2, AT + MIB_2 + 9 * PAGE + 5);
  expect_large(space, &root[4], 1UL << 30, 0x100000000 + 8 * PAGE);
  root[4] = DRAM >> 2 | LEAF;
  root[0] = 0;
  expect(!reaches(space, LOAD, GATE));
}

CASE(follows_dram_only, "tables of the supervisor's are in DRAM, and addresses are a program's") {
  space *space = beside();
  uint64_t *root = words_at(space->satp << 20 >> 8);
  const uint64_t before = root[3], wrong[] = {0x10060000, DRAM - PAGE, DRAM + DRAM_PAGES * PAGE, 1UL << 55, 0};
  for (unsigned i = 0; i < ARRAY_LENGTH(wrong); i++) {
    root[3] = wrong[i] >> 2 | V;
    expect(!reaches(space, LOAD, AT));
  }
  root[3] = before;
  for (unsigned bit = 38; bit < 64; bit++) expect(!reaches(space, LOAD, 1UL << bit | AT));
  expect(!reaches(space, LOAD, ~0UL << 39 | AT));
  expect(reaches(space, LOAD, AT));
  context_fence();
  flush_tlb();
  for (unsigned bit = 60; bit < 64; bit++) expect(!leaf_of(space->satp ^ 1UL << bit, AT, NULL));
  expect(leaf_of(space->satp, AT, NULL) == *leaf_at(space->satp, AT));
}

CASE(has_three_levels, "what should be a page and is one more table is none") {
  space *space = beside();
  const uint64_t table = new_page();
  for (unsigned i = 0; i < 512; i++) words_at(table)[i] = DRAM >> 2 | LEAF;
  *leaf_at(space->satp, AT) = table >> 2 | V;
  expect(!reaches(space, LOAD, AT) && !reaches(space, LOAD, AT + 8));
}

CASE(tells_tables_apart, "each range of addresses has tables of its own, at each level") {
  space *space = entered();
  const uint64_t code = mapped(START), data = mapped(MORE_WORDS);
  for (unsigned bit = 20; bit < 38; bit++) {
    context_fence();
    flush_tlb();
    for (unsigned j = 0; j < 2; j++) {
      const uint64_t address = (bit == 20 ? 0 : bit == 30 ? 0x40800000 : 1UL << bit) + j * PAGE, page = new_page();
      map_at(space, address, page, LEAF);
      expect(!mapped(address) && reaches(space, LOAD, address) && mapped(address) == (page >> 2 | LEAF));
    }
    expect(mapped(START) == code && mapped(MORE_WORDS) == data);
  }
}

CASE(ends_at_its_neighbourhood, "a program that ends with 2 MiB has its neighbours right behind it") {
  call(ENABLE, 0, 0, 0, 0);
  space *space = small_space();
  space->program.start = 0x40200000 - SMALL_PAGES * PAGE;
  for (unsigned i = 0; i < SMALL_PAGES; i++) map_at(space, space->program.start + i * PAGE, new_page(), LEAF);
  allow_all(space);
  expect(enter_at(space, space->program.start, GATE));
  map_at(space, 0x40200000, new_page(), LEAF);
  map_at(space, 0x40000000, new_page(), LEAF);
  map_at(space, 0x3ffff000, new_page(), LEAF);
  expect(reaches(space, LOAD, 0x3ffff000) && !reaches(space, LOAD, 0x40000000) && reaches(space, LOAD, 0x40200000));
  const uint64_t satp = csrs()->satp;
  context_fence();
  flush_tlb();
  const uint64_t *leaf = leaf_at(satp, 0x40200000);
  expect(!leaf || !*leaf);
}

CASE(keeps_its_neighbourhood, "nothing else is seen within 2 MiB of a context's own pages") {
  space *space = entered();
  const uint64_t start = START & ~(MIB_2 - 1), end = (PROGRAM_END + MIB_2 - 1) & ~(MIB_2 - 1),
                 other = page_at(space->satp, SHARED);
  const uint64_t within[] = {start, START - PAGE, PROGRAM_END, end - PAGE}, beside[] = {start - PAGE, end};
  for (unsigned i = 0; i < 4; i++) {
    map_at(space, within[i], other, LEAF);
    expect(!reaches(space, LOAD, within[i]));
  }
  for (unsigned i = 0; i < 2; i++) {
    map_at(space, beside[i], other, LEAF);
    expect(reaches(space, LOAD, beside[i]));
  }
}

CASE(forgets_outside, "what a context saw outside goes with the context, and with a fence, from all of its tables") {
  space *space = entered();
  for (unsigned round = 0; round < 2; round++) {
    expect(reaches(space, LOAD, SHARED) && reaches(space, STORE, SHARED + PAGE) && mapped(SHARED));
    const uint64_t satp = csrs()->satp;
    const unsigned written = contexts[0].written;
    if (round) {
      context_fence();
      flush_tlb();
    } else {
      take_trap(USER_CALL, 0, 0);
    }
    expect(contexts[0].used == contexts[0].fixed && contexts[0].written == written);
    const uint64_t *leaf = leaf_at(satp, SHARED);
    expect(!leaf);
    // A hart that is no context has nothing to forget
    if (!round) context_fence();
    if (!round) expect(resume_at(space, GATE, 1));
  }
  expect(!reaches(space, LOAD, SHARED + SHARED_PAGES * PAGE) && reaches(space, LOAD, SHARED + 7 * PAGE));
}

CASE(uses_tables_again, "a context that needs more tables than it has forgets what it saw before") {
  space *space = entered();
  const uint64_t page = page_at(space->satp, SHARED);
  for (uint64_t i = 3; i < 12; i++) {
    const uint64_t address = i << 30 | i << 21;
    map_at(space, address, page, LEAF);
    expect(reaches(space, LOAD, address) && mapped(address) == (page >> 2 | LEAF));
    expect(contexts[0].used <= 8 && contexts[0].pages == PROGRAM_PAGES);
    expect(mapped(START) && mapped(MORE_WORDS) && *words_at(contexts[0].table[4]) != ~0UL);
  }
  uint64_t tables[16];
  memcpy(tables, contexts[0].table, sizeof tables);
  expect(execute(space, EXIT, START, 0, 0, 0));
  for (unsigned i = 0; i < 8; i++) expect(is_clear(tables[i]));
}
