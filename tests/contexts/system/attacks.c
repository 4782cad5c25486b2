// In the kernel's place: an operating system that runs programs in secure contexts and takes everything from them that
// it can. Each program must give what it gives without this, or be stopped where the microcode says.
#include "kernel.h"

void boot(void) {
  open_floats();
  RUN(is_off);
  RUN(computes);
  RUN(is_interrupted);
  RUN(begins_with_nothing);
  RUN(is_measured);
  RUN(calls);
  RUN(has_no_secret);
  RUN(keeps_private);
  RUN(is_mapped_twice);
  RUN(is_stopped);
  RUN(resumes);
  RUN(is_refused);
  RUN(are_large);
  RUN(needs_permit);
  RUN(are_many);
  RUN(sees_much);
  RUN(sees_as_mapped);
  RUN(moves);
  RUN(ends);
  RUN(share);
  RUN(is_closed);
  end_run();
}
