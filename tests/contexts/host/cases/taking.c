// Pages that a program enters with: what they must be, and that all or none become the context's.
#include <string.h>

#include "cases.h"

static void expect_error(space *space, int64_t error) {
  expect(!enter_at(space, START, GATE));
  expect((int64_t)own_frame()->x[10] == error);
  expect_nothing_left();
}

static space *ready(void) {
  space *space = new_space();
  call(ENABLE, 0, 0, 0, 0);
  allow_all(space);
  return space;
}

static void change_leaf(space *space, uint64_t address, uint64_t to, int64_t error) {
  uint64_t *leaf = leaf_at(space->satp, address);
  const uint64_t before = *leaf;
  *leaf = to;
  expect_error(space, error);
  *leaf = before;
}

CASE(needs_rights, "each page is mapped for programs, and may be written") {
  static const uint64_t at[] = {START, WORDS, TABLES_AT, TABLES_AT + 7 * PAGE, ZEROS, SEALED_DATA, PROGRAM_END - PAGE};
  space *space = ready();
  for (unsigned i = 0; i < ARRAY_LENGTH(at); i++) {
    const uint64_t leaf = *leaf_at(space->satp, at[i]);
    change_leaf(space, at[i], leaf & ~V, UNMAPPED);
    change_leaf(space, at[i], leaf & ~R, UNMAPPED);
    change_leaf(space, at[i], leaf & ~W, UNMAPPED);
    change_leaf(space, at[i], leaf & ~U, UNMAPPED);
    for (unsigned bit = 54; bit < 64; bit++) change_leaf(space, at[i], leaf | 1UL << bit, UNMAPPED);
    change_leaf(space, at[i], leaf & ~(R | W | X), UNMAPPED);
    change_leaf(space, at[i], (DRAM - PAGE) >> 2 | LEAF, TAKEN);
    change_leaf(space, at[i], (DRAM + DRAM_PAGES * PAGE) >> 2 | LEAF, TAKEN);
    change_leaf(space, at[i], 0x10060000 >> 2 | LEAF, TAKEN);
    // Twice
    change_leaf(space, at[i], page_at(space->satp, at[i] == WORDS ? START : WORDS) >> 2 | LEAF, TAKEN);
  }
  expect(enter_at(space, START, GATE));
}

CASE(reaches_the_ends_of_dram, "the first and the last page of DRAM may be a context's") {
  space *space = ready();
  map_at(space, WORDS, DRAM, LEAF);
  map_at(space, MORE_WORDS, DRAM + (DRAM_PAGES - 1) * PAGE, LEAF);
  expect(enter_at(space, START, GATE) && pages_of(1) == PROGRAM_PAGES);
  expect(model.owner[0] == 1 && model.owner[DRAM_PAGES - 1] == 1);
  expect(execute(space, EXIT, START, 0, 0, 0));
  expect(is_clear(DRAM) && is_clear(DRAM + (DRAM_PAGES - 1) * PAGE));
  expect_nothing_left();
}

CASE(takes_no_page_of_another, "a page of another context is not taken, and stays as it is") {
  static const uint64_t at[] = {START, TABLES_AT, TABLES_AT + 7 * PAGE, ZEROS, PROGRAM_END - PAGE};
  const uint64_t taken = page_at(entered()->satp, WORDS), before = *words_at(taken);
  take_trap(USER_CALL, 0, 0);
  space *other = new_space();
  allow_all(other);
  for (unsigned i = 0; i < ARRAY_LENGTH(at); i++) {
    uint64_t *leaf = leaf_at(other->satp, at[i]);
    const uint64_t own = *leaf;
    *leaf = taken >> 2 | LEAF;
    expect(!enter_at(other, START, GATE) && (int64_t)own_frame()->x[10] == TAKEN);
    expect(pages_of(1) == PROGRAM_PAGES && !pages_of(2) && *words_at(taken) == before && !contexts[1].state);
    *leaf = own;
  }
}

static space *with_tables(unsigned tables, unsigned pages) {
  const unsigned segments[][2] = {{CODE, 1}, {TABLES, tables}, {DATA, pages}};
  space *space = space_of(segments, 3);
  allow_all(space);
  return space;
}

CASE(needs_tables, "tables are four more than own pages need, however many there are") {
  call(ENABLE, 0, 0, 0, 0);
  expect_error(with_tables(7, 1), FEW_TABLES);
  expect_error(with_tables(6, 1), FEW_TABLES);
  expect_error(with_tables(1, 1), FEW_TABLES);
  expect_error(with_tables(2, 1), FEW_TABLES);
  space *space = with_tables(8, 1);
  expect(enter_at(space, START, GATE) && contexts[0].fixed == 4);
}

