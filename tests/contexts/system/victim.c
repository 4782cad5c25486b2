// In the kernel's place: an operating system that does no harm. Who holds the DRAM attacks the context's pages, whose
// addresses are on the console, while the context waits for the result of its call.
#include "kernel.h"

#define COUNTS 3
// The attack comes at some time in these ticks.
#define WAITED 400

void boot(void) {
  open_floats();
  enable_contexts();
  process *process = new_process(WORK_COUNT);
  print("victim: code at %lx, data at %lx, root table at %lx\n", process->own[0], process->own[CODE_PAGES + DATA_PAGES],
        process->own[OWN_PAGES - TABLE_PAGES]);
  for (unsigned round = 1; round <= COUNTS; round++) {
    expect(run(process) == USER_CALL && process->user.x[A7] == CALL_NUMBER && process->user.x[A0] == round);
    print("victim: round %u in memory at %lu\n", round, cycle());
    wait(WAITED);
    process->user.x[A0] = round < COUNTS;
    process->user.pc += TEE_GATE_RESULT;
  }
  print("victim: the context gives %lu\n", finish(process));
  end_run();
}
