// Three harts, each a thread, start, stop and fence each other by harts.c.
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "machine.h"

#define HARTS 3
#define MILLISECOND 1000

volatile uint32_t harts_arrived;
const uint8_t device_tree[8], kernel[8];
static _Thread_local unsigned self;
static _Thread_local model_csrs csrs;
// What each has done
static volatile unsigned turns[MAX_HARTS], data[MAX_HARTS], instructions[MAX_HARTS], tlbs[MAX_HARTS], tables[MAX_HARTS];
static volatile bool is_open;

static void expect_that(bool holds, unsigned line) {
  if (holds) return;
  printf("FAILED start.c:%u\n", line);
  fflush(stdout);
  _exit(1);
}
#define expect(holds) expect_that(holds, __LINE__)

unsigned hart_id(void) { return self; }
model_csrs *hart_csrs(void) { return &csrs; }
void fence_all(void) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
void flush_data_cache(void) { data[self]++; }
void flush_instruction_cache(void) { instructions[self]++; }
void flush_tlb(void) {
  tlbs[self]++;
  expect(tables[self] == tlbs[self]);
}
// The tables change before the TLB is emptied.
void context_fence(void) { tables[self]++; }
void set_software_interrupt(unsigned hart, uint32_t pending) { (void)hart, (void)pending; }
void wait_for_interrupt(void) {
  turns[self]++;
  sched_yield();
}
void delegate(void) {}
void contexts_close(void) {}
// As long as a hart runs in memory, nobody else changes what it runs.
void contexts_open(void) {
  expect(harts_arrived == HARTS);
  is_open = true;
}
void leave_stack(unsigned hart) { wait_for_start(hart); }
void finish(uint32_t value, uintptr_t protector) {
  (void)protector;
  _exit((int)value);
}

static void stop(void) {
  unsigned before[MAX_HARTS];
  for (unsigned i = 0; i < HARTS; i++) before[i] = data[i];
  enter_exclusive();
  stop_harts();
  for (unsigned i = 1; i < HARTS; i++) {
    expect(data[i] == before[i] + 1);
    before[i] = turns[i];
  }
  usleep(20 * MILLISECOND);
  for (unsigned i = 1; i < HARTS; i++) expect(turns[i] == before[i]);
  release_harts();
  leave_exclusive();
  for (unsigned i = 1; i < HARTS; i++)
    while (turns[i] == before[i]) sched_yield();
}

static void fences(void) {
  const hart_set all = {0, UINT64_MAX}, last = {4, 0};
  fence_addresses(all);
  fence_addresses(last);
  fence_instructions(all);
  for (unsigned i = 0; i < HARTS; i++) expect(tlbs[i] == 1 + (i == 2) && instructions[i] == 1);
}

void enter_supervisor(unsigned hart, uint64_t start, uint64_t argument) {
  (void)start, (void)argument;
  expect(!hart && is_open);
  for (unsigned i = 0; i < 10; i++) stop();
  fences();
  printf("ok harts start, stop and fence each other\n");
  exit(0);
}

void start_hart0(void) __attribute__((noreturn));
void start_other_hart(unsigned hart) __attribute__((noreturn));

static void *other(void *hart) {
  self = (unsigned)(uintptr_t)hart;
  usleep(10 * MILLISECOND * self);
  __atomic_fetch_add(&harts_arrived, 1, __ATOMIC_SEQ_CST);
  start_other_hart(self);
}

int main(void) {
  void *const header = mmap((void *)BOOT_HEADER_BASE, 4096, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
  if (header == MAP_FAILED) return 1;
  mmio_write64(BOOT_HEADER_BASE + HEADER_HARTS, HARTS);
  alarm(60);
  for (uintptr_t i = 1; i < HARTS; i++) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, other, (void *)i)) return 1;
  }
  __atomic_fetch_add(&harts_arrived, 1, __ATOMIC_SEQ_CST);
  start_hart0();
}
