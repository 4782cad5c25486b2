// Start and end of a program without a C library.
#include "hosted.h"

void find_harts(void);

void start_program(uint64_t *stack) {
  (void)stack;
  find_harts();
  exit_program(run_program());
}
