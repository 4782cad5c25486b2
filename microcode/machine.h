// What the parts of machine mode owe each other.
#ifndef HAUBERK_MACHINE_H
#define HAUBERK_MACHINE_H

#include "hauberk.h"
#include "internal.h"
#include "processor.h"

// Exit codes of a run that Linux did not end by powering off.
#define EXIT_CODE_RESET 0x71  // it asked for a reset, as it does when it panics
#define EXIT_CODE_STACK 0x72  // what computes with keys needed more than a page
#define EXIT_CODE_PAGES 0x73  // memory does not name all pages of a context that ends
#define EXIT_CODE_TRAP 0x80   // the firmware itself trapped; plus the cause

#define SUPERVISOR_SOFTWARE (1UL << 1)  // bits of mip and mie
#define MACHINE_SOFTWARE (1UL << 3)
#define SUPERVISOR_TIMER (1UL << 5)
#define MACHINE_TIMER (1UL << 7)
#define SUPERVISOR_EXTERNAL (1UL << 9)

// The registers of whom a trap interrupted, x0 to x31; what is in them goes back there. A context has a frame of its
// own; all else that a hart runs has the hart's.
typedef struct {
  uint64_t x[32];
} trap_frame;
enum { RA = 1, SP, S1 = 9, A0, A1, A2, A3, A4, A5, A6, A7 };

// Bits of mstatus: whom the trap interrupted, accesses are as it, and what may be executed may be read.
#define STATUS_MPP (3UL << 11)
#define STATUS_MPRV (1UL << 17)
#define STATUS_MXR (1UL << 19)

// access.S
// work(argument) on a stack that ends there
void call_on_stack(uint64_t end, void (*work)(void *argument), void *argument);
uint64_t copy_in(void *to, const void *from, uint64_t size, uint64_t status);
uint64_t copy_out(void *to, const void *from, uint64_t size, uint64_t status);

// traps.c
// 0, or the cause of the trap that a fetch took.
uint64_t instruction_at(uint64_t address, uint32_t *instruction);
// The supervisor takes a trap as if it had been delegated. Of a context, this does not return.
void pass_on(uint64_t cause, uint64_t value);
// What the supervisor gets of its traps itself
void delegate(void);

// misaligned.c
void serve_misaligned(trap_frame *frame, uint64_t cause);

// What an SBI call gives back.
typedef struct {
  int64_t error;
  uint64_t value;
} sbi_result;
#define SBI_SUCCESS 0
#define SBI_NOT_SUPPORTED (-2)
#define SBI_INVALID_PARAMETER (-3)
#define SBI_ALREADY_AVAILABLE (-6)

// The harts that a call names: bit i of mask is hart base + i, and a base of -1 means all.
typedef struct {
  uint64_t mask, base;
} hart_set;

// entry.S
// The hart's, at the top of its stack
static inline trap_frame *own_frame(void) {
  extern uint8_t __stacks[];
  _Static_assert(sizeof(trap_frame) == 256, "FRAME of entry.S");
  return (trap_frame *)(__stacks + ((uint64_t)(hart_id() + 1) << STACK_SHIFT)) - 1;
}
// Out of machine mode, from wherever its stack is
void go_on(trap_frame *frame) __attribute__((noreturn));
// The same, with 0 in all but sp, s1, and a0 to a7
void go_on_shown(trap_frame *frame) __attribute__((noreturn));
void enter_supervisor(unsigned hart, uint64_t start, uint64_t argument) __attribute__((noreturn));
// Leaves this hart's stack behind, so that it never grows, and goes on in wait_for_start.
void leave_stack(unsigned hart) __attribute__((noreturn));

// sbi.c
sbi_result sbi_call(const trap_frame *frame);
void set_timer(uint64_t time);

// harts.c
void wait_for_start(unsigned hart) __attribute__((noreturn));
void stop_hart(unsigned hart) __attribute__((noreturn));
sbi_result start_hart(uint64_t hart, uint64_t start, uint64_t argument);
sbi_result hart_status(uint64_t hart);
sbi_result send_interrupt(hart_set harts);
// Executes fence.i or sfence.vma on other harts, and on this one if it is among them.
sbi_result fence_instructions(hart_set harts);
sbi_result fence_addresses(hart_set harts);
// Does what other harts asked this one for.
void serve_requests(unsigned hart);
// Stops all other harts, with their data caches empty, until release_harts. Only who is exclusive may.
void stop_harts(void);
void release_harts(void);
// Of what only one hart may do at a time. A hart that waits serves the others.
void enter_exclusive(void);
void leave_exclusive(void);
// This hart is
bool is_exclusive(void);
// Ends the run with this value in the finisher, after all harts have written back their caches.
void end_run(uint32_t value) __attribute__((noreturn));

// What secure contexts add to machine mode (contexts.h); the firmware of a SoC without them links none.c.

bool has_contexts(void);
// Closes to all but machine mode what is only its own, by the first PMP entries.
void contexts_close(void);
// Opens memory to other masters than harts: what machine mode runs from is on the chip.
void contexts_open(void);
// Machine mode was entered from a secure context, on this hart.
bool in_context(void);
// The frame of the hart's context, or the hart's own
trap_frame *present_frame(void);
// A trap of a context that is the supervisor's: true if it needs none, and the context goes on. Otherwise, the context
// is put away, and mepc and *value are what the supervisor may see; so is what go_on_shown loads of the hart's own
// frame.
bool context_trap(uint64_t cause, uint64_t *value);
// The supervisor's interrupts come first: if there are any, this does not return.
void context_interrupts(void);
// A custom-0 instruction: true if it is done.
bool context_instruction(trap_frame *frame, uint32_t instruction);
// The supervisor's own calls (tee.h)
sbi_result context_call(uint64_t function, const uint64_t *arguments);
// The supervisor has changed its page tables.
void context_fence(void);

#endif
