// Contexts that are put away by a trap, what is seen of them meanwhile, and who may resume them.
#include <string.h>

#include "cases.h"

#define CALL_RESULT 0x77  // of resume_at

static void fill(void) {
  for (unsigned i = 1; i < 32; i++) {
    contexts[0].frame.x[i] = 2000 + i;
    own_frame()->x[i] = 3000 + i;
  }
  csrs()->mepc = START + 0x100;
  csrs()->mstatus = 3 << 13;
  memset(&model.floats[0], 7, sizeof model.floats[0]);
}

// The frame of whoever goes on now has no word of the context's but these
static void expect_shown(bool is_call) {
  expect(model.is_shown && model.frame == own_frame() && !in_context() && !model.active[0]);
  for (unsigned i = 10; i <= 17; i++) expect(own_frame()->x[i] == (is_call ? 2000 + i : 0));
  expect(own_frame()->x[9] == 1 && own_frame()->x[2] == 1002 && csrs()->mepc == STVEC && csrs()->sepc == GATE);
  for (unsigned i = 0; i < 33; i++) expect(!((uint64_t *)&model.floats[0])[i]);
  expect(csrs()->medeleg == 0xb1ab && csrs()->mideleg == 0x222);
}

static space *filled(void) {
  own_frame()->x[2] = 1002;
  space *space = entered();
  fill();
  return space;
}

CASE(shows_a_call, "a call shows its registers and nothing else, and its result goes on behind it") {
  space *space = filled();
  take_trap(USER_CALL, 0x123, 0);
  expect_shown(true);
  expect(csrs()->scause == USER_CALL && !csrs()->stval && csrs()->satp == space->satp);
  expect(resume_at(space, GATE + 4, 1));
  expect(!model.is_shown && model.frame == &contexts[0].frame && csrs()->mepc == START + 0x104 && model.active[0] == 1);
  for (unsigned i = 1; i < 32; i++) expect(contexts[0].frame.x[i] == (i == 10 ? CALL_RESULT : 2000 + i));
  expect(!csrs()->medeleg && !csrs()->mideleg && csrs()->satp << 20 >> 8 == contexts[0].table[0]);
  expect(csrs()->mstatus >> 13 & 3);
  for (unsigned i = 0; i < 33; i++) expect(((uint64_t *)&model.floats[0])[i] == 0x0707070707070707);
}

CASE(makes_a_call_again, "a call that is resumed at the gate is made once more, as it was") {
  space *space = filled();
  take_trap(USER_CALL, 0, 0);
  expect(resume_at(space, GATE, 1) && csrs()->mepc == START + 0x100);
  for (unsigned i = 1; i < 32; i++) expect(contexts[0].frame.x[i] == 2000 + i);
}

CASE(shows_no_interrupt, "an interrupt shows no register, and the context goes on as if it had not been") {
  for (unsigned bit = 1; bit <= 9; bit += 4) {
    static space *space;
    if (!space) space = filled();
    fill();
    csrs()->mie = 1UL << bit | 0x88;
    csrs()->mip = (0x222 & ~(1UL << bit)) | 0x88;
    take_trap(1UL << 63 | 3, 0, 0);
    expect(in_context() && !model.is_shown);
    csrs()->mip = 1UL << bit;
    take_trap(1UL << 63 | 3, 0, 0);
    expect(model.is_shown && !in_context() && csrs()->mepc == GATE && own_frame()->x[9] == 1);
    for (unsigned i = 10; i <= 17; i++) expect(!own_frame()->x[i]);
    for (unsigned i = 0; i < 33; i++) expect(!((uint64_t *)&model.floats[0])[i]);
    csrs()->mip = 0;
    // There is no call whose result could come
    expect(resume_at(space, GATE + 4, 1) && csrs()->mepc == START + 0x100);
    for (unsigned i = 1; i < 32; i++) expect(contexts[0].frame.x[i] == 2000 + i);
  }
}

