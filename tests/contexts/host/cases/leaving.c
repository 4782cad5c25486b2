// The end of a context: TEE_EXIT, and the supervisor's kill.
#include <string.h>

#include "cases.h"

static void expect_clear(const uint64_t *pages, unsigned count) {
  for (unsigned i = 0; i < count; i++) expect(is_clear(pages[i]));
}

// All of its pages but tables that it never used
static unsigned used_pages(space *space, uint64_t *pages) {
  unsigned count = 0;
  for (unsigned i = 0; i < contexts[0].written; i++) pages[count++] = contexts[0].table[i];
  for (uint64_t at = START; at < PROGRAM_END; at += PAGE)
    if (at < TABLES_AT || at >= ZEROS) pages[count++] = page_at(space->satp, at);
  return count;
}

CASE(leaves_nothing, "after the exit all pages are clear and nobody's, and registers are as before but for results") {
  space *space = new_space();
  uint64_t pages[32];
  call(ENABLE, 0, 0, 0, 0);
  allow_all(space);
  for (unsigned i = 0; i < 32; i++) own_frame()->x[i] = 1000 + i;
  expect(enter_at(space, START, GATE));
  take_trap(LOAD, SHARED, 0);
  take_trap(STORE, SHARED + PAGE, 0);
  expect(in_context() && contexts[0].written > contexts[0].fixed);
  const unsigned count = used_pages(space, pages);
  for (unsigned i = 0; i < 32; i++) contexts[0].frame.x[i] = own_frame()->x[i] = 2000 + i;
  csrs()->mstatus = 3 << 13;
  memset(&model.floats[0], 7, sizeof model.floats[0]);
  csrs()->mip = 2;
  csrs()->mie = 0;
  expect(execute(space, EXIT, START + 40, 5, 6, 7));
  expect(!in_context() && model.frame == own_frame() && csrs()->mepc == GATE + 8);
  for (unsigned i = 0; i < 32; i++) {
    const uint64_t before = i == 12 ? 0x1234 : 1000 + i;
    expect(own_frame()->x[i] == (i == 10 ? 5 : i == 11 ? 6 : before));
  }
  for (unsigned i = 0; i < 33; i++) expect(!((uint64_t *)&model.floats[0])[i]);
  expect(csrs()->medeleg == 0xb1ab && csrs()->mideleg == 0x222 && csrs()->satp == space->satp);
  expect_clear(pages, count);
  expect_nothing_left();
}

CASE(is_killed, "a context that waits is killed with its pages cleared; one that runs, or there is not, stays") {
  space *space = entered();
  uint64_t pages[32];
  const unsigned count = used_pages(space, pages);
  model.hart = 1;
  expect(call(KILL, 1, 0, 0, 0) == STATE && call(KILL, 2, 0, 0, 0) == STATE && call(KILL, 0, 0, 0, 0) == STATE);
  expect(call(KILL, 4, 0, 0, 0) == STATE && pages_of(1) == PROGRAM_PAGES);
  model.hart = 0;
  take_trap(USER_CALL, 0, 0);
  model.hart = 1;
  csrs()->satp = 0x123;
  expect(!call(KILL, 1, 0, 0, 0) && csrs()->satp == 0x123);
  expect_clear(pages, count);
  expect_nothing_left();
  expect(call(KILL, 1, 0, 0, 0) == STATE && call(HASH, 1, 0, 0, 0) == STATE);
}

CASE(is_killed_beside_others, "who is killed takes nothing of others along") {
  space *first = entered();
  take_trap(USER_CALL, 0, 0);
  space *second = new_space();
  allow_all(second);
  expect(enter_at(second, START, GATE) && pages_of(2) == PROGRAM_PAGES);
  take_trap(USER_CALL, 0, 0);
  const uint64_t kept = page_at(first->satp, WORDS), before = *words_at(kept);
  expect(!call(KILL, 2, 0, 0, 0) && pages_of(1) == PROGRAM_PAGES && !pages_of(2) && *words_at(kept) == before);
  expect(resume_at(first, GATE, 1));
}

// Memory that names another page of the same context, one of another, or none
static void expect_stop(uint64_t entry) {
  space *space = entered();
  *leaf_at(csrs()->satp, WORDS) = entry ? entry : *leaf_at(csrs()->satp, MORE_WORDS);
  execute(space, EXIT, START, 0, 0, 0);
}
CASE_THAT_ENDS(stops_without_a_page, "a run stops if memory does not name a page of a context that ends", 0x73, 0) {
  expect_stop((DRAM + 5 * PAGE) >> 2 | LEAF);
}
CASE_THAT_ENDS(stops_with_a_page_twice, "a run stops if memory names a page of a context twice", 0x73, 0) {
  expect_stop(0);
}
CASE_THAT_ENDS(stops_with_a_table, "a run stops if memory names a table in the place of a page", 0x73, 0) {
  space *space = entered();
  *leaf_at(csrs()->satp, WORDS) = contexts[0].table[7] >> 2 | LEAF;
  execute(space, EXIT, START, 0, 0, 0);
}
