// What the kernel asks of the microcode.
#include "kernel.h"

#define TIMER_ENABLE (1UL << 5)

void enable_contexts(void) { expect(call(TEE_SBI, TEE_SBI_ENABLE, 0, 0, 0).error == 0); }

long kill_context(uint64_t spid) { return call(TEE_SBI, TEE_SBI_KILL, (long)spid, 0, 0).error; }

uint64_t allow(uint64_t root, uint64_t start, uint64_t pages) {
  const answer permit = call(TEE_SBI, TEE_SBI_ALLOW, (long)(root << 20 >> 20), (long)start, (long)pages);
  return permit.error ? (uint64_t)permit.error : (uint64_t)permit.value;
}

long end_permit(uint64_t permit) { return call(TEE_SBI, TEE_SBI_END, (long)permit, 0, 0).error; }

long page_out(uint64_t permit, uint64_t address, uint8_t *tag) {
  return call(TEE_SBI, TEE_SBI_PAGE_OUT, (long)permit, (long)address, (long)(uintptr_t)tag).error;
}

long page_in(uint64_t permit, uint64_t address, uint64_t page, const uint8_t *tag) {
  return call4(TEE_SBI, TEE_SBI_PAGE_IN, (long)permit, (long)address, (long)page, (long)(uintptr_t)tag).error;
}

uint64_t denials(void) {
  const answer counted = call(TEE_SBI, TEE_SBI_DENIALS, 0, 0, 0);
  expect(counted.error == 0);
  return (uint64_t)counted.value;
}

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

void check(bool holds, const char *file, unsigned line) {
  if (holds) return;
  print("%s:%u\n", file, line);
  call(SRST, 0, 1, 0, 0);
}

extern void start_other(void);
static uint8_t other_stack[STACK] __attribute__((aligned(16)));

void start_other_hart(void) {
  const long top = (long)(uintptr_t)(other_stack + sizeof other_stack);
  expect(call(HSM, 0, 1, (long)(uintptr_t)start_other, top).error == 0);
}
