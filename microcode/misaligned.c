// Loads and stores at addresses that are no multiple of their size, which Rocket leaves to its firmware, and Linux too:
// its module loader makes some. Those of floating-point registers are the supervisor's business.
#include "machine.h"

typedef struct {
  bool is_store, is_signed;
  unsigned size;    // 0 for what is neither load nor store
  unsigned number;  // of the register
} memory_access;

static memory_access long_form(uint32_t instruction) {
  const unsigned kind = instruction >> 12 & 7;
  const memory_access load = {false, kind < 4, 1u << (kind & 3), instruction >> 7 & 31};
  const memory_access store = {true, false, 1u << (kind & 3), instruction >> 20 & 31};
  switch (instruction & 0x7f) {
    case 0x03:
      return load;
    case 0x23:
      return store;
    default:
      return (memory_access){0};
  }
}

// c.lw, c.ld, c.sw, c.sd, and the same from the stack pointer
static memory_access short_form(uint32_t instruction) {
  const unsigned kind = instruction >> 13 & 7, quadrant = instruction & 3;
  const bool is_store = kind & 4;
  const unsigned near = 8 + (instruction >> 2 & 7);
  const unsigned far = is_store ? instruction >> 2 & 31 : instruction >> 7 & 31;
  if (quadrant == 1 || !(kind & 2)) return (memory_access){0};
  return (memory_access){is_store, true, kind & 1 ? 8 : 4, quadrant == 0 ? near : far};
}

static uint64_t extended(uint64_t value, memory_access access) {
  const unsigned unused = 64 - 8 * access.size;
  return access.is_signed ? (uint64_t)((int64_t)(value << unused) >> unused) : value << unused >> unused;
}

void serve_misaligned(trap_frame *frame, uint64_t cause) {
  const uint64_t pc = READ_CSR(mepc), address = READ_CSR(mtval);
  uint32_t instruction;
  const uint64_t instruction_fault = instruction_at(pc, &instruction);
  if (instruction_fault) {
    pass_on(instruction_fault, READ_CSR(mtval));
    return;
  }
  const bool is_long = (instruction & 3) == 3;
  const memory_access access = is_long ? long_form(instruction) : short_form(instruction);
  if (!access.size) {
    pass_on(cause, address);
    return;
  }
  uint64_t value = frame->x[access.number];
  const uint64_t fault = access.is_store ? copy_out((void *)address, &value, access.size, STATUS_MPRV)
                                         : copy_in(&value, (const void *)address, access.size, STATUS_MPRV);
  if (fault) {
    pass_on(fault, READ_CSR(mtval));
    return;
  }
  if (!access.is_store && access.number) frame->x[access.number] = extended(value, access);
  WRITE_CSR(mepc, pc + (is_long ? 4 : 2));
}
