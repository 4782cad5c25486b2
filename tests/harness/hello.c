// The smallest program: one line on the UART, one result in DRAM, exit code 0.
#include "hauberk.h"

static RESULTS char greeting[40];

int main(void) {
  static const char text[] = "Hello from behind the mail coif.";
  kernel_begin();
  memcpy(greeting, text, sizeof text);
  kernel_end();
  print("%s\n", greeting);
  expect(greeting[0] == 'H' && memcmp(greeting, text, sizeof text) == 0, "the greeting is in memory");
  return 0;
}
