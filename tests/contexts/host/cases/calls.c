// The calls of the SBI: each goes where it is to, with its arguments, and what there is not says so.
#include <string.h>

#include "cases.h"

enum { BASE = 0x10, TIME = 0x54494d45, IPI = 0x735049, FENCE = 0x52464e43, HARTS = 0x48534d, RESET = 0x53525354 };
#define NOT_SUPPORTED (-2)
#define CLINT_TIMES 0x2004000UL

static int64_t sbi(uint64_t extension, uint64_t function, uint64_t a0, uint64_t a1, uint64_t a2) {
  trap_frame *frame = own_frame();
  const uint64_t arguments[] = {a0, a1, a2};
  memcpy(&frame->x[10], arguments, sizeof arguments);
  frame->x[16] = function;
  frame->x[17] = extension;
  csrs()->mepc = 0x1000;
  model.asked = (request){0};
  take_trap(SUPERVISOR_CALL, 0, 1 << 11);
  value = frame->x[11];
  return (int64_t)frame->x[10];
}

static bool asks(const char *what, uint64_t first, uint64_t second, uint64_t third) {
  const request *of = &model.asked;
  return of->what && !strcmp(of->what, what) && of->first == first && of->second == second && of->third == third;
}

CASE(says_what_it_is, "the base extension says version, implementation, and which extensions there are") {
  static const uint64_t known[] = {BASE, TIME, IPI, FENCE, HARTS, RESET, 0x0a484155};
  expect(!sbi(BASE, 0, 0, 0, 0) && value == 3);
  expect(!sbi(BASE, 1, 0, 0, 0) && value == 0x4861756265726b);
  expect(!sbi(BASE, 2, 0, 0, 0) && value == 1);
  for (unsigned i = 0; i < ARRAY_LENGTH(known); i++) expect(!sbi(BASE, 3, known[i], 0, 0) && value == 1);
  expect(!sbi(BASE, 3, 0x11, 0, 0) && !value);
  expect(!sbi(BASE, 3, 0, 0, 0) && !value);
  csrs()->mvendorid = 11;
  csrs()->marchid = 12;
  csrs()->mimpid = 13;
  for (unsigned i = 0; i < 3; i++) expect(!sbi(BASE, 4 + i, 0, 0, 0) && value == 11 + i);
}

CASE(refuses_what_is_not, "a call that there is not is not supported, and asks nobody") {
  static const uint64_t wrong[][2] = {{BASE, 7},  {TIME, 1},  {IPI, 1},  {FENCE, 3},
                                      {HARTS, 3}, {RESET, 1}, {0x11, 0}, {0x0a484155, 8}};
  for (unsigned i = 0; i < ARRAY_LENGTH(wrong); i++)
    expect(sbi(wrong[i][0], wrong[i][1], 0, 0, 0) == NOT_SUPPORTED && !value && !model.asked.what);
}

CASE(asks_harts, "calls about harts have their arguments and results") {
  expect(sbi(IPI, 0, 5, 6, 0) == -77 && value == 78 && asks("interrupt", 5, 6, 0));
  expect(sbi(FENCE, 0, 5, 6, 0) == -77 && asks("instructions", 5, 6, 0));
  expect(sbi(FENCE, 1, 5, 6, 0) == -77 && asks("addresses", 5, 6, 0));
  expect(sbi(FENCE, 2, 5, 6, 0) == -77 && asks("addresses", 5, 6, 0));
  expect(sbi(HARTS, 0, 5, 6, 7) == -77 && asks("start", 5, 6, 7));
  expect(sbi(HARTS, 2, 5, 6, 7) == -77 && asks("status", 5, 0, 0));
  model.hart = 2;
  sbi(HARTS, 1, 5, 6, 7);
  expect(asks("stop", 2, 0, 0));
}

CASE(sets_the_timer, "a timer is the hart's own, and its tick comes to the supervisor once") {
  for (model.hart = 0; model.hart < 4; model.hart++) {
    csrs()->mip = 0x20;
    csrs()->mie = 8;
    expect(!sbi(TIME, 0, 1000 + model.hart, 0, 0) && !value);
    expect(!csrs()->mip && csrs()->mie == 0x88);
    for (unsigned i = 0; i < 4; i++) expect(words_at(CLINT_TIMES)[i] == (i <= model.hart ? 1000 + i : 0));
    take_trap(1UL << 63 | 7, 0, 0);
    expect(csrs()->mip == 0x20 && csrs()->mie == 8);
  }
}

CASE(counts_denials, "the supervisor learns how many accesses were denied") {
  *words_at(0x10060030) = 55;
  expect(!call(DENIALS, 0, 0, 0, 0) && value == 55);
}

static void resets(uint64_t type, uint64_t reason) { sbi(RESET, 0, type, reason, 0); }
CASE_THAT_ENDS(powers_off, "a run ends well if the supervisor powers off for no reason", 0, 0) {
  model.is_honest = false;
  resets(0, 0);
  expect(false);
}
CASE_THAT_ENDS(resets_the_machine, "a run that asks for a reset ends with its code", 0x71, 0) { resets(1, 0); }
CASE_THAT_ENDS(powers_off_for_a_reason, "a run that powers off for a reason ends with its code", 0x71, 0) {
  resets(0, 1);
}
