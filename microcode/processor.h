// What of a RISC-V hart C has no words for: control and status registers, and fences. On another machine a header of
// the same guard takes the place of this one (tests/contexts/host).
#ifndef HAUBERK_PROCESSOR_H
#define HAUBERK_PROCESSOR_H

#include <stdint.h>

#define READ_CSR(name)                                            \
  ({                                                              \
    uint64_t value_;                                              \
    __asm__ volatile("csrr %0, " #name : "=r"(value_)::"memory"); \
    value_;                                                       \
  })
#define WRITE_CSR(name, value) __asm__ volatile("csrw " #name ", %0" ::"r"((uint64_t)(value)) : "memory")
#define SET_CSR(name, bits) __asm__ volatile("csrs " #name ", %0" ::"r"((uint64_t)(bits)) : "memory")
#define CLEAR_CSR(name, bits) __asm__ volatile("csrc " #name ", %0" ::"r"((uint64_t)(bits)) : "memory")

// Nothing that this hart fetched ahead is executed.
static inline void flush_instruction_cache(void) { __asm__ volatile("fence.i" ::: "memory"); }
// The hart has nothing of page tables in its TLBs.
static inline void flush_tlb(void) { __asm__ volatile("sfence.vma" ::: "memory"); }

#endif
