// Machine mode of a SoC without secure contexts.
#include "machine.h"

bool has_contexts(void) { return false; }

void contexts_close(void) {}

void contexts_open(void) {}

bool in_context(void) { return false; }

trap_frame *present_frame(void) { return own_frame(); }

bool context_trap(uint64_t cause, uint64_t *value) {
  (void)cause, (void)value;
  return false;
}

void context_interrupts(void) {}

bool context_instruction(trap_frame *frame, uint32_t instruction) {
  (void)frame, (void)instruction;
  return false;
}

sbi_result context_call(uint64_t function, const uint64_t *arguments) {
  (void)function, (void)arguments;
  return (sbi_result){SBI_NOT_SUPPORTED, 0};
}

void context_fence(void) {}
