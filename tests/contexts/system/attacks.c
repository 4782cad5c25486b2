// In the kernel's place: an operating system that runs programs in secure contexts and takes everything from them that
// it can. Each program must give what it gives without this, or be stopped where the microcode says.
#include "kernel.h"

static void tell(const char *what, uint64_t (*work)(process *), process *process) {
  const uint64_t begin = cycle();
  work(process);
  print("%s: %lu cycles\n", what, cycle() - begin);
}

// From an instruction of the program, by a call, to the first of the kernel, and back
static void crossings(void) {
  process *process = new_process(WORK_TIME);
  expect(run(process) == USER_CALL);
  for (unsigned i = 0; i < 3; i++) {
    const user *user = &process->user;
    const uint64_t out = user->trapped - user->x[A0];
    process->user.pc += 4;
    expect(run(process) == USER_CALL);
    print("out: %lu cycles, back: %lu cycles\n", out, user->x[A1] - user->left);
  }
  process->user.pc += 4;
  process->user.x[A0] = 0;
  expect(finish(process) == 0);
}

// The same code in a context, and as any program: behind its instruction that enters
static void speed(void) {
  const uint64_t inside = finish(new_process(WORK_BUSY));
  process *process = new_process(WORK_BUSY);
  process->user.pc = OWN + 4;
  expect(run(process) == ILLEGAL_INSTRUCTION);
  const uint64_t outside = process->user.x[A0];
  print("busy inside: %lu cycles, outside: %lu cycles\n", inside, outside);
  expect(100 * inside <= 101 * outside);
}

// What a context costs, the kernel's own way to a program and back included: to enter with 16 pages that are hashed, to
// make a call, which is a way out and one back, and to exit.
static void costs(void) {
  process *process = new_process(WORK_CALL);
  const unsigned more = 16 - CODE_PAGES - DATA_PAGES;
  tee_program *program = program_of(process);
  program->segment[program->segments].kind = TEE_DATA;
  program->segment[program->segments++].pages = more;
  for (unsigned i = 0; i < more; i++) map(process, OWN_END + i * TEE_PAGE, new_page(), USER_DATA);
  tell("enter 64 KiB, and call", run, process);
  for (unsigned i = 0; i < 3; i++) tell("resume, and call", run, process);
  process->user.pc += 4;
  process->user.x[A0] = 0;
  tell("resume, and exit", finish, process);
  // The same call of a program in no context: behind the gate
  tell("call outside", run, process);
  crossings();
  speed();
}

void boot(void) {
  open_floats();
  RUN(is_off);
  RUN(computes);
  RUN(is_interrupted);
  RUN(is_measured);
  RUN(calls);
  RUN(has_no_secret);
  RUN(keeps_private);
  RUN(is_mapped_twice);
  RUN(is_stopped);
  RUN(resumes);
  RUN(is_refused);
  RUN(needs_permit);
  RUN(are_many);
  RUN(sees_much);
  RUN(sees_as_mapped);
  RUN(moves);
  RUN(ends);
  RUN(share);
  RUN(is_closed);
  RUN(costs);
  end_run();
}
