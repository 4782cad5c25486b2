// In the place of microcode/processor.h and tests/runtime/internal.h, for the microcode on this machine: what a RISC-V
// hart has is a model's (model.h), which sees the order of what changes caches and TLBs.
#ifndef HAUBERK_PROCESSOR_H
#define HAUBERK_PROCESSOR_H
#define HAUBERK_INTERNAL_H

#include <stdbool.h>
#include <stdint.h>

typedef struct {
  uint64_t marchid, mcause, mcounteren, medeleg, mepc, mideleg, mie, mimpid, mip, mstatus, mtval, mvendorid, pmpaddr0,
      pmpaddr1, pmpaddr7, pmpcfg0, satp, scause, scounteren, sepc, stval, stvec;
} model_csrs;
model_csrs *hart_csrs(void);

#define READ_CSR(name) (hart_csrs()->name)
#define WRITE_CSR(name, value) ((void)(hart_csrs()->name = (value)))
#define SET_CSR(name, bits) ((void)(hart_csrs()->name |= (bits)))
#define CLEAR_CSR(name, bits) ((void)(hart_csrs()->name &= ~(uint64_t)(bits)))

unsigned hart_id(void);
void flush_instruction_cache(void);
void flush_tlb(void);
void flush_data_cache(void);
void fence_all(void);
void wait_for_interrupt(void);
void set_software_interrupt(unsigned hart, uint32_t pending);
void finish(uint32_t value, uintptr_t protector) __attribute__((noreturn));

#endif
