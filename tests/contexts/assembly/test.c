// The microcode's assembly on QEMU. Ends the run with the line of what does not hold.
#include <stdbool.h>
#include <stddef.h>

#include "platform.h"

#define HARTS_THERE 5
#define CLEARED (1 << 21)  // words, which take a while
#define LOAD_FAULT 5
#define STORE_FAULT 7
#define MPRV (1UL << 17)
#define MPP (3UL << 11)
#define FS (3UL << 13)

#define READ(name)                                                \
  ({                                                              \
    uint64_t value_;                                              \
    __asm__ volatile("csrr %0, " #name : "=r"(value_)::"memory"); \
    value_;                                                       \
  })
#define WRITE(name, value) __asm__ volatile("csrw " #name ", %0" ::"r"((uint64_t)(value)) : "memory")

extern uint8_t __stacks[];
extern volatile uint32_t harts_arrived;
extern const uint8_t trapped_at[], capture[], supervisor[], faults_at[];
extern uint64_t captured[32];
// When the check began, and ended: the last word of the microcode, and how many harts were there
extern const uint64_t protector_saw[2], microcode_loaded[], microcode_start[], microcode_end[];
uint64_t seen[4];

void trap_with(const uint64_t *registers);
void set_floats(const uint64_t *from);
void get_floats(uint64_t *to);
void save_floats(uint64_t *to);
void load_floats(const uint64_t *from);
void zero_floats(void);
void go_on_shown(uint64_t *frame);
void enter_supervisor(uint64_t hart, const uint8_t *start, uint64_t argument) __attribute__((noreturn));
void leave_stack(uint64_t hart) __attribute__((noreturn));
void call_on_stack(uint64_t end, void (*work)(void *argument), void *argument);
uint64_t copy_in(void *to, const void *from, uint64_t size, uint64_t status);
uint64_t copy_out(void *to, const void *from, uint64_t size, uint64_t status);

static volatile uint64_t cleared[CLEARED] __attribute__((section(".cleared"), aligned(4096)));
static uint64_t frame[32], registers[32];
static enum { GO_ON, SHOW, DIE, RETURN } next;
static volatile unsigned others;

static void end(uint32_t code) {
  *(volatile uint32_t *)FINISHER_BASE = code;
  for (;;) {
  }
}
#define expect(holds) \
  if (!(holds)) end(FINISHER_FAIL | __LINE__ << 16)

static uint64_t top_of(unsigned hart) { return (uint64_t)__stacks + ((hart + 1UL) << STACK_SHIFT); }
static bool is_on_stack(unsigned hart) {
  const uint64_t here = (uint64_t)__builtin_frame_address(0);
  return here <= top_of(hart) - 256 && here > top_of(hart) - (1 << STACK_SHIFT);
}

static void traps(void) {
  for (unsigned i = 0; i < 32; i++) {
    registers[i] = 0x1111111100000000 + i;
    frame[i] = ~0UL;
    captured[i] = 0;
  }
  WRITE(mscratch, frame);
  trap_with(registers);
}

// Another frame goes on, with other registers
static uint64_t other_frame[32];
uint64_t *serve_trap(uint64_t *trapped) {
  if (READ(mcause) == 9) {
    expect(seen[0] == 0 && seen[1] == 0x4321 && !seen[2] && !seen[3]);
    expect((uint64_t)trapped == top_of(0) - 256);
    expect(is_on_stack(0));
    leave_stack(0);
  }
  expect(trapped == frame && READ(mcause) == 11 && READ(mepc) == (uint64_t)trapped_at && is_on_stack(0));
  expect(!READ(mscratch) && !frame[0]);
  for (unsigned i = 1; i < 32; i++) expect(frame[i] == registers[i]);
  for (unsigned i = 0; i < 32; i++) other_frame[i] = 0x2222222200000000 + i;
  WRITE(mepc, capture);
  if (next == SHOW) go_on_shown(other_frame);
  return other_frame;
}

void die_of_trap(uint64_t cause, uint64_t pc, uint64_t value) {
  expect(next == DIE && cause == LOAD_FAULT && value == 0 && is_on_stack(0) && !READ(mscratch));
  expect(pc == (uint64_t)faults_at);
  end(FINISHER_PASS);
}

static void keeps_registers(void) {
  for (next = GO_ON; next <= SHOW; next++) {
    traps();
    expect(captured[0] == (uint64_t)other_frame);
    for (unsigned i = 1; i < 32; i++) {
      const bool is_shown = next == GO_ON || i == 2 || (i >= 9 && i <= 17);
      expect(captured[i] == (is_shown ? other_frame[i] : 0));
    }
  }
}

static void keeps_floats(void) {
  static uint64_t some[33], there[33];
  __asm__ volatile("csrs mstatus, %0" ::"r"(FS));
  for (unsigned i = 0; i < 33; i++) some[i] = i < 32 ? 0x3333333300000000 + i : 0x65;
  set_floats(some);
  __asm__ volatile("li t0, 0" ::: "t0");
  save_floats(there);
  for (unsigned i = 0; i < 33; i++) expect(there[i] == some[i]);
  get_floats(there);
  for (unsigned i = 0; i < 33; i++) expect(there[i] == some[i]);
  zero_floats();
  get_floats(there);
  for (unsigned i = 0; i < 33; i++) expect(!there[i]);
  load_floats(some);
  get_floats(there);
  for (unsigned i = 0; i < 33; i++) expect(there[i] == some[i]);
}

static uint8_t memory[64] __attribute__((aligned(64))), inside[64] __attribute__((aligned(64)));
static void copies(uint64_t (*copy)(void *, const void *, uint64_t, uint64_t), unsigned to, unsigned from,
                   unsigned size) {
  const uint64_t status = READ(mstatus), vector = READ(mtvec);
  for (unsigned i = 0; i < sizeof memory; i++) {
    memory[i] = (uint8_t)(i + 100);
    inside[i] = (uint8_t)i;
  }
  expect(!copy(inside + to, memory + from, size, 0));
  for (unsigned i = 0; i < sizeof inside; i++)
    expect(inside[i] == (i >= to && i < to + size ? memory[from + i - to] : i));
  expect(READ(mstatus) == status && READ(mtvec) == vector);
}

// As a program, which may access the page of `memory` only, and reads or writes that
static void fails(uint64_t (*copy)(void *, const void *, uint64_t, uint64_t), void *to, const void *from, uint64_t at,
                  uint64_t cause) {
  const uint64_t vector = READ(mtvec);
  WRITE(mepc, 0x1234);
  __asm__ volatile("csrc mstatus, %0" ::"r"(MPP));
  const uint64_t status = READ(mstatus);
  // What was in this register is not looked at
  __asm__ volatile("li t3, 0" ::: "t3");
  expect(copy(to, from, 16, MPRV) == cause && (!cause || READ(mtval) == at));
  expect(READ(mepc) == 0x1234 && READ(mstatus) == status && READ(mtvec) == vector);
  __asm__ volatile("csrs mstatus, %0" ::"r"(MPP));
}

static void copies_all(void) {
  static uint8_t closed[64] __attribute__((aligned(64)));
  for (unsigned size = 0; size <= 24; size++)
    for (unsigned at = 0; at < 9; at++) {
      copies(copy_in, at, 8, size);
      copies(copy_in, 8, at, size);
      copies(copy_out, at, 8, size);
      copies(copy_out, 8, at, size);
    }
  WRITE(pmpaddr0, (uint64_t)memory >> 2 | 7);
  WRITE(pmpcfg0, 0x1b);
  fails(copy_in, inside, memory, 0, 0);
  fails(copy_out, memory, inside, 0, 0);
  fails(copy_in, inside + 1, memory, 0, 0);
  fails(copy_in, inside, memory + 57, (uint64_t)memory + 64, LOAD_FAULT);
  fails(copy_in, inside, closed, (uint64_t)closed, LOAD_FAULT);
  fails(copy_out, closed, inside, (uint64_t)closed, STORE_FAULT);
  fails(copy_in, inside + 1, closed, (uint64_t)closed, LOAD_FAULT);
  fails(copy_in, inside, memory + 56, (uint64_t)memory + 64, LOAD_FAULT);
  fails(copy_out, memory + 56, inside, (uint64_t)memory + 64, STORE_FAULT);
  WRITE(pmpcfg0, 0x19);
  fails(copy_out, memory, inside, (uint64_t)memory, STORE_FAULT);
}

static uint64_t own_stack[512] __attribute__((aligned(16)));
static void works(void *argument) {
  const uint64_t here = (uint64_t)__builtin_frame_address(0);
  expect(here > (uint64_t)own_stack && here <= (uint64_t)(own_stack + 512));
  ++*(unsigned *)argument;
}

static inline uint64_t stack_pointer(void) {
  uint64_t here;
  __asm__ volatile("mv %0, sp" : "=r"(here)::"memory");
  return here;
}

static void calls(void) {
  unsigned count = 0;
  const uint64_t before = stack_pointer();
  for (unsigned i = 0; i < 3; i++) call_on_stack((uint64_t)(own_stack + 512), works, &count);
  expect(count == 3 && before == stack_pointer());
}

void start_other_hart(uint64_t hart) {
  expect(hart && hart < MAX_HARTS && is_on_stack((unsigned)hart) && !cleared[0] && !cleared[CLEARED - 1] && !READ(mie));
  __atomic_add_fetch(&others, 1, __ATOMIC_SEQ_CST);
  for (;;) {
  }
}

void start_hart0(uint64_t hart) {
  expect(!hart && is_on_stack(0) && !READ(mie) && !READ(mscratch));
  for (unsigned i = 0; i < CLEARED; i++) expect(!cleared[i]);
  while (others != MAX_HARTS - 1 || harts_arrived != HARTS_THERE) {
  }
  const unsigned words = (unsigned)(microcode_end - microcode_start);
  expect(protector_saw[0] == microcode_loaded[words - 1] && !protector_saw[1]);
  keeps_registers();
  keeps_floats();
  copies_all();
  calls();
  WRITE(pmpaddr0, ~0UL);
  WRITE(pmpcfg0, 0x1f);
  WRITE(satp, 8UL << 60 | 1);
  WRITE(mideleg, 2);
  WRITE(sie, 2);
  enter_supervisor(0, supervisor, 0x4321);
}

// Behind leave_stack; a trap while mscratch is 0 is machine mode's own
void wait_for_start(uint64_t hart) {
  expect(!hart && is_on_stack(0) && (uint64_t)__builtin_frame_address(0) == top_of(0) - 256);
  next = DIE;
  WRITE(mscratch, 0);
  __asm__ volatile("li a0, 3\n.globl faults_at\nfaults_at: ld zero, 0(zero)" ::: "a0", "memory");
  expect(false);
}
