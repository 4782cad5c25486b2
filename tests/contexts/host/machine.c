// What the microcode has of the rest of machine mode: harts, traps, and accesses as whom a trap interrupted.
#include <setjmp.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "identity.h"
#include "model.h"

uint8_t __stacks[MAX_HARTS << STACK_SHIFT];
void *leave[5];

model_csrs *hart_csrs(void) { return &model.csrs[model.hart]; }
unsigned hart_id(void) { return model.hart; }
void flush_instruction_cache(void) { model.has_old_instructions = false; }
void flush_tlb(void) { model.has_old_addresses = false; }
void flush_data_cache(void) {
  settle();
  memset(model.cached, 0, sizeof model.cached);
}
void fence_all(void) { settle(); }

static void must(bool holds, const char *what) {
  if (!holds) must_not(what, 0, &counts->others);
}

void enter_exclusive(void) {
  must(!model.is_exclusive, "waits for itself");
  model.is_exclusive = true;
}

void leave_exclusive(void) {
  must(model.is_exclusive && !model.is_stopped, "leaves with harts stopped");
  model.is_exclusive = false;
}

bool is_exclusive(void) { return model.is_exclusive; }

void stop_harts(void) {
  settle();
  must(model.is_exclusive && !model.is_stopped, "stops harts that may stop it");
  model.is_stopped = true;
}

void release_harts(void) {
  settle();
  model.is_stopped = false;
}

void end_run(uint32_t value) {
  if (model.is_honest) must_not("stops the run without a lie:", value, &counts->others);
  counts->stopped++;
  _exit((int)(value >> 16));
}

void go_on(trap_frame *frame) {
  (void)frame;
  settle();
  __builtin_longjmp(leave, 1);
}
void go_on_shown(trap_frame *frame) { go_on(frame); }

// The rest of pass_on is the supervisor's.
void pass_on(uint64_t cause, uint64_t value) {
  if (in_context() && context_trap(cause, &value)) return;
  go_on_shown(own_frame());
}

void delegate(void) {}
void save_floats(float_registers *to) { memset(to, 1, sizeof *to); }
void load_floats(const float_registers *from) { (void)from; }
void zero_floats(void) {}

uint64_t copy_in(void *to, const void *from, uint64_t size, uint64_t status) {
  (void)status;
  settle();
  return model.copy(to, (uint64_t)from, size, false);
}

uint64_t copy_out(void *to, const void *from, uint64_t size, uint64_t status) {
  (void)status;
  settle();
  return model.copy((void *)(uintptr_t)from, (uint64_t)to, size, true);
}

// On that stack
void call_on_stack(uint64_t end, void (*work)(void *argument), void *argument);
__asm__(
    ".text\n"
    ".globl call_on_stack\n"
    "call_on_stack:\n"
    "  push %rbp\n"
    "  mov %rsp, %rbp\n"
    "  mov %rdi, %rsp\n"
    "  mov %rdx, %rdi\n"
    "  call *%rsi\n"
    "  mov %rbp, %rsp\n"
    "  pop %rbp\n"
    "  ret\n");

// BearSSL is not watched.
uint32_t watched_ctr_run(const br_aes_ct64_ctr_keys *keys, const void *counter, uint32_t first, void *data,
                         size_t size) {
  stores((uint64_t)data, size);
  // It may be code
  model.has_old_instructions = true;
  return br_aes_ct64_ctr_run(keys, counter, first, data, size);
}
