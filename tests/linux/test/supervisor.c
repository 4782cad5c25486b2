// In the kernel's place, what a kernel asks of the firmware, on two harts: each answer is checked, and a wrong one ends
// the run with a reset. It is what a kernel takes millions of cycles to come to.
#include <stdbool.h>
#include <stdint.h>

#include "supervisor.h"

#define SOFTWARE (1UL << 1)
#define TIMER (1UL << 5)

static void put(char character) { *(volatile uint8_t *)0x10000000 = (uint8_t)character; }

static void check(bool holds, unsigned line) {
  if (holds) return;
  for (const char *at = "supervisor: line "; *at; at++) put(*at);
  for (unsigned unit = 100; unit; unit /= 10) put((char)('0' + line / unit % 10));
  put('\n');
  call(SRST, 0, 1, 0, 0);
}
#define expect(holds) check(holds, __LINE__)

static uint64_t pending(void) {
  uint64_t bits;
  __asm__ volatile("csrr %0, sip" : "=r"(bits)::"memory");
  return bits;
}

static volatile uint32_t other_runs, other_may_stop;
static volatile uint64_t caught;
static uint8_t other_stack[4096] __attribute__((aligned(16)));

void start(void);
void start_other(void);

// Entry of the boot hart, of the other one, whose stack is what it was started with, and of traps.
__asm__(
    ".section .text.start, \"ax\"\n"
    ".globl start\nstart:\n"
    "  la sp, boot_stack + 4096\n"
    "  tail boot\n"
    ".globl start_other\nstart_other:\n"
    "  mv sp, a1\n"
    "  tail other\n"
    ".balign 4\ntrap:\n"
    "  csrw sscratch, t0\n"
    "  csrr t0, scause\n"
    "  sd t0, caught, t1\n"
    "  csrr t0, sepc\n"
    "  addi t0, t0, 4\n"
    "  csrw sepc, t0\n"
    "  csrr t0, sscratch\n"
    "  sret\n"
    ".section .bss\n.balign 16\nboot_stack: .zero 4096\n"
    ".text\n");

static void time_passes(void) {
  uint64_t before, after;
  __asm__ volatile("rdtime %0" : "=r"(before));
  do __asm__ volatile("rdtime %0" : "=r"(after));
  while (after - before < 3);
  expect(call(TIME, 0, (long)(after + 5), 0, 0).error == 0);
  while (!(pending() & TIMER)) {
  }
  expect(call(TIME, 0, -1, 0, 0).error == 0 && !(pending() & TIMER));
}

static void misaligned(void) {
  static _Alignas(8) uint8_t bytes[24] = {1, 2, 3, 4, 0x85, 6, 7, 8, 9, 10, 11, 12};
  uint64_t value;
  __asm__ volatile("lw %0, 0(%1)" : "=r"(value) : "r"(bytes + 1) : "memory");
  expect(value == (uint64_t)(int32_t)0x85040302);
  __asm__ volatile("lwu %0, 0(%1)" : "=r"(value) : "r"(bytes + 1) : "memory");
  expect(value == 0x85040302);
  __asm__ volatile("sd %1, 0(%0)" ::"r"(bytes + 11), "r"(0x1122334455667788) : "memory");
  expect(bytes[11] == 0x88 && bytes[18] == 0x11 && bytes[10] == 11 && bytes[19] == 0);
}

// What is not the firmware's is the supervisor's.
static void illegal_instruction(void) {
  __asm__ volatile(
      "la t0, trap\n"
      "csrw stvec, t0\n"
      ".word 0xffffffff" ::
          : "t0", "t1", "memory");
  expect(caught == 2);
}

void other(void) {
  other_runs = 1;
  while (!(pending() & SOFTWARE)) {
  }
  __asm__ volatile("csrc sip, %0" ::"r"(SOFTWARE));
  other_runs = 2;
  while (!other_may_stop) {
  }
  call(HSM, 1, 0, 0, 0);
  expect(false);
}

static void harts(void) {
  expect(call(HSM, 2, 1, 0, 0).value == 1 && call(HSM, 2, 0, 0, 0).value == 0);
  expect(call(HSM, 2, 7, 0, 0).error == -3);
  expect(call(HSM, 0, 0, 0, 0).error == -6);
  expect(call(HSM, 0, 1, (long)(uintptr_t)start_other, (long)(uintptr_t)(other_stack + sizeof other_stack)).error == 0);
  while (other_runs != 1) {
  }
  expect(call(RFENCE, 1, 3, 0, 0).error == 0 && call(RFENCE, 0, 1, 1, 0).error == 0);
  expect(call(RFENCE, 2, 0, -1, 0).error == 0);
  expect(call(IPI, 0, 1, 1, 0).error == 0);
  while (other_runs != 2) {
  }
  other_may_stop = 1;
  while (call(HSM, 2, 1, 0, 0).value != 1) {
  }
  other_runs = other_may_stop = 0;
  expect(call(HSM, 0, 1, (long)(uintptr_t)start_other, (long)(uintptr_t)(other_stack + sizeof other_stack)).error == 0);
  while (other_runs != 1) {
  }
}

void boot(void) {
  expect(call(BASE, 0, 0, 0, 0).value == 3);
  expect(call(BASE, 3, RFENCE, 0, 0).value == 1 && call(BASE, 3, 0x504d55, 0, 0).value == 0);
  expect(call(0x504d55, 0, 0, 0, 0).error == -2 && call(TIME, 1, 0, 0, 0).error == -2);
  time_passes();
  misaligned();
  illegal_instruction();
  harts();
  // While the other hart still runs
  call(SRST, 0, 0, 0, 0);
}
