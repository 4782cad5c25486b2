// TEE_ENTER: which programs enter, and how a context begins.
#include <string.h>

#include "cases.h"

CASE(begins_as_it_is_to, "a context has its pages, its hash and its arguments, and nothing else of who entered") {
  space *space = new_space();
  uint64_t digest[4];
  call(ENABLE, 0, 0, 0, 0);
  const uint64_t permit = allow_all(space);
  digest_words(space, START + 8, digest);
  for (unsigned i = 1; i < 32; i++) own_frame()->x[i] = 1000 + i;
  csrs()->mstatus = 3 << 13;
  memset(&model.floats[0], 7, sizeof model.floats[0]);
  expect(enter_at(space, START + 8, GATE));
  expect(csrs()->mepc == START + 12 && !csrs()->medeleg && !csrs()->mideleg);
  expect(csrs()->satp >> 60 == 8 && csrs()->satp << 20 >> 8 == page_at(space->satp, TABLES_AT));
  for (unsigned i = 0; i < 32; i++) {
    const uint64_t shown = i == 10 ? SHARED : i == 11 ? GATE : i == 12 ? 0x1234 : 1000 + i;
    expect(contexts[0].frame.x[i] == (i >= 10 && i <= 17 ? shown : 0));
  }
  for (unsigned i = 0; i < 33; i++) expect(!((uint64_t *)&model.floats[0])[i]);
  expect(model.frame == &contexts[0].frame && model.active[0] == 1 && pages_of(1) == PROGRAM_PAGES);
  model.hart = 1;
  for (unsigned i = 0; i < 4; i++) expect(!call(HASH, 1, i, 0, 0) && value == digest[i]);
  expect(call(HASH, 1, 4, 0, 0) == STATE && call(HASH, 2, 0, 0, 0) == STATE && call(HASH, 0, 0, 0, 0) == STATE);
  expect(contexts[0].permit == permit && contexts[0].outside == space->satp);
  for (uint64_t at = START; at < PROGRAM_END; at += PAGE) expect(model.owner[number_of(page_at(space->satp, at))] == 1);
}

CASE(keeps_frames_on_stacks, "each hart has its frame at the top of its own stack") {
  for (model.hart = 0; model.hart < 4; model.hart++)
    expect((uint8_t *)own_frame() == __stacks + (model.hart + 1) * 8192 - 256 && present_frame() == own_frame());
}

CASE(has_its_rights, "a context's own pages have the rights of their segments, in its tables only") {
  space *space = entered();
  static const struct {
    uint64_t from, end, bits;
  } parts[] = {{START, SEALED_CODE, V | R | X | U | A},         {SEALED_CODE, WORDS, R | X | U | A},
               {WORDS, TABLES_AT, V | R | W | U | A | D},       {TABLES_AT, ZEROS, 0},
               {ZEROS, SEALED_DATA, V | R | W | U | A | D},     {SEALED_DATA, MORE_WORDS, R | W | U | A | D},
               {MORE_WORDS, PROGRAM_END, V | R | W | U | A | D}};
  for (unsigned i = 0; i < ARRAY_LENGTH(parts); i++)
    for (uint64_t at = parts[i].from; at < parts[i].end; at += PAGE) {
      const uint64_t entry = *leaf_at(csrs()->satp, at);
      expect(entry == (parts[i].bits ? page_at(space->satp, at) >> 2 | parts[i].bits : 0));
    }
  for (uint64_t at = 0x40000000; at < 0x80000000; at += PAGE)
    if (at < START || at >= PROGRAM_END) {
      const uint64_t *leaf = leaf_at(csrs()->satp, at);
      expect(!leaf || !*leaf);
    }
  for (uint64_t at = ZEROS; at < SEALED_DATA; at += PAGE) expect(is_clear(page_at(space->satp, at)));
}

// What is refused is as if it had never been
static void expect_refused(space *space, uint64_t pc, uint64_t gate, int64_t error) {
  expect(!enter_at(space, pc, gate));
  expect((int64_t)own_frame()->x[10] == error && csrs()->mepc == gate + 8 && model.frame == own_frame());
  expect_nothing_left();
  expect(csrs()->satp == space->satp);
}

static space *ready(void) {
  space *space = new_space();
  call(ENABLE, 0, 0, 0, 0);
  expect(!call(ALLOW, space->satp << 20 >> 20, 0, 1UL << 26, 0));
  return space;
}

static void change_to(uint64_t *word, uint64_t to, space *space, int64_t error) {
  const uint64_t before = *word;
  *word = to;
  // An entry that fits a start that is changed
  expect_refused(space, word == &space->program.start ? to : START, GATE, error);
  *word = before;
}

CASE(refuses_bad_programs, "a description that is not as it should be is refused, whatever is wrong with it") {
  space *space = ready();
  tee_program *of = &space->program;
  change_to(&of->start, START + 8, space, INVALID);
  change_to(&of->start, START + 1, space, INVALID);
  change_to(&of->start, START + PAGE / 2, space, INVALID);
  for (unsigned bit = 38; bit < 64; bit++) change_to(&of->start, 1UL << bit | START, space, INVALID);
  change_to(&of->segments, 9, space, INVALID);
  change_to(&of->segments, 0, space, INVALID);
  change_to(&of->segments, 1UL << 32, space, INVALID);
  change_to(&of->segment[1].kind, 0, space, INVALID);
  change_to(&of->segment[1].kind, 7, space, INVALID);
  change_to(&of->segment[1].kind, TABLES, space, INVALID);
  change_to(&of->segment[3].kind, DATA, space, INVALID);
  change_to(&of->segment[3].pages, 17, space, INVALID);
  change_to(&of->segment[2].pages, 0, space, INVALID);
  change_to(&of->segment[6].pages, (1 << 16) + 1, space, INVALID);
  change_to(&of->segment[6].pages, ~0UL, space, INVALID);
  change_to(&of->segment[0].kind, DATA, space, INVALID);
  change_to(&of->segment[0].kind, PRIVATE_CODE, space, INVALID);
  // As many pages as there may be, but none is there
  change_to(&of->segment[6].pages, 1 << 16, space, UNMAPPED);
}

