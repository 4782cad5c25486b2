// Permits: which parts of which address spaces may become contexts, and how they are taken back.
#include "cases.h"

#define MOST 64
#define PAGES (1UL << 26)  // of a program's addresses

static uint64_t root_of_space(space *space) { return space->satp << 20 >> 20; }

CASE(gives_what_is_there, "a permit is for pages of a program's addresses") {
  expect(call(ALLOW, 5, 0x1001, 1, 0) == INVALID && !value && call(ALLOW, 5, 0x1800, 1, 0) == INVALID);
  expect(call(ALLOW, 5, 1UL << 38, 1, 0) == INVALID && call(ALLOW, 5, 1UL << 63, 1, 0) == INVALID);
  expect(call(ALLOW, 5, 0, 0, 0) == INVALID && call(ALLOW, 5, 0, PAGES + 1, 0) == INVALID);
  expect(call(ALLOW, 5, PAGE, ~0UL, 0) == INVALID);
  expect(!call(ALLOW, 5, (1UL << 38) - PAGE, 1, 0) && value == 0);
  expect(!call(ALLOW, 5, 0, PAGES, 0) && value == 1);
}

CASE(gives_so_many, "there are 64 permits, and one that is taken back is given again") {
  for (unsigned i = 0; i < MOST; i++) expect(!call(ALLOW, 5, i * PAGE, 1, 0) && value == i);
  expect(call(ALLOW, 5, 0, 1, 0) == FULL && !value);
  expect(call(END, MOST, 0, 0, 0) == INVALID && call(END, ~0UL, 0, 0, 0) == INVALID);
  expect(!call(END, 63, 0, 0, 0) && call(END, 63, 0, 0, 0) == INVALID);
  expect(!call(END, 7, 0, 0, 0) && !call(ALLOW, 5, 0, 1, 0) && value == 7 && !call(ALLOW, 5, 0, 1, 0) && value == 63);
}

CASE(enters_by_the_last, "a program enters by the last permit, too, and numbers behind it are none") {
  space *space = new_space();
  call(ENABLE, 0, 0, 0, 0);
  for (unsigned i = 0; i < MOST - 1; i++) expect(!call(ALLOW, 5, 0, 1, 0));
  expect(allow_all(space) == MOST - 1 && enter_at(space, START, GATE));
  take_trap(USER_CALL, 0, 0);
  for (uint64_t i = MOST; i < 4096; i++) expect(call(END, i, 0, 0, 0) == INVALID && call(END, ~i, 0, 0, 0) == INVALID);
  expect(!call(END, MOST - 1, 0, 0, 0));
  expect_nothing_left();
}

static void expect_not_allowed(space *space) {
  expect(!enter_at(space, START, GATE) && (int64_t)own_frame()->x[10] == NOT_ALLOWED);
  expect_nothing_left();
}

static void end(uint64_t permit) { expect(!call(END, permit, 0, 0, 0)); }

CASE(covers_all_pages, "a program enters by a permit for all of its pages and its address space") {
  space *space = new_space();
  const uint64_t root = root_of_space(space);
  call(ENABLE, 0, 0, 0, 0);
  expect_not_allowed(space);
  const uint64_t wrong[][3] = {{root, START, PROGRAM_PAGES - 1},         {root, START + PAGE, PROGRAM_PAGES},
                               {root, START + PAGE, PROGRAM_PAGES - 1},  {root + 1, START, PROGRAM_PAGES},
                               {root | 1UL << 43, START, PROGRAM_PAGES}, {0, START, PROGRAM_PAGES}};
  for (unsigned i = 0; i < ARRAY_LENGTH(wrong); i++) {
    expect(!call(ALLOW, wrong[i][0], wrong[i][1], wrong[i][2], 0));
    const uint64_t permit = value;
    expect_not_allowed(space);
    end(permit);
  }
  for (unsigned bit = 0; bit < 64; bit++) {
    expect(!call(ALLOW, root ^ 1UL << bit, START, PROGRAM_PAGES, 0));
    const uint64_t permit = value;
    expect_not_allowed(space);
    end(permit);
  }
  // Two that cover it together
  expect(!call(ALLOW, root, START, 8, 0) && !call(ALLOW, root, START + 8 * PAGE, 8, 0));
  expect_not_allowed(space);
  expect(!call(ALLOW, root, START, PROGRAM_PAGES, 0) && value == 2);
  expect(enter_at(space, START, GATE) && contexts[0].permit == 2);
}

CASE(is_taken_back, "a permit that is taken back lets nobody enter, and ends who entered by it and nobody else") {
  space *space = entered();
  const uint64_t permit = contexts[0].permit;
  take_trap(USER_CALL, 0, 0);
  expect(!call(ALLOW, 9, 0, 1, 0));
  end(value);
  expect(contexts[0].state == SUSPENDED && pages_of(1) == PROGRAM_PAGES);
  end(permit);
  expect_nothing_left();
  expect(!resume_at(space, GATE, 1));
  expect_not_allowed(space);
}

CASE(ends_all_of_it, "all contexts that entered by a permit end with it") {
  call(ENABLE, 0, 0, 0, 0);
  space *space = small_space(), *other = new_space();
  const uint64_t permit = allow_all(space), beside = allow_all(other);
  for (unsigned i = 0; i < 2; i++) {
    expect(enter_anew(space));
    take_trap(USER_CALL, 0, 0);
  }
  expect(enter_at(other, START, GATE));
  take_trap(USER_CALL, 0, 0);
  end(permit);
  expect(!pages_of(1) && !pages_of(2) && pages_of(3) == PROGRAM_PAGES && contexts[2].state == SUSPENDED);
  end(beside);
  expect_nothing_left();
}

CASE(finds_its_own, "a permit's context has an address if the address is its own, whichever row it has") {
  call(ENABLE, 0, 0, 0, 0);
  model.contexts = 20;
  space *space = small_space();
  expect(!call(ALLOW, root_of_space(space), 0, PAGES, 0));
  for (unsigned i = 0; i < 8; i++) {
    expect(!context_at(0, START) == !i && enter_anew(space));
    take_trap(USER_CALL, 0, 0);
  }
  expect(context_at(0, START) == &contexts[0] && context_at(0, START + 8 * PAGE - 1) == &contexts[0]);
  expect(!context_at(0, START - 1) && !context_at(0, START + 8 * PAGE) && !context_at(1, START));
  for (unsigned i = 0; i < 7; i++) expect(!call(KILL, i + 1, 0, 0, 0));
  expect(context_at(0, START) == &contexts[7]);
  end(0);
  expect_nothing_left();
}

CASE(ends_who_runs_later, "who runs while its permit is taken back goes on no more, and ends with the next call") {
  space *space = entered();
  const uint64_t permit = contexts[0].permit;
  model.hart = 1;
  expect(call(END, permit, 0, 0, 0) == STATE && pages_of(1) == PROGRAM_PAGES);
  expect(!call(ALLOW, 9, 0, 1, 0) && value != permit);
  space->program.start = START;
  expect(!enter_at(space, START, GATE) && (int64_t)own_frame()->x[10] == NOT_ALLOWED);
  model.hart = 0;
  take_trap(USER_CALL, 0, 0);
  expect(!resume_at(space, GATE, 1) && csrs()->scause == ILLEGAL && contexts[0].state == SUSPENDED);
  end(permit);
  expect_nothing_left();
  expect(call(END, permit, 0, 0, 0) == INVALID);
}
