// Four harts, each a thread, start, stop, interrupt and fence each other by harts.c; a fifth, which has no stack, only
// arrives.
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "machine.h"

#define HARTS 4
#define THERE 5
#define MILLISECOND 1000
#define TURNS 40
#define PROTECTOR 0x4321
#define END_VALUE 0x123456
// Numbers of the SBI, and errors
enum { IS_STARTED, IS_STOPPED, IS_PENDING };
enum { INVALID = -3, ALREADY = -6 };

volatile uint32_t harts_arrived;
const uint8_t device_tree[8], kernel[8];
static _Thread_local unsigned self;
static model_csrs csrs[HARTS];
// What each has done, how often it has entered the supervisor and with what, and whether it is interrupted
static volatile unsigned turns[HARTS], data[HARTS], instructions[HARTS], tlbs[HARTS], tables[HARTS], entries[HARTS];
static volatile uint64_t started_at[HARTS], started_with[HARTS];
static volatile uint32_t pending[HARTS];
static volatile bool is_open, is_closed[HARTS], is_delegated[HARTS], is_to_stop, is_to_fence;
static unsigned exclusive_count, data_at_end[HARTS];
// In one run the hart that ends it is exclusive, in the other another hart is at first
static bool is_exclusive_at_end;
static volatile bool is_to_hold, is_held;

static void expect_that(bool holds, unsigned line) {
  if (holds) return;
  printf("FAILED harts.c:%u\n", line);
  fflush(stdout);
  _exit(1);
}
#define expect(holds) expect_that(holds, __LINE__)

unsigned hart_id(void) { return self; }
model_csrs *hart_csrs(void) { return &csrs[self]; }
void fence_all(void) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
// The last hart takes longer for what others wait for.
void flush_data_cache(void) {
  if (self == HARTS - 1) usleep(MILLISECOND);
  data[self]++;
}
void flush_instruction_cache(void) {
  if (self == HARTS - 1) usleep(MILLISECOND);
  instructions[self]++;
}
void flush_tlb(void) {
  tlbs[self]++;
  expect(tables[self] == tlbs[self]);
}
// The tables change before the TLB is emptied.
void context_fence(void) { tables[self]++; }
void set_software_interrupt(unsigned hart, uint32_t is_pending) {
  // The register has one bit
  expect(hart < HARTS && is_pending < 2 && (is_pending || hart == self));
  __atomic_store_n(&pending[hart], is_pending, __ATOMIC_SEQ_CST);
}
// Who is not interrupted sleeps on.
void wait_for_interrupt(void) {
  do {
    turns[self]++;
    sched_yield();
  } while (!pending[self]);
}
void delegate(void) { is_delegated[self] = true; }
void contexts_close(void) { is_closed[self] = csrs[self].pmpcfg0 == 0x1fUL << 56; }
// As long as a hart runs in memory, nobody else changes what it runs.
void contexts_open(void) {
  expect(harts_arrived == THERE);
  is_open = true;
}
void leave_stack(unsigned hart) {
  expect(hart == self);
  wait_for_start(hart);
}

static hart_set only(unsigned hart) { return (hart_set){1, hart}; }
static const hart_set all = {0, UINT64_MAX};

static bool is(sbi_result given, int64_t error) { return given.error == error && !given.value; }

static void stop(void) {
  unsigned before[HARTS];
  for (unsigned i = 0; i < HARTS; i++) before[i] = data[i];
  enter_exclusive();
  stop_harts();
  for (unsigned i = 0; i < HARTS; i++) {
    expect(data[i] == before[i] + (i != self));
    before[i] = turns[i];
  }
  usleep(2 * MILLISECOND);
  for (unsigned i = 0; i < HARTS; i++) expect(i == self || turns[i] == before[i]);
  release_harts();
  leave_exclusive();
  // A hart does not stop itself
  const unsigned own = data[self];
  serve_requests(self);
  expect(data[self] == own && !pending[self]);
}

static void fences(void) {
  const hart_set last = {1 << 2, 1}, first_and_third = {5, 0}, none = {~0UL, HARTS}, far = {1, 0};
  expect(is(fence_addresses(all), 0));
  fence_addresses(last);
  fence_instructions(all);
  for (unsigned i = 0; i < HARTS; i++) expect(tlbs[i] == 1 + (i == 3) && instructions[i] == 1);
  fence_instructions(first_and_third);
  fence_instructions(none);
  fence_instructions(far);
  for (unsigned i = 0; i < HARTS; i++)
    expect(instructions[i] == (i == 0 ? 3 : i == 2 ? 2 : 1) && tlbs[i] == 1 + (i == 3));
  // A request that is served is no interrupt any longer
  expect(!pending[self]);
}

static void interrupts(void) {
  expect(is(send_interrupt((hart_set){1, 2}), 0));
  for (unsigned i = 0; i < 3; i++) fence_instructions(only(2));
  for (unsigned i = 0; i < HARTS; i++) expect(csrs[i].mip == (i == 2 ? 2 : 0));
  send_interrupt(all);
  while (csrs[1].mip != 2 || csrs[3].mip != 2) serve_requests(0);
  serve_requests(0);
  expect(csrs[0].mip == 2);
}

static int64_t state(unsigned hart) { return (int64_t)hart_status(hart).value; }

