// The life of an embedded program: tests/runtime/exit.c for one hart, without atomic accesses.
#include "hauberk.h"
#include "internal.h"

#define EXIT_CODE_TRAP 0x80  // plus the cause

extern uint8_t hauberk_results[], hauberk_results_end[];
extern int main(void);

void exit_program(unsigned code) {
  finish(code == 0 ? FINISHER_PASS : FINISHER_FAIL | code << 16, mmio_read64(BOOT_HEADER_BASE + HEADER_PROTECTOR));
}

void handle_trap(uint64_t cause, uint64_t pc, uint64_t value) {
  print("trap: cause %lu epc 0x%lx tval 0x%lx\n", cause, pc, value);
  exit_program(EXIT_CODE_TRAP | (unsigned)(cause & 0x7f));
}

void run_program(void) {
  int code = main();
  print("checksum %016lx\n", fnv1a(FNV_OFFSET, hauberk_results, (size_t)(hauberk_results_end - hauberk_results)));
  print("cycles %lu\n", kernel_cycles());
  print("instret %lu\n", kernel_instructions());
  exit_program((unsigned)code);
}
