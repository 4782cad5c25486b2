// In the kernel's place: what contexts cost, in cycles.
#include "kernel.h"

static void tell(const char *what, uint64_t (*work)(process *), process *process) {
  const uint64_t begin = cycle();
  work(process);
  print("%s: %lu cycles\n", what, cycle() - begin);
}

// From an instruction of the program, by a call, to the first of the kernel, and back
static void crossings(process *process) {
  for (unsigned i = 0; i < 3; i++) {
    const user *user = &process->user;
    const uint64_t out = user->trapped - user->x[A0];
    process->user.pc += 4;
    expect(run(process) == USER_CALL);
    print("out: %lu cycles, back: %lu cycles\n", out, user->x[A1] - user->left);
  }
}

static process *new_large(uint64_t work) {
  process *process = new_process(work);
  uint64_t more[LARGE_PAGES];
  for (unsigned i = 0; i < LARGE_PAGES; i++) more[i] = new_page();
  add_segment(process, TEE_DATA, more, LARGE_PAGES);
  return process;
}

// The same code in a context, and as any program: behind its instruction that enters. Only what is in a context is
// verified before it is used.
static void speed(uint64_t work, uint64_t *inside, uint64_t *outside) {
  *inside = finish(new_large(work));
  process *process = new_large(work);
  process->user.pc = OWN + 4;
  expect(run(process) == ILLEGAL_INSTRUCTION);
  *outside = process->user.x[A0];
}

static void speeds(void) {
  uint64_t inside, outside;
  speed(WORK_BUSY, &inside, &outside);
  print("busy inside: %lu cycles, outside: %lu cycles\n", inside, outside);
  expect(100 * inside <= 101 * outside);
  speed(WORK_LARGE, &inside, &outside);
  print("writes inside: %lu cycles, outside: %lu cycles\n", inside >> 32, outside >> 32);
  print("pointers inside: %lu cycles, outside: %lu cycles\n", inside << 32 >> 32, outside << 32 >> 32);
}

// On a processor with a secret
static void signature(void) {
  process *process = new_process(WORK_SIGN);
  if (!finish(process)) print("sign: %lu cycles\n", ((signed_message *)process->shared[0])->cycles);
}

// To enter with 16 pages that are hashed, to make calls, and to exit; and the same call of a program in no context,
// behind the gate
static void costs(void) {
  process *process = new_process(WORK_TIME);
  uint64_t more[16 - CODE_PAGES - DATA_PAGES];
  for (unsigned i = 0; i < ARRAY_LENGTH(more); i++) more[i] = new_page();
  add_segment(process, TEE_DATA, more, ARRAY_LENGTH(more));
  expect(run(process) == USER_CALL);
  print("enter 64 KiB: %lu cycles\n", process->user.x[A0] - process->user.left);
  crossings(process);
  process->user.pc += 4;
  process->user.x[A0] = 0;
  tell("resume, and exit", finish, process);
  tell("call outside", run, process);
  speeds();
  signature();
}

void boot(void) {
  open_floats();
  RUN(is_off);
  RUN(costs);
  end_run();
}