static void starts_and_stops(void) {
  for (unsigned i = 0; i < HARTS; i++) expect(!hart_status(i).error && state(i) == (i ? IS_STOPPED : IS_STARTED));
  expect(is(hart_status(HARTS), INVALID) && is(start_hart(HARTS, 0, 0), INVALID));
  expect(is(hart_status(~0UL), INVALID) && is(start_hart(1UL << 32, 0, 0), INVALID));
  expect(is(start_hart(0, 0, 0), ALREADY));
  for (unsigned round = 1; round < 4; round++) {
    is_to_stop = false;
    expect(is(start_hart(1, 0x1000 + round, 0x2000 + round), 0));
    expect(state(1) == IS_PENDING || state(1) == IS_STARTED);
    while (entries[1] != round) sched_yield();
    expect(started_at[1] == 0x1000 + round && started_with[1] == 0x2000 + round && state(1) == IS_STARTED);
    expect(start_hart(1, 0, 0).error == ALREADY && entries[2] == 0);
    is_to_stop = true;
    while (state(1) != IS_STOPPED) sched_yield();
  }
}

// Two that are exclusive by turns, and fence and stop each other
static void take_turns(void) {
  for (unsigned i = 0; i < TURNS; i++) {
    enter_exclusive();
    expect(is_exclusive());
    const unsigned before = exclusive_count;
    if (i % 8 == 0) {
      stop_harts();
      release_harts();
    }
    exclusive_count = before + 1;
    leave_exclusive();
    expect(!is_exclusive());
    fence_instructions(all);
  }
}

static void take_turns_with_another(void) {
  is_to_stop = false;
  is_to_fence = true;
  start_hart(1, 1, 1);
  take_turns();
  while (!is_to_stop) serve_requests(0);
  expect(exclusive_count == 2 * TURNS);
}

void finish(uint32_t value, uintptr_t protector) {
  expect(value == END_VALUE && protector == PROTECTOR && !self && !is_held);
  // Another hart has stopped the last two before
  for (unsigned i = 1; i < HARTS; i++) expect(data[i] == data_at_end[i] + 1 + (!is_exclusive_at_end && i > 1));
  int status = 0;
  if (!is_exclusive_at_end) wait(&status);
  printf("ok harts start, stop and fence each other\n");
  exit(status != 0);
}

// The first hart
static void run_all(void) {
  starts_and_stops();
  for (unsigned i = 0; i < 10; i++) stop();
  fences();
  interrupts();
  take_turns_with_another();
  for (unsigned i = 1; i < HARTS; i++) fence_instructions(only(i));
  for (unsigned i = 0; i < HARTS; i++) data_at_end[i] = data[i];
  if (is_exclusive_at_end) {
    enter_exclusive();
    stop_harts();
    for (unsigned i = 1; i < HARTS; i++) expect(data[i] == ++data_at_end[i]);
  } else {
    is_to_fence = is_to_stop = false;
    is_to_hold = true;
    while (state(1) != IS_STOPPED) sched_yield();
    start_hart(1, 1, 1);
    while (!is_held) sched_yield();
  }
  end_run(END_VALUE);
}

void enter_supervisor(unsigned hart, uint64_t start, uint64_t argument) {
  const model_csrs *of = &csrs[hart];
  expect(is_open && hart == self && is_closed[hart] && is_delegated[hart]);
  expect(of->pmpaddr7 == ~0UL && of->mcounteren == 7 && of->scounteren == 7 && of->mie == 8);
  started_at[hart] = start;
  started_with[hart] = argument;
  __atomic_add_fetch(&entries[hart], 1, __ATOMIC_SEQ_CST);
  if (hart == 0) {
    expect(start == (uint64_t)kernel && argument == (uint64_t)device_tree);
    run_all();
  }
  if (is_to_hold) {
    enter_exclusive();
    is_held = true;
    usleep(10 * MILLISECOND);
    // Whoever ends the run waits for this, or these would wait for harts that have ended
    stop_harts();
    release_harts();
    is_held = false;
    leave_exclusive();
  }
  if (is_to_fence) {
    take_turns();
    is_to_stop = true;
  }
  while (!is_to_stop) serve_requests(hart);
  stop_hart(hart);
}

void start_hart0(void) __attribute__((noreturn));
void start_other_hart(unsigned hart) __attribute__((noreturn));

static void *other(void *hart) {
  self = (unsigned)(uintptr_t)hart;
  usleep(10 * MILLISECOND * self);
  __atomic_fetch_add(&harts_arrived, 1, __ATOMIC_SEQ_CST);
  if (self < HARTS) start_other_hart(self);
  return NULL;
}

int main(void) {
  is_exclusive_at_end = !fork();
  void *const header = mmap((void *)BOOT_HEADER_BASE, 4096, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
  if (header == MAP_FAILED) return 1;
  mmio_write64(BOOT_HEADER_BASE + HEADER_HARTS, THERE);
  mmio_write64(BOOT_HEADER_BASE + HEADER_PROTECTOR, PROTECTOR);
  alarm(20);
  for (uintptr_t i = 1; i < THERE; i++) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, other, (void *)i)) return 1;
  }
  __atomic_fetch_add(&harts_arrived, 1, __ATOMIC_SEQ_CST);
  start_hart0();
}
