// In the kernel's place: what else it may try with pages that are private or out, each of which is encrypted slowly.
#include "kernel.h"

void boot(void) {
  open_floats();
  enable_contexts();
  RUN(pages_out);
  RUN(keeps_private_rights);
  RUN(encrypts_anew);
  RUN(serves_later);
  RUN(keeps_rights);
  end_run();
}
