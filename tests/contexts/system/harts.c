// Contexts on two harts
#include "kernel.h"

static void (*volatile work_of_other)(process *);
static process *volatile of_other;
static volatile uint64_t other_cause;

// A hart that polls without a pause may take the line from one that writes it, each time before the store is made.
static void pause(void) { wait(1); }

void boot_other(unsigned hart) {
  (void)hart;
  open_floats();
  for (;;) {
    process *process = of_other;
    if (!process) {
      pause();
      continue;
    }
    work_of_other(process);
    __asm__ volatile("fence rw, rw" ::: "memory");
    of_other = 0;
  }
}

// To its last call, or to another trap
static void runs(process *process) { other_cause = run(process); }

void on_other_hart(void (*work)(process *), process *process) {
  work_of_other = work;
  __asm__ volatile("fence rw, rw" ::: "memory");
  of_other = process;
}

void await_other(void) {
  while (of_other) pause();
}

// A context that was interrupted goes on at another hart, and cannot go on at two; nor is it killed while it runs. What
// the kernel takes away from it outside is away.
void moves(void) {
  process *process = interrupted(WORK_SPIN);
  struct process *copy = new_process(WORK_SPIN);
  copy->root = process->root;
  copy->user = process->user;
  start_other_hart();
  on_other_hart(runs, process);
  // It may not have got there yet: then the copy would be it
  wait(200);
  expect(run(copy) == ILLEGAL_INSTRUCTION);
  uint8_t tag[TEE_PAGE_TAG];
  expect(kill_context(copy->user.x[S1]) == TEE_STATE && page_out(process->permit, OWN_ZERO, tag) == TEE_STATE &&
         page_out(process->permit, OWN_ZERO, 0) == TEE_STATE);
  expect(page_in(process->permit, OWN_ZERO, copy->shared[1], tag) == TEE_STATE);
  unmap(process, SHARED);
  fence_harts();
  await_other();
  expect(other_cause == LOAD_PAGE && process->value == SHARED && shows_nothing(process, false));
  map(process, SHARED, process->shared[0], USER_DATA);
  on_other_hart(runs, process);
  // Pages of another context change their owner meanwhile: the other hart stops, and goes on
  struct process *other = new_process(WORK_ADD);
  const uint64_t sum = fill_shared(other);
  expect(finish(other) == sum);
  words_of(process->shared[0])[0] = 1;
  await_other();
  expect(other_cause == USER_CALL && process->user.x[A7] == DONE && process->user.x[A0] == 0);
  expect(is_cleared(process));
  // Both enter and leave at once
  for (unsigned round = 0; round < 2; round++) {
    process = new_process(WORK_ADD);
    other = new_process(WORK_ADD);
    const uint64_t sums[] = {fill_shared(process), fill_shared(other)};
    on_other_hart(runs, process);
    expect(finish(other) == sums[1]);
    await_other();
    expect(other_cause == USER_CALL && process->user.x[A0] == sums[0]);
    expect(is_cleared(process) && is_cleared(other));
  }
}

// What is taken back ends its contexts: one that runs comes out, and goes on no more.
void ends(void) {
  process *process = interrupted(WORK_SPIN), *other = interrupted(WORK_SPIN);
  on_other_hart(runs, process);
  wait(200);
  expect(end_permit(process->permit) == TEE_STATE);
  unmap(process, SHARED);
  fence_harts();
  await_other();
  expect(other_cause == LOAD_PAGE);
  map(process, SHARED, process->shared[0], USER_DATA);
  expect(run(process) == ILLEGAL_INSTRUCTION && process->user.pc == gate());
  expect(end_permit(process->permit) == 0 && is_cleared(process));
  expect(end_permit(process->permit) == TEE_INVALID);
  expect(run(process) == ILLEGAL_INSTRUCTION);
  expect(released(other) == 0);
}

static void writes_secret(process *process) { words_of(process->own[CODE_PAGES])[0] = SECRET + 1; }

static bool all_ones;
static void sees_ones(process *process) {
  all_ones = true;
  for (unsigned word = 0; word < TEE_PAGE / 8; word++) all_ones &= words_of(process->own[0])[word] == ~0UL;
}

static bool all_cleared;
static void sees_cleared(process *process) { all_cleared = is_cleared(process); }

static void finds_closed(process *process) {
  (void)process;
  is_closed();
}

// What the other hart has in its cache, of a page that gets an owner or loses it, is neither lost nor kept.
void share(void) {
  process *process = new_process(WORK_ADD);
  const uint64_t sum = fill_shared(process);
  on_other_hart(writes_secret, process);
  await_other();
  expect(finish(process) == sum + 1);
  process = interrupted(WORK_SPIN);
  on_other_hart(sees_ones, process);
  await_other();
  expect(all_ones);
  expect(released(process) == 0);
  on_other_hart(sees_cleared, process);
  await_other();
  expect(all_cleared);
  on_other_hart(finds_closed, process);
  await_other();
}