CASE(shows_pages_only, "a page fault shows its page; what else a fault would say is not shown") {
  static const uint64_t causes[] = {FETCH, LOAD, STORE};
  for (unsigned i = 0; i < 3; i++) {
    static space *space;
    if (!space) space = filled();
    fill();
    take_trap(causes[i], ZEROS + 0xfff, 0);
    expect_shown(false);
    expect(csrs()->scause == causes[i] && csrs()->stval == ZEROS);
    expect(resume_at(space, GATE, 1));
    fill();
    take_trap(7, SHARED + 8, 0);
    expect_shown(false);
    expect(csrs()->scause == 7 && !csrs()->stval);
    expect(resume_at(space, GATE, 1));
    fill();
    take_trap(ILLEGAL, 0x12345678, 0);
    expect_shown(false);
    expect(csrs()->scause == ILLEGAL && !csrs()->stval);
    expect(resume_at(space, GATE, 1));
  }
}

CASE(keeps_all_floats,
     "registers of floating point are kept in each of their states, and are used only if they are on") {
  space *space = filled();
  for (uint64_t state = 1; state < 4; state++) {
    fill();
    csrs()->mstatus = state << 13;
    take_trap(USER_CALL, 0, 0);
    for (unsigned i = 0; i < 33; i++) expect(!((uint64_t *)&model.floats[0])[i]);
    csrs()->mstatus = 0;
    expect(resume_at(space, GATE, 1) && csrs()->mstatus == (3 << 13 | 0x80));
    for (unsigned i = 0; i < 33; i++) expect(((uint64_t *)&model.floats[0])[i] == 0x0707070707070707);
  }
  csrs()->mstatus = 0;
  memset(&model.floats[0], 9, sizeof model.floats[0]);
  take_trap(USER_CALL, 0, 0);
  expect(resume_at(space, GATE, 1) && model.floats[0].f[0] == 0x0909090909090909);
  expect(execute(space, EXIT, START, 0, 0, 0) && model.floats[0].f[0] == 0x0909090909090909);
}

// Even where its address space and place would be right
CASE(resumes_nobody_inside, "a context resumes no other") {
  call(ENABLE, 0, 0, 0, 0);
  space *space = small_space();
  expect(!call(ALLOW, space->satp << 20 >> 20, 0, 1UL << 26, 0));
  for (unsigned i = 0; i < 2; i++) {
    expect(enter_anew(space));
    if (!i) take_trap(USER_CALL, 0, 0);
  }
  csrs()->satp = space->satp;
  contexts[1].frame.x[9] = 1;
  expect(!execute(space, RESUME, GATE, 0, 0, 0) && contexts[0].state == SUSPENDED && contexts[1].state == SUSPENDED);
}

CASE(goes_on_in_its_place,
     "a context is resumed at its gate, in its address space, once, and by nobody else's number") {
  space *space = filled(), *other = new_space();
  take_trap(USER_CALL, 0, 0);
  const uint64_t wrong[] = {GATE - 4, GATE + 8, GATE + 2, START, 0};
  for (unsigned i = 0; i < ARRAY_LENGTH(wrong); i++)
    expect(!resume_at(space, wrong[i], 1) && csrs()->scause == ILLEGAL && csrs()->sepc == wrong[i]);
  expect(!resume_at(other, GATE, 1) && csrs()->scause == ILLEGAL);
  const uint64_t numbers[] = {0, 2, 3, 4, 257, 1UL << 32 | 1, ~0UL};
  for (unsigned i = 0; i < ARRAY_LENGTH(numbers); i++) expect(!resume_at(space, GATE, numbers[i]));
  expect(contexts[0].state == SUSPENDED && !model.active[0]);
  expect(resume_at(space, GATE, 1) && contexts[0].state == RUNNING);
  model.hart = 1;
  expect(!resume_at(space, GATE, 1) && !model.active[1] && csrs()->scause == ILLEGAL);
  model.hart = 0;
  expect(in_context() && !execute(space, RESUME, START, 0, 0, 0));
  expect(resume_at(space, GATE, 1) && !execute(space, ENTER, START, SHARED, GATE, 0));
}

