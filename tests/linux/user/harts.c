// Harts of a program under Linux without a C library: threads, one on each processor.
#include "hosted.h"
#include "system.h"

#define THREAD_FLAGS 0x250f00  // CLONE_VM, FS, FILES, SIGHAND, THREAD, SYSVSEM, CHILD_CLEARTID
#define STACK_SIZE 16384
#define FUTEX_WAIT 0

void start_thread(void *stack, long flags, volatile uint32_t *alive, void (*function)(void *), void *argument);

static unsigned harts = 1;
static _Alignas(16) uint8_t stacks[MAX_HARTS][STACK_SIZE];
static volatile uint32_t alive[MAX_HARTS];
static void (*work_of_all)(unsigned hart, unsigned harts);

unsigned hart_count(void) { return harts; }

static void pin(unsigned hart) {
  const uint64_t processors = 1UL << hart;
  SYSTEM_CALL3(sched_setaffinity, 0, sizeof processors, &processors);
}

// A program is to have as many harts as there are processors.
void find_harts(void) {
  uint64_t processors[16] = {1};
  SYSTEM_CALL3(sched_getaffinity, 0, sizeof processors, processors);
  harts = 0;
  while (harts < MAX_HARTS && processors[0] >> harts & 1) harts++;
  pin(0);
}

static void work_of_one(void *argument) {
  const unsigned hart = (unsigned)(uintptr_t)argument;
  pin(hart);
  work_of_all(hart, harts);
}

void on_every_hart(void (*work)(unsigned hart, unsigned harts)) {
  work_of_all = work;
  for (unsigned hart = 1; hart < harts; hart++) {
    alive[hart] = 1;
    start_thread(stacks[hart] + STACK_SIZE, THREAD_FLAGS, &alive[hart], work_of_one, (void *)(uintptr_t)hart);
  }
  work(0, harts);
  for (unsigned hart = 1; hart < harts; hart++)
    while (alive[hart]) SYSTEM_CALL4(futex, &alive[hart], FUTEX_WAIT, 1, 0);
}

void let_others_run(void) { SYSTEM_CALL0(sched_yield); }