// More pages than are taken, or wait, at a time, in segments that begin and end within
static const unsigned segments[][2] = {{CODE, 3},  {DATA, 17}, {ZERO, 20}, {TABLES, 9},
                                       {DATA, 40}, {ZERO, 1},  {DATA, 1}};
#define MANY 91

// Also those that were mapped before
CASE(leaves_what_it_took, "pages that were taken in vain keep their contents and become nobody's") {
  call(ENABLE, 0, 0, 0, 0);
  space *space = space_of(segments, ARRAY_LENGTH(segments));
  uint64_t before[MANY];
  allow_all(space);
  for (unsigned i = 0; i < MANY; i++) before[i] = words_at(page_at(space->satp, START + i * PAGE))[100];
  for (unsigned last = MANY - 1; last > 50; last -= 3) {
    change_leaf(space, START + last * PAGE, 0, UNMAPPED);
    for (unsigned i = 0; i < MANY; i++)
      if (i < 40 || i >= 49) expect(words_at(page_at(space->satp, START + i * PAGE))[100] == before[i]);
  }
}

CASE(measures_many_pages, "a program of many pages has its hash, whatever the hasher has room for") {
  call(ENABLE, 0, 0, 0, 0);
  space *space = space_of(segments, ARRAY_LENGTH(segments));
  uint64_t digest[4];
  allow_all(space);
  digest_words(space, START, digest);
  const uint64_t before = words_at(page_at(space->satp, START + 90 * PAGE))[7];
  expect(enter_at(space, START, GATE) && !memcmp(digest, contexts[0].digest, sizeof digest));
  expect(contexts[0].pages == MANY && pages_of(1) == MANY);
  for (unsigned i = 20; i < 40; i++) expect(is_clear(page_at(space->satp, START + i * PAGE)));
  expect(is_clear(page_at(space->satp, START + 89 * PAGE)));
  expect(words_at(page_at(space->satp, START + 90 * PAGE))[7] == before && !model.fast);
  expect(execute(space, EXIT, START, 0, 0, 0));
  for (unsigned i = 0; i < MANY; i++)
    if (i < 40 || i >= 49) expect(is_clear(page_at(space->satp, START + i * PAGE)));
  expect_nothing_left();
}

CASE(fails_with_memory, "memory that refuses the hasher's reads lets no program enter") {
  space *space = ready();
  model.is_read_failing = true;
  expect_error(space, MEMORY);
  model.is_read_failing = false;
  uint64_t digest[4];
  digest_words(space, START, digest);
  expect(enter_at(space, START, GATE) && !memcmp(digest, contexts[0].digest, sizeof digest));
}

// Between the moment when pages are taken and the one when they are cleared and hashed
CASE(uses_own_pages_only, "memory that names a table, or another's page, gets nothing cleared or hashed") {
  space *space = entered();
  const uint64_t wrong[] = {contexts[0].table[0], contexts[0].table[7], DRAM + 5 * PAGE, 0x10060000};
  const program_page first = {.program = &space->program, .address = START};
  program_page to_hash = first;
  enter_exclusive();
  expect(clear_pages(&contexts[0], first) && measure_pages(&contexts[0], &to_hash));
  for (unsigned i = 0; i < ARRAY_LENGTH(wrong); i++) {
    const uint64_t places[] = {ZEROS, WORDS};
    for (unsigned place = 0; place < 2; place++) {
      uint64_t *leaf = leaf_at(csrs()->satp, places[place]);
      const uint64_t own = *leaf, word = *words_at(wrong[i]);
      *leaf = wrong[i] >> 2 | LEAF;
      to_hash = first;
      expect(clear_pages(&contexts[0], first) == (place == 1));
      expect(measure_pages(&contexts[0], &to_hash) == (place == 0));
      hash_abort();
      expect(*words_at(wrong[i]) == word);
      *leaf = own;
    }
  }
}

CASE(clears_without_the_clearer, "pages are cleared by stores where the page clearer does not do it") {
  model.is_clearer_off = true;
  space *space = entered();
  expect(is_clear(page_at(space->satp, ZEROS)) && is_clear(page_at(space->satp, ZEROS + PAGE)));
  expect(execute(space, EXIT, START, 0, 0, 0));
  for (uint64_t at = START; at < PROGRAM_END; at += PAGE)
    if (at < TABLES_AT || at >= ZEROS) expect(is_clear(page_at(space->satp, at)));
  expect_nothing_left();
}
