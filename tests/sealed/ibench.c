// iBench (Mahar et al., section V): the latency of memory as instruction fetch sees it, beside that which loads see, in
// the manner of lat_mem_rd. Branches, one a line, each to the line before, over growing footprints; and tasks that take
// turns at footprints of their own, with a scheduler between them. The branches may be sealed (docs/emu.md).
//
// Prints `WHAT KIB TASKS CYCLES STEPS` for ibench, cold, loads, tasks and busy. Check: every chain ends where it must,
// after as many rounds as it must.
#include "hauberk.h"
#include "sealed.h"

HAUBERK_SEALED_NOTES(1)

#define LARGEST (128 * 1024)
#define LINES (LARGEST / CACHE_LINE)
#define TASKS 4
#define TASK_LINES (LINES / TASKS)  // every so many lines a chain can end
#define STEPS (4 * LINES)
#define CACHED_LINES 32
#define TURNS 32  // of all tasks
// A footprint of no more than a task's finds some of its lines in the cache again, how many is up to random
// replacement: with so many times the rounds two runs of it are alike to some tenths of a percent
#define UNTIL_ALIKE 8
#define COLD_ROUNDS 16

// a0: rounds, a1: the first line of a round, a2: the last. Each line leads to the one before.
extern const uint8_t chain[];
__asm__(
    ".pushsection .sealed, \"ax\"\n"
    ".option push\n.option norvc\n.option norelax\n"
    ".balign 4096\n.globl chain\nchain:\n"
    ".rept 4\n"
    "  auipc t0, 0\n"
    "  bne t0, a2, . - 68\n"
    "  addi a0, a0, -1\n"
    "  beqz a0, 1f\n"
    "  jr a1\n"
    "1: ret\n"
    "  .balign 64\n"
    "  .rept 511\n  j . - 64\n  .balign 64\n  .endr\n"
    ".endr\n"
    ".option pop\n.popsection");

typedef struct {
  uint64_t registers[31 + 32];
  uint64_t first_line, priority, rounds;
} task;

static NOINIT const void *pointers[LARGEST / sizeof(void *)];
static NOINIT task tasks[TASKS];
static RESULTS uint64_t rounds_done;

static const uint8_t *line(unsigned number) { return chain + number * CACHE_LINE; }

static __attribute__((noinline)) void walk(uint64_t rounds, const uint8_t *first, const uint8_t *last) {
  register uint64_t a0 __asm__("a0") = rounds;
  register const uint8_t *a1 __asm__("a1") = first, *a2 __asm__("a2") = last;
  __asm__ volatile("jalr a1" : "+r"(a0), "+r"(a1), "+r"(a2)::"ra", "t0", "memory");
  expect(a0 == 0, "the chain ends after its last round");
}

static __attribute__((noinline)) const void *load(const void *at, unsigned steps) {
  while (steps) {
    __asm__ volatile(".rept 64\n ld %0, 0(%0)\n .endr" : "+r"(at)::"memory");
    steps -= 64;
  }
  return at;
}

// What a kernel does between two tasks: all registers saved and restored, and the task of the highest priority looked
// for among all.
static __attribute__((noinline)) unsigned schedule(unsigned running, unsigned count) {
  static uint64_t sink;
  for (unsigned i = 0; i < 63; i++) tasks[running].registers[i] += i;
  tasks[running].priority = 0;
  unsigned next = 0;
  for (unsigned i = 0; i < count; i++) {
    tasks[i].priority++;
    if (tasks[i].priority > tasks[next].priority) next = i;
  }
  for (unsigned i = 0; i < 63; i++) sink += tasks[next].registers[i];
  return next;
}

static void report(const char *what, unsigned kib, unsigned count, uint64_t cycles, unsigned steps) {
  print("%s %u %u %lu %u\n", what, kib, count, cycles, steps);
}

static uint64_t measured(void) {
  static uint64_t before;
  const uint64_t now = kernel_cycles(), passed = now - before;
  before = now;
  return passed;
}

static void fetches(unsigned lines) {
  const unsigned rounds = (lines <= TASK_LINES ? UNTIL_ALIKE : 1) * STEPS / lines;
  walk(1, line(lines - 1), chain);
  kernel_begin();
  walk(rounds, line(lines - 1), chain);
  kernel_end();
  rounds_done += rounds;
  report("ibench", lines * CACHE_LINE / 1024, 1, measured(), rounds * lines);
}

// Rounds that begin with an empty instruction cache: every step of them is a miss, whatever the cache replaces. The
// quickest counts: now and then a branch is predicted wrongly, which takes some cycles of a round, and when that
// happens depends on all the branches before.
static void cold_fetches(void) {
  uint64_t quickest = UINT64_MAX;
  for (unsigned round = 0; round < COLD_ROUNDS; round++) {
    __asm__ volatile("fence.i" ::: "memory");
    const uint64_t before = read_cycles();
    walk(1, line(LINES - 1), chain);
    const uint64_t cycles = read_cycles() - before;
    if (cycles < quickest) quickest = cycles;
  }
  rounds_done += COLD_ROUNDS;
  report("cold", LARGEST / 1024, 1, quickest, LINES);
}

static void loads(unsigned lines) {
  const unsigned stride = CACHE_LINE / sizeof *pointers;
  for (unsigned i = 0; i < lines; i++) pointers[i * stride] = &pointers[(i == 0 ? lines - 1 : i - 1) * stride];
  load(pointers, lines);
  kernel_begin();
  const void *end = load(pointers, STEPS);
  kernel_end();
  expect(end == pointers, "the loads end where they began");
  report("loads", lines * CACHE_LINE / 1024, 1, measured(), STEPS);
}

// `lines` of a task's footprint are walked, so often that all make as many steps a turn.
static void multitask(const char *what, unsigned count, unsigned lines) {
  for (unsigned i = 0; i < count; i++) tasks[i] = (task){.first_line = i * TASK_LINES, .priority = count - i};
  const unsigned turns = count == 1 ? UNTIL_ALIKE * TURNS : TURNS;
  unsigned running = 0;
  kernel_begin();
  for (unsigned turn = 0; turn < turns; turn++) {
    const unsigned first = (unsigned)tasks[running].first_line;
    walk(TASK_LINES / lines, line(first + lines - 1), line(first));
    tasks[running].rounds++;
    running = schedule(running, count);
  }
  kernel_end();
  for (unsigned i = 0; i < count; i++) {
    expect(tasks[i].rounds == turns / count, "every task had its turns");
    rounds_done += tasks[i].rounds;
  }
  report(what, lines * CACHE_LINE / 1024, count, measured(), turns * TASK_LINES);
}

int main(void) {
  const int error = unseal();
  if (error) {
    print("ibench: %s\n", unseal_error(error));
    exit_program(64 + (unsigned)error);
  }
  for (unsigned lines = LINES / 16; lines <= LINES; lines *= 2) fetches(lines);
  cold_fetches();
  for (unsigned lines = LINES / 16; lines <= LINES; lines *= 2) loads(lines);
  for (unsigned count = 1; count <= TASKS; count *= 2) {
    multitask("tasks", count, TASK_LINES);
    // The same with nothing that is not in the cache: what the rest of the time goes into
    multitask("busy", count, CACHED_LINES);
  }
  return 0;
}
