// In the kernel's place: of the attacks of attacks.c, some that take a simulator few minutes.
#include "kernel.h"

void boot(void) {
  open_floats();
  RUN(is_off);
  RUN(computes);
  RUN(begins_with_nothing);
  RUN(is_measured);
  RUN(calls);
  RUN(is_stopped);
  RUN(resumes);
  RUN(needs_permit);
  RUN(comes_back);
  RUN(moves);
  RUN(ends);
  end_run();
}
