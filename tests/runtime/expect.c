#include "hauberk.h"

void expect(bool holds, const char *what) {
  if (holds) return;
  print("check failed: %s\n", what);
  exit_program(1);
}
