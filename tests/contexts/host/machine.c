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
void flush_tlb(void) {
  model.has_old_addresses = false;
  model.flushed[model.hart] = hart_csrs()->satp;
}
void flush_data_cache(void) {
  settle();
  model.is_drained = !model.has_stores;
  memset(model.cached, 0, sizeof model.cached);
}
void fence_all(void) {
  settle();
  model.has_stores = model.needs_fence = false;
}

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
  must((value & 0xffff) == (value >> 16 ? 0x3333 : 0x5555), "ends the run with neither a code nor success");
  counts->stopped++;
  _exit((int)(value >> 16));
}

void check_caches(void) {
  settle();
  must(!model.has_old_instructions, "goes on with instructions of before");
  must(!model.has_old_addresses && model.flushed[model.hart] == hart_csrs()->satp, "goes on with addresses of before");
}

__attribute__((noreturn)) static void leave_machine_mode(trap_frame *frame, bool is_shown) {
  settle();
  model.frame = frame;
  model.is_shown = is_shown;
  __builtin_longjmp(leave, 1);
}
void go_on(trap_frame *frame) { leave_machine_mode(frame, false); }
void go_on_shown(trap_frame *frame) { leave_machine_mode(frame, true); }

static float_registers *floats(void) {
  must(hart_csrs()->mstatus >> 13 & 3, "uses registers of floating point that are off");
  return &model.floats[model.hart];
}
void save_floats(float_registers *to) { *to = *floats(); }
void load_floats(const float_registers *from) { *floats() = *from; }
void zero_floats(void) { memset(floats(), 0, sizeof(float_registers)); }

// harts.c is tested alone (harts.c).
static sbi_result asked(const char *what, uint64_t first, uint64_t second, uint64_t third) {
  model.asked = (request){what, first, second, third};
  return (sbi_result){-77, 78};
}

sbi_result start_hart(uint64_t hart, uint64_t start, uint64_t argument) {
  return asked("start", hart, start, argument);
}
sbi_result hart_status(uint64_t hart) { return asked("status", hart, 0, 0); }
sbi_result send_interrupt(hart_set harts) { return asked("interrupt", harts.mask, harts.base, 0); }
sbi_result fence_instructions(hart_set harts) { return asked("instructions", harts.mask, harts.base, 0); }
sbi_result fence_addresses(hart_set harts) { return asked("addresses", harts.mask, harts.base, 0); }
void serve_requests(unsigned hart) { asked("requests", hart, 0, 0); }
void stop_hart(unsigned hart) {
  asked("stop", hart, 0, 0);
  __builtin_longjmp(leave, 1);
}
void print(const char *format, ...) { (void)format; }

uint64_t copy_in(void *to, const void *from, uint64_t size, uint64_t status) {
  settle();
  model.status = status;
  return model.copy(to, (uint64_t)from, size, false);
}

uint64_t copy_out(void *to, const void *from, uint64_t size, uint64_t status) {
  settle();
  model.status = status;
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
