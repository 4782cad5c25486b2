// What the parts of the runtime owe each other; programs use hauberk.h.
#ifndef HAUBERK_INTERNAL_H
#define HAUBERK_INTERNAL_H

#include <stdbool.h>
#include <stdint.h>

#include "platform.h"

static inline unsigned hart_id(void) {
  unsigned long value;
  __asm__ volatile("csrr %0, mhartid" : "=r"(value));
  return (unsigned)value;
}

static inline void fence_all(void) { __asm__ volatile("fence iorw, iorw" ::: "memory"); }

static inline void wait_for_interrupt(void) { __asm__ volatile("wfi" ::: "memory"); }

static inline void set_software_interrupt(unsigned hart, uint32_t pending) {
  mmio_write32(CLINT_MSIP_BASE + 4 * hart, pending);
}

static inline bool software_interrupt_pending(void) {
  unsigned long pending;
  __asm__ volatile("csrr %0, mip" : "=r"(pending)::"memory");
  return pending & 8;
}

static inline void enable_interrupts(void) { __asm__ volatile("csrsi mstatus, 8" ::: "memory"); }
static inline void disable_interrupts(void) { __asm__ volatile("csrci mstatus, 8" ::: "memory"); }

// Writes this hart's L1 data cache back to DRAM and leaves it empty.
static inline void flush_data_cache(void) {
#ifdef HAS_CACHE_FLUSH
  __asm__ volatile(".word 0xfc000073" ::: "memory");  // CFLUSH.D.L1 x0: all lines; waits for the last release's ack
#endif
  fence_all();
}

#ifdef HTIF
// htif.c: hands a message to the host once it has taken the one before.
void htif_send(uint64_t message);
#define HTIF_CONSOLE (1UL << 56 | 1UL << 48)  // write a character
#define HTIF_EXIT(code) ((code) << 1 | 1)
#endif

#ifdef HOSTED
// Of print; without an operating system it is the UART's or the host's.
void print_character(char character);
#endif

// harts.c: returns once every other hart waits for work.
void await_harts(void);

// exit.c: set for good by the first hart that exits.
extern volatile uint32_t exit_requested;
void follow_exit(void) __attribute__((noreturn));

// crt0.S: flushes this hart's cache and the protector's counters, then writes `value` to the finisher; touches no DRAM.
// With HTIF, the value is the last message to the host.
void finish(uint32_t value, uintptr_t protector) __attribute__((noreturn));

// Entered from crt0.S.
void start_hart0(void) __attribute__((noreturn));
void serve_work(void) __attribute__((noreturn));
void handle_trap(uint64_t cause, uint64_t pc, uint64_t value) __attribute__((noreturn));

#endif
