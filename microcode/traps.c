// Traps that reach machine mode: calls, the timer, other harts, misaligned accesses, illegal instructions, of which
// rdtime is done here, and all traps of secure contexts.
#include "machine.h"

#define CLINT_MTIME 0x200bff8

#define INTERRUPT (1UL << 63)
#define CAUSE_SOFTWARE (INTERRUPT | 3)
#define CAUSE_TIMER (INTERRUPT | 7)
#define CAUSE_ILLEGAL_INSTRUCTION 2
#define CAUSE_LOAD_MISALIGNED 4
#define CAUSE_STORE_MISALIGNED 6
#define CAUSE_SUPERVISOR_CALL 9

#define STATUS_SIE (1UL << 1)
#define STATUS_SPIE (1UL << 5)
#define STATUS_SPP (1UL << 8)
#define STATUS_MPP_SUPERVISOR (1UL << 11)

// What may only be executed is loaded, too.
#define TO_FETCH (STATUS_MPRV | STATUS_MXR)

// What follows a compressed instruction may be on a page that is not there.
uint64_t instruction_at(uint64_t address, uint32_t *instruction) {
  uint16_t low, high = 0;
  uint64_t fault = copy_in(&low, (const void *)address, 2, TO_FETCH);
  if (!fault && (low & 3) == 3) fault = copy_in(&high, (const void *)(address + 2), 2, TO_FETCH);
  *instruction = low | (uint32_t)high << 16;
  return fault;
}

// csrrs rd, time, x0
static bool is_rdtime(uint32_t instruction) { return (instruction & 0xfffff07f) == 0xc0102073; }

void delegate(void) {
  // All is the supervisor's own business, but for illegal instructions, of which rdtime is one, misaligned accesses,
  // and calls
  WRITE_CSR(medeleg, 0xb1ab);
  WRITE_CSR(mideleg, SUPERVISOR_SOFTWARE | SUPERVISOR_TIMER | SUPERVISOR_EXTERNAL);
}

void pass_on(uint64_t cause, uint64_t value) {
  const bool is_context = in_context();
  if (is_context && context_trap(cause, &value)) return;
  const uint64_t status = READ_CSR(mstatus);
  const uint64_t from_supervisor = status & STATUS_MPP_SUPERVISOR ? STATUS_SPP : 0;
  const uint64_t enabled = status & STATUS_SIE ? STATUS_SPIE : 0;
  WRITE_CSR(sepc, READ_CSR(mepc));
  WRITE_CSR(scause, cause);
  WRITE_CSR(stval, value);
  CLEAR_CSR(mstatus, STATUS_SIE | STATUS_SPIE | STATUS_SPP | STATUS_MPP);
  SET_CSR(mstatus, from_supervisor | enabled | STATUS_MPP_SUPERVISOR);
  WRITE_CSR(mepc, READ_CSR(stvec) & ~3UL);
  if (is_context) go_on_shown(own_frame());
}

static void illegal_instruction(trap_frame *frame) {
  const uint64_t pc = READ_CSR(mepc);
  // Rocket says which one it is; 0 is what a hart says that does not
  uint32_t instruction = (uint32_t)READ_CSR(mtval);
  const uint64_t fault = instruction ? 0 : instruction_at(pc, &instruction);
  if (fault || !is_rdtime(instruction)) {
    if (fault || !context_instruction(frame, instruction))
      pass_on(fault ? fault : CAUSE_ILLEGAL_INSTRUCTION, fault ? READ_CSR(mtval) : instruction);
    return;
  }
  const unsigned destination = instruction >> 7 & 31;
  if (destination) frame->x[destination] = mmio_read64(CLINT_MTIME);
  WRITE_CSR(mepc, pc + 4);
}

static void supervisor_call(trap_frame *frame) {
  WRITE_CSR(mepc, READ_CSR(mepc) + 4);
  const sbi_result result = sbi_call(frame);
  frame->x[A0] = (uint64_t)result.error;
  frame->x[A1] = result.value;
}

void die_of_trap(uint64_t cause, uint64_t pc, uint64_t value) {
  print("machine mode: trap on hart %u: cause %lu epc 0x%lx tval 0x%lx\n", hart_id(), cause, pc, value);
  end_run(FINISHER_FAIL | (EXIT_CODE_TRAP | (uint32_t)(cause & 0x7f)) << 16);
}

// The frame to go on with
trap_frame *serve_trap(trap_frame *frame) {
  const uint64_t cause = READ_CSR(mcause);
  switch (cause) {
    case CAUSE_SOFTWARE:
      serve_requests(hart_id());
      break;
    case CAUSE_TIMER:
      CLEAR_CSR(mie, MACHINE_TIMER);
      SET_CSR(mip, SUPERVISOR_TIMER);
      break;
    case CAUSE_ILLEGAL_INSTRUCTION:
      illegal_instruction(frame);
      break;
    case CAUSE_LOAD_MISALIGNED:
    case CAUSE_STORE_MISALIGNED:
      serve_misaligned(frame, cause);
      break;
    case CAUSE_SUPERVISOR_CALL:
      supervisor_call(frame);
      break;
    default:
      // Of a context, or access faults, which Rocket does not delegate
      if (!(cause & INTERRUPT))
        pass_on(cause, READ_CSR(mtval));
      else if (!in_context())
        die_of_trap(cause, READ_CSR(mepc), READ_CSR(mtval));
  }
  if (in_context()) context_interrupts();
  return present_frame();
}
