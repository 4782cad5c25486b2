// What the kernel asks of the microcode.
#include "kernel.h"

#define TIME 0x54494d45
#define RFENCE 0x52464e43
#define HSM 0x48534d
#define SRST 0x53525354
#define TIMER_ENABLE (1UL << 5)

answer call(long extension, long function, long a, long b, long c) {
  register long a0 __asm__("a0") = a;
  register long a1 __asm__("a1") = b;
  register long a2 __asm__("a2") = c;
  register long a6 __asm__("a6") = function;
  register long a7 __asm__("a7") = extension;
  __asm__ volatile("ecall" : "+r"(a0), "+r"(a1) : "r"(a2), "r"(a6), "r"(a7) : "memory");
  return (answer){a0, a1};
}

void enable_contexts(void) { expect(call(TEE_SBI, TEE_SBI_ENABLE, 0, 0, 0).error == 0); }

long kill_context(uint64_t spid) { return call(TEE_SBI, TEE_SBI_KILL, (long)spid, 0, 0).error; }

uint64_t hash_of(uint64_t spid, unsigned word) {
  const answer hash = call(TEE_SBI, TEE_SBI_HASH, (long)spid, word, 0);
  expect(hash.error == 0);
  return (uint64_t)hash.value;
}

void end_run(void) { call(SRST, 0, 0, 0, 0); }

void fence_harts(void) { expect(call(RFENCE, 1, 0, -1, 0).error == 0); }

static uint64_t now(void) {
  uint64_t ticks;
  __asm__ volatile("rdtime %0" : "=r"(ticks));
  return ticks;
}

void wait(uint64_t ticks) {
  for (const uint64_t end = now() + ticks; now() < end;) {
  }
}

void set_timer(uint64_t ticks) {
  expect(call(TIME, 0, ticks ? (long)(now() + ticks) : -1, 0, 0).error == 0);
  __asm__ volatile("csrs sie, %0" ::"r"(TIMER_ENABLE));
}

void put(const char *text) {
  while (*text) {
    while (!(*(volatile uint8_t *)0x10000005 & 0x20)) {
    }
    *(volatile uint8_t *)0x10000000 = (uint8_t)*text++;
  }
}

void put_number(uint64_t value) {
  char digits[21] = {0};
  unsigned first = 20;
  do digits[--first] = (char)('0' + value % 10);
  while (value /= 10);
  put(digits + first);
}

uint64_t read_cycles(void) {
  uint64_t cycles;
  __asm__ volatile("rdcycle %0" : "=r"(cycles)::"memory");
  return cycles;
}

void put_hex(uint64_t value) {
  char digits[17] = {0};
  for (unsigned i = 0; i < 16; i++) digits[i] = "0123456789abcdef"[value >> 4 * (15 - i) & 15];
  put(digits);
}

void check(bool holds, const char *file, unsigned line) {
  if (holds) return;
  char digits[] = ":0000\n";
  for (unsigned i = 4, rest = line; i > 0; i--, rest /= 10) digits[i] = (char)('0' + rest % 10);
  put(file);
  put(digits);
  call(SRST, 0, 1, 0, 0);
}

extern void start_other(void);
static uint8_t other_stack[STACK] __attribute__((aligned(16)));

void start_other_hart(void) {
  const long top = (long)(uintptr_t)(other_stack + sizeof other_stack);
  expect(call(HSM, 0, 1, (long)(uintptr_t)start_other, top).error == 0);
}
