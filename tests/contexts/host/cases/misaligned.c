// Loads and stores at addresses that are no multiple of their size.
#include <string.h>

#include "cases.h"

#define CODE_AT 0x20000UL
#define AT (SHARED + 0x101)
#define CONTENTS 0xf1e2d3c4b5a69788UL

static uint16_t *code;
static uint8_t *memory;

static space *programs(void) {
  space *space = new_space();
  map_at(space, CODE_AT, new_page(), V | X | U | A);
  csrs()->satp = space->satp;
  code = (uint16_t *)page_at(space->satp, CODE_AT);
  memory = (uint8_t *)page_at(space->satp, SHARED) + 0x101;
  return space;
}

static void run(uint32_t instruction, uint64_t cause, uint64_t address) {
  code[0] = (uint16_t)instruction;
  code[1] = (uint16_t)(instruction >> 16);
  for (unsigned i = 0; i < 32; i++) own_frame()->x[i] = 0x8877665544332200 + i;
  csrs()->mepc = CODE_AT;
  csrs()->mcause = cause;
  take_trap(cause, address, 0);
}

static void expect_loaded(uint32_t instruction, unsigned length, unsigned rd, uint64_t wanted) {
  const uint64_t contents = CONTENTS;
  memcpy(memory, &contents, 8);
  run(instruction, 4, AT);
  expect(csrs()->mepc == CODE_AT + length && !memcmp(memory, &contents, 8));
  for (unsigned i = 0; i < 32; i++) expect(own_frame()->x[i] == (i == rd && rd ? wanted : 0x8877665544332200 + i));
}

static void expect_stored(uint32_t instruction, unsigned length, unsigned rs, unsigned bytes) {
  const uint64_t before = CONTENTS, from = 0x8877665544332200 + rs;
  memcpy(memory, &before, 8);
  run(instruction, 6, AT);
  expect(csrs()->mepc == CODE_AT + length && !memcmp(memory, &from, bytes));
  expect(!memcmp(memory + bytes, (const uint8_t *)&before + bytes, 8 - bytes));
  for (unsigned i = 0; i < 32; i++) expect(own_frame()->x[i] == 0x8877665544332200 + i);
}

CASE(loads_words, "loads of each size are extended, into their register") {
  programs();
  for (unsigned rd = 0; rd < 32; rd++) {
    expect_loaded(0x00051003 | rd << 7, 4, rd, 0xffffffffffff9788);
    expect_loaded(0x00052003 | rd << 7, 4, rd, 0xffffffffb5a69788);
    expect_loaded(0x00053003 | rd << 7, 4, rd, CONTENTS);
    expect_loaded(0x00055003 | rd << 7, 4, rd, 0x9788);
    expect_loaded(0x00056003 | rd << 7, 4, rd, 0xb5a69788);
  }
  for (unsigned rd = 0; rd < 8; rd++) {
    expect_loaded(0x4000 | rd << 2, 2, 8 + rd, 0xffffffffb5a69788);  // c.lw
    expect_loaded(0x6000 | rd << 2, 2, 8 + rd, CONTENTS);            // c.ld
  }
  for (unsigned rd = 1; rd < 32; rd++) {
    expect_loaded(0x4002 | rd << 7, 2, rd, 0xffffffffb5a69788);  // c.lwsp
    expect_loaded(0x6002 | rd << 7, 2, rd, CONTENTS);            // c.ldsp
  }
}

CASE(stores_words, "stores of each size write their bytes and no others") {
  programs();
  for (unsigned rs = 0; rs < 32; rs++) {
    expect_stored(0x00051023 | rs << 20, 4, rs, 2);
    expect_stored(0x00052023 | rs << 20, 4, rs, 4);
    expect_stored(0x00053023 | rs << 20, 4, rs, 8);
    // The rest of the offset is beside the register's number
    expect_stored(0xfe053fa3 | rs << 20, 4, rs, 8);
    expect_stored(0xc002 | rs << 2, 2, rs, 4);  // c.swsp
    expect_stored(0xe002 | rs << 2, 2, rs, 8);  // c.sdsp
  }
  for (unsigned rs = 0; rs < 8; rs++) {
    expect_stored(0xc000 | rs << 2, 2, 8 + rs, 4);  // c.sw
    expect_stored(0xe000 | rs << 2, 2, 8 + rs, 8);  // c.sd
  }
}

CASE(leaves_others, "what is neither load nor store of these registers is the supervisor's") {
  // fld, fsd, an atomic, c.fld, c.fsd, c.fldsp, c.fsdsp, and compressed instructions that access nothing
  static const uint32_t others[] = {0x00053007, 0x00053027, 0x0005202f, 0x2000, 0xa000, 0x2002, 0xa002, 0x4001, 0xc001};
  programs();
  for (unsigned i = 0; i < ARRAY_LENGTH(others); i++)
    for (uint64_t cause = 4; cause <= 6; cause += 2) {
      run(others[i], cause, AT);
      expect(csrs()->scause == cause && csrs()->stval == AT && csrs()->sepc == CODE_AT && csrs()->mepc == STVEC);
    }
}

CASE(faults, "a page that is not there, or may not be written, is the supervisor's page fault") {
  space *space = programs();
  run(0x00053003 | 10 << 7, 4, GATE);
  expect(csrs()->scause == LOAD && csrs()->stval == GATE && own_frame()->x[10] == 0x887766554433220a);
  *leaf_at(space->satp, SHARED) &= ~W;
  run(0x00053023 | 10 << 20, 6, AT);
  expect(csrs()->scause == STORE && csrs()->stval == AT && csrs()->sepc == CODE_AT);
  csrs()->mepc = CODE_AT + PAGE;
  take_trap(4, AT, 0);
  expect(csrs()->scause == LOAD && csrs()->stval == CODE_AT + PAGE && csrs()->sepc == CODE_AT + PAGE);
}

CASE(is_of_a_context, "a context's own accesses are its own") {
  space *space = entered();
  const uint64_t contents = CONTENTS;
  memcpy((uint8_t *)page_at(space->satp, WORDS) + 1, &contents, 8);
  const uint32_t instruction = 0x00053003 | 11 << 7;
  memcpy((uint8_t *)page_at(space->satp, START) + 64, &instruction, 4);
  csrs()->mepc = START + 64;
  take_trap(4, WORDS + 1, 0);
  expect(in_context() && csrs()->mepc == START + 68 && contexts[0].frame.x[11] == CONTENTS);
}
