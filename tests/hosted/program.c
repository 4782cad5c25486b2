#include "hosted.h"

// The bounds of what RESULTS puts there, from the linker; a program without results has none.
extern uint8_t __start_hauberk_results[] __attribute__((weak)), __stop_hauberk_results[] __attribute__((weak));
extern int program_main(void);

// Without an operating system, results end at a multiple of eight bytes, behind zeros; the checksum is the same.
static uint64_t checksum(void) {
  static const uint8_t zeros[8];
  const size_t size = (size_t)(__stop_hauberk_results - __start_hauberk_results);
  return fnv1a(fnv1a(FNV_OFFSET, __start_hauberk_results, size), zeros, -size % 8);
}

unsigned run_program(void) {
  const int code = program_main();
  print("checksum %016lx\n", checksum());
  print("cycles %lu\n", kernel_cycles());
  print("instret %lu\n", kernel_instructions());
  return (unsigned)code;
}