CASE(refuses_bad_entries, "a program enters in its code, and has its gate outside") {
  space *space = ready();
  expect_refused(space, START - 4, GATE, INVALID);
  expect_refused(space, SEALED_CODE, GATE, INVALID);
  expect_refused(space, WORDS, GATE, INVALID);
  expect_refused(space, PROGRAM_END, GATE, INVALID);
  expect_refused(space, START, START, INVALID);
  expect_refused(space, START, PROGRAM_END - 4, INVALID);
  for (unsigned i = 1; i < 4; i++) expect_refused(space, START, GATE + i, INVALID);
  // The last word of its code, and gates at both sides
  expect(enter_at(space, SEALED_CODE - 4, START - 4) && execute(space, EXIT, START, 0, 0, 0));
  expect(enter_at(space, START, PROGRAM_END));
}

CASE(takes_eight_segments, "a program has up to eight segments, in any order, one of them for tables") {
  static const unsigned segments[][2] = {{TABLES, 7}, {DATA, 1}, {PRIVATE_DATA, 1}, {ZERO, 1},
                                         {DATA, 1},   {CODE, 1}, {CODE, 1},         {DATA, 1}};
  call(ENABLE, 0, 0, 0, 0);
  space *space = space_of(segments, 8);
  tee_program *of = &space->program;
  of->start = START - 10 * PAGE;
  expect(!call(ALLOW, space->satp << 20 >> 20, 0, 1UL << 26, 0));
  for (unsigned i = 0; i < 14; i++) map_at(space, of->start + i * PAGE, new_page(), LEAF);
  const uint64_t code = of->start + 11 * PAGE;
  of->segments = 9;
  expect_refused(space, code, GATE, INVALID);
  of->segments = 8;
  of->segment[7].kind = TABLES;
  expect_refused(space, code, GATE, INVALID);
  of->segment[7].kind = DATA;
  of->segment[0].kind = DATA;
  expect_refused(space, code, GATE, INVALID);
  of->segment[0].kind = TABLES;
  expect(enter_at(space, code, GATE) && contexts[0].end == of->start + 14 * PAGE);
}

CASE(ends_with_the_addresses, "a program does not reach the end of a program's addresses") {
  const unsigned segments[][2] = {{CODE, 1}, {TABLES, 16}};
  space *space = space_of(segments, 2);
  call(ENABLE, 0, 0, 0, 0);
  expect(!call(ALLOW, space->satp << 20 >> 20, 0, 1UL << 26, 0));
  // Its end is at 0, and behind
  for (unsigned i = 16; i < 18; i++) {
    space->program.start = -(i * PAGE);
    expect_refused(space, space->program.start, GATE, INVALID);
  }
  space->program.start = (1UL << 38) - 17 * PAGE;
  expect_refused(space, space->program.start, GATE, INVALID);
  space->program.start -= PAGE;
  expect_refused(space, space->program.start, GATE, UNMAPPED);
}

CASE(needs_what_is_there, "a program enters with a description that it may read, once it is enabled, from user mode") {
  space *space = new_space();
  allow_all(space);
  expect(!execute(space, ENTER, START, SHARED, GATE, 0) && !in_context());
  call(ENABLE, 0, 0, 0, 0);
  expect(execute(space, ENTER, START, TAG, GATE, 0));
  expect((int64_t)own_frame()->x[10] == INVALID && csrs()->mepc == GATE + 8);
  csrs()->mepc = START;
  take_trap(ILLEGAL, 0x0b, 1UL << 11);
  expect(csrs()->scause == ILLEGAL && !in_context());
  for (unsigned bit = 0; bit < 32; bit++) {
    const uint64_t other = 0x0b ^ 1UL << bit;
    if (bit >= 25 && bit <= 27) continue;
    csrs()->mepc = START;
    take_trap(ILLEGAL, other, 0);
    expect(csrs()->scause == ILLEGAL && csrs()->stval == other && !in_context());
  }
  expect(!execute(space, 8, START, SHARED, GATE, 0));
  for (unsigned i = EXIT; i <= SET_KEY; i++) expect(!execute(space, i, START, SHARED, GATE, 0));
  expect_nothing_left();
}

CASE(fills_the_table, "there are as many contexts as the hardware has, and at most eight") {
  call(ENABLE, 0, 0, 0, 0);
  model.contexts = 20;
  space *space = small_space();
  expect(!call(ALLOW, space->satp << 20 >> 20, 0, 1UL << 26, 0));
  for (unsigned i = 0; i < 9; i++) {
    expect(enter_anew(space) == (i < 8));
    expect(i == 8 || (running() == &contexts[i] && model.active[0] == i + 1));
    if (i < 8) take_trap(USER_CALL, 0, 0);
  }
  expect((int64_t)own_frame()->x[10] == FULL && call(HASH, 9, 0, 0, 0) == STATE);
  model.contexts = 7;
  expect(call(KILL, 8, 0, 0, 0) == STATE && !call(KILL, 7, 0, 0, 0) && pages_of(7) == 0);
  expect(enter_anew(space) && model.active[0] == 7);
}
