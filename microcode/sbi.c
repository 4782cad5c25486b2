// The calls of the RISC-V Supervisor Binary Interface that Linux needs: base, timer, interrupts between harts, remote
// fences, harts and system reset. What there is not says so.
#include "machine.h"
#include "tee.h"

#define EXTENSION_BASE 0x10
#define EXTENSION_TIME 0x54494d45
#define EXTENSION_IPI 0x735049
#define EXTENSION_RFENCE 0x52464e43
#define EXTENSION_HSM 0x48534d
#define EXTENSION_SRST 0x53525354

#define SPECIFICATION_VERSION 3            // 0.3, the first with all of these
#define IMPLEMENTATION 0x4861756265726bUL  // "Hauberk", of no registered number

static const uint64_t extensions[] = {EXTENSION_BASE,   EXTENSION_TIME, EXTENSION_IPI,
                                      EXTENSION_RFENCE, EXTENSION_HSM,  EXTENSION_SRST};

static const sbi_result not_supported = {SBI_NOT_SUPPORTED, 0};

static sbi_result value_of(uint64_t value) { return (sbi_result){SBI_SUCCESS, value}; }

static bool is_known(uint64_t extension) {
  for (unsigned i = 0; i < ARRAY_LENGTH(extensions); i++)
    if (extensions[i] == extension) return true;
  return extension == TEE_SBI && has_contexts();
}

static sbi_result base(uint64_t function, uint64_t argument) {
  switch (function) {
    case 0:
      return value_of(SPECIFICATION_VERSION);
    case 1:
      return value_of(IMPLEMENTATION);
    case 2:
      return value_of(1);
    case 3:
      return value_of(is_known(argument));
    case 4:
      return value_of(READ_CSR(mvendorid));
    case 5:
      return value_of(READ_CSR(marchid));
    case 6:
      return value_of(READ_CSR(mimpid));
    default:
      return not_supported;
  }
}

void set_timer(uint64_t time) {
  mmio_write64(CLINT_MTIMECMP_BASE + 8 * hart_id(), time);
  CLEAR_CSR(mip, SUPERVISOR_TIMER);
  SET_CSR(mie, MACHINE_TIMER);
}

static sbi_result remote_fence(uint64_t function, hart_set harts) {
  switch (function) {
    case 0:
      return fence_instructions(harts);
    case 1:  // of addresses, and of address spaces: Rocket has none, so either fences all
    case 2:
      return fence_addresses(harts);
    default:
      return not_supported;
  }
}

static sbi_result hart_state(uint64_t function, uint64_t hart, uint64_t start, uint64_t argument) {
  switch (function) {
    case 0:
      return start_hart(hart, start, argument);
    case 1:
      stop_hart(hart_id());
    case 2:
      return hart_status(hart);
    default:
      return not_supported;
  }
}

// Type 0 is shutting down, for a reason: 0 for none. Everything else is a run that did not end as it should.
static void system_reset(uint32_t type, uint32_t reason) {
  end_run(type == 0 && reason == 0 ? FINISHER_PASS : FINISHER_FAIL | EXIT_CODE_RESET << 16);
}

sbi_result sbi_call(const trap_frame *frame) {
  const uint64_t extension = frame->x[A7], function = frame->x[A6];
  const hart_set harts = {frame->x[A0], frame->x[A1]};
  switch (extension) {
    case EXTENSION_BASE:
      return base(function, frame->x[A0]);
    case EXTENSION_TIME:
      if (function != 0) return not_supported;
      set_timer(frame->x[A0]);
      return value_of(0);
    case EXTENSION_IPI:
      return function == 0 ? send_interrupt(harts) : not_supported;
    case EXTENSION_RFENCE:
      return remote_fence(function, harts);
    case EXTENSION_HSM:
      return hart_state(function, frame->x[A0], frame->x[A1], frame->x[A2]);
    case TEE_SBI:
      return context_call(function, frame->x + A0);
    case EXTENSION_SRST:
      if (function == 0) system_reset((uint32_t)frame->x[A0], (uint32_t)frame->x[A1]);
      return not_supported;
    default:
      return not_supported;
  }
}
