#ifdef HTIF
#include "internal.h"

extern volatile uint64_t tohost;

void htif_send(uint64_t message) {
  while (tohost) {
  }
  tohost = message;
}
#endif
