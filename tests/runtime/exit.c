#include "hauberk.h"
#include "internal.h"

#define EXIT_CODE_TRAP 0x80  // plus the cause

extern uint8_t hauberk_results[], hauberk_results_end[];
extern int main(void);

volatile uint32_t exit_requested;
static volatile uint32_t harts_flushed;

void follow_exit(void) {
  set_software_interrupt(hart_id(), 0);
  flush_data_cache();
  __atomic_fetch_add(&harts_flushed, 1, __ATOMIC_RELEASE);
  for (;;) wait_for_interrupt();
}

// The first hart to exit leads. The others are woken, or interrupted in what they do, to write back their caches; the
// leader does so last, when nobody writes any more.
void exit_program(unsigned code) {
  disable_interrupts();
  if (__atomic_exchange_n(&exit_requested, 1, __ATOMIC_ACQ_REL)) follow_exit();
  unsigned harts = hart_count();
  fence_all();
  for (unsigned hart = 0; hart < harts; hart++) {
    if (hart != hart_id()) set_software_interrupt(hart, 1);
  }
  while (__atomic_load_n(&harts_flushed, __ATOMIC_ACQUIRE) != harts - 1) {
  }
#ifdef HTIF
  finish(HTIF_EXIT(code), 0);
#else
  finish(code == 0 ? FINISHER_PASS : FINISHER_FAIL | code << 16, mmio_read64(BOOT_HEADER_BASE + HEADER_PROTECTOR));
#endif
}

void handle_trap(uint64_t cause, uint64_t pc, uint64_t value) {
  if (cause >> 63) follow_exit();
  print("trap on hart %u: cause %lu epc 0x%lx tval 0x%lx\n", hart_id(), cause, pc, value);
  exit_program(EXIT_CODE_TRAP | (unsigned)(cause & 0x7f));
}

void start_hart0(void) {
  await_harts();
  enable_interrupts();
  int code = main();
  print("checksum %016lx\n", fnv1a(FNV_OFFSET, hauberk_results, (size_t)(hauberk_results_end - hauberk_results)));
  print("cycles %lu\n", kernel_cycles());
  print("instret %lu\n", kernel_instructions());
  exit_program((unsigned)code);
}