CASE(compares_each_bit_of_its_place, "a context is not resumed if any bit of address space or gate is another") {
  space *space = filled();
  take_trap(USER_CALL, 0, 0);
  for (unsigned bit = 0; bit < 64; bit++) {
    csrs()->satp = space->satp ^ (bit < 44 ? 1UL << bit : 0);
    csrs()->mepc = bit < 44 ? GATE : GATE ^ (bit == 44 ? 2 : 1UL << (bit - 41));
    own_frame()->x[9] = 1;
    take_trap(ILLEGAL, 0x0b | RESUME << 25, 0);
    expect(csrs()->scause == ILLEGAL && contexts[0].state == SUSPENDED && !in_context());
  }
  expect(resume_at(space, GATE, 1));
}

CASE(moves_to_another_hart, "a context goes on where it is resumed, with its own floating point, or none") {
  space *space = filled();
  take_trap(USER_CALL, 0, 0);
  model.hart = 2;
  csrs()->mstatus = 0;
  expect(resume_at(space, GATE, 1) && model.active[2] == 1 && !model.active[0]);
  expect(running() == &contexts[0] && csrs()->mstatus >> 13 & 3);
  for (unsigned i = 0; i < 33; i++) expect(((uint64_t *)&model.floats[2])[i] == 0x0707070707070707);
  csrs()->mstatus = 0;
  take_trap(USER_CALL, 0, 0);
  model.hart = 3;
  csrs()->mstatus = 3 << 13;
  memset(&model.floats[3], 9, sizeof model.floats[3]);
  expect(resume_at(space, GATE, 1));
  for (unsigned i = 0; i < 33; i++) expect(!((uint64_t *)&model.floats[3])[i]);
}

CASE(is_interrupted_at_once, "what waits for the supervisor comes before a context that is resumed") {
  space *space = filled();
  take_trap(USER_CALL, 0, 0);
  csrs()->mip = csrs()->mie = 0x20;
  expect(!resume_at(space, GATE, 1));
  expect(model.is_shown && contexts[0].state == SUSPENDED && csrs()->mepc == GATE && own_frame()->x[9] == 1);
  csrs()->mip = 0;
  expect(resume_at(space, GATE, 1));
}

CASE(goes_on_in_the_new_space, "a context keeps the address space that it was resumed in last") {
  space *space = filled();
  const uint64_t numbered = space->satp | 5UL << 44;
  take_trap(USER_CALL, 0, 0);
  space->satp = numbered;
  expect(resume_at(space, GATE, 1));
  take_trap(USER_CALL, 0, 0);
  expect(csrs()->satp == numbered && contexts[0].outside == numbered);
}

// mtval has the instruction then, which may look like the address of a page that is out
CASE(tells_errors_from_faults, "an instruction that is refused gives its error, whatever is out") {
  static const unsigned segments[][2] = {{CODE, 1}, {DATA, 1}, {TABLES, 8}};
  const uint64_t out = KEY << 25;
  call(ENABLE, 0, 0, 0, 0);
  space *space = space_of(segments, 3);
  space->program.start = out - PAGE;
  for (unsigned i = 0; i < 10; i++) map_at(space, space->program.start + i * PAGE, new_page(), LEAF);
  const uint64_t permit = allow_all(space);
  expect(enter_at(space, space->program.start, GATE));
  take_trap(USER_CALL, 0, 0);
  expect(!call_of(space, PAGE_OUT, permit, out, TAG, 0) && resume_at(space, GATE, 1));
  expect(execute(space, KEY, space->program.start, SHARED, 0, 0) && in_context());
  expect((int64_t)contexts[0].frame.x[10] == INVALID && csrs()->mepc == space->program.start + 4);
}
