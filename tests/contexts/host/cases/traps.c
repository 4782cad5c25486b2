// Traps that are no context's: what machine mode does itself, and how the supervisor gets the others.
#include "cases.h"

#define CODE_AT 0x20000UL
#define TIME_NOW 0x123456789aUL

static space *programs(void) {
  space *space = new_space();
  map_at(space, CODE_AT, new_page(), V | X | U | A);
  csrs()->satp = space->satp;
  csrs()->mepc = CODE_AT;
  *words_at(0x200bff8) = TIME_NOW;
  return space;
}

static void expect_passed_on(uint64_t cause, uint64_t at, uint64_t pc) {
  expect(csrs()->scause == cause && csrs()->stval == at && csrs()->sepc == pc && csrs()->mepc == STVEC &&
         !model.is_shown);
}

CASE(passes_on, "the supervisor takes a trap as if it had been delegated, from user mode or its own") {
  static const struct {
    uint64_t before, after;
  } status[] = {{0, 0x800}, {0x800, 0x900}, {2, 0x820}, {0x802, 0x920}, {0x822, 0x920}, {0x120, 0x800}};
  programs();
  for (unsigned i = 0; i < ARRAY_LENGTH(status); i++) {
    csrs()->mepc = CODE_AT;
    take_trap(5, 0x1234, status[i].before);
    expect_passed_on(5, 0x1234, CODE_AT);
    expect(csrs()->mstatus == (status[i].after | 0x80));
    csrs()->mepc = CODE_AT;
    csrs()->scause = 0;
    take_trap(1, 0x12345, status[i].before);
    expect_passed_on(1, 0x12345, CODE_AT);
  }
  // Vectored ones begin at the base
  csrs()->mepc = CODE_AT;
  model_csrs *of = csrs();
  take_trap(5, 1, 0);
  of->stvec = STVEC | 1;
  pass_on(5, 1);
  expect(of->mepc == STVEC);
}

CASE(reads_the_time, "rdtime is done, into its register and no other") {
  programs();
  for (unsigned rd = 0; rd < 32; rd++) {
    for (unsigned i = 0; i < 32; i++) own_frame()->x[i] = i;
    csrs()->mepc = CODE_AT;
    take_trap(ILLEGAL, 0xc0102073 | rd << 7, rd % 2 ? 1 << 11 : 0);
    expect(csrs()->mepc == CODE_AT + 4);
    for (unsigned i = 0; i < 32; i++) expect(own_frame()->x[i] == (i == rd && rd ? TIME_NOW : i));
  }
  for (unsigned bit = 0; bit < 32; bit++) {
    if (bit >= 7 && bit <= 11) continue;
    const uint32_t other = 0xc0102073 ^ 1U << bit;
    csrs()->mepc = CODE_AT;
    take_trap(ILLEGAL, other, 0);
    expect_passed_on(ILLEGAL, other, CODE_AT);
  }
}

CASE(looks_for_the_instruction, "an instruction that the hart does not name is read from the program") {
  space *space = programs();
  uint16_t *code = (uint16_t *)page_at(space->satp, CODE_AT);
  code[0] = 0x2573;
  code[1] = 0xc010;
  own_frame()->x[10] = 0;
  take_trap(ILLEGAL, 0, 0);
  expect(own_frame()->x[10] == TIME_NOW && csrs()->mepc == CODE_AT + 4);
  code[0] = 0x1234;
  csrs()->mepc = CODE_AT;
  take_trap(ILLEGAL, 0, 0);
  expect_passed_on(ILLEGAL, 0x1234, CODE_AT);
  // Its second half is on a page that is not there, or is not needed
  code[2047] = 0x2573;
  csrs()->mepc = CODE_AT + 4094;
  take_trap(ILLEGAL, 0, 0);
  expect_passed_on(LOAD, CODE_AT + 4096, CODE_AT + 4094);
  // The first half of TEE_ENTER
  call_of(space, ENABLE, 0, 0, 0, 0);
  code[2047] = 0x000b;
  csrs()->mepc = CODE_AT + 4094;
  take_trap(ILLEGAL, 0, 0);
  expect_passed_on(LOAD, CODE_AT + 4096, CODE_AT + 4094);
  code[2047] = 0x2570;
  csrs()->mepc = CODE_AT + 4094;
  take_trap(ILLEGAL, 0, 0);
  expect_passed_on(ILLEGAL, 0x2570, CODE_AT + 4094);
  csrs()->mepc = CODE_AT + 8192;
  take_trap(ILLEGAL, 0, 0);
  expect_passed_on(LOAD, CODE_AT + 8192, CODE_AT + 8192);
}

CASE(serves_other_harts, "what other harts ask for is served, in a context too") {
  space *space = entered();
  take_trap(1UL << 63 | 3, 0, 0);
  expect(in_context() && model.asked.what && model.asked.first == 0);
  model.asked.what = NULL;
  model.hart = 3;
  csrs()->satp = space->satp;
  // The supervisor takes its own interrupts where there is no context
  csrs()->mip = csrs()->mie = 2;
  take_trap(1UL << 63 | 3, 0, 0);
  expect(model.asked.what && model.asked.first == 3 && !model.is_shown && model.frame == own_frame());
}

CASE(ignores_other_interrupts, "a context goes on after an interrupt that is nobody's") {
  entered();
  take_trap(1UL << 63 | 11, 0, 0);
  expect(in_context());
}

CASE_THAT_ENDS(dies, "an interrupt that machine mode does not know ends the run", 0x8c, 0) {
  take_trap(1UL << 63 | 12, 0, 0);
}
