// What a program sees of the runtime. A program is one file with a main(), which runs on hart 0 alone; the other harts
// sleep until on_every_hart() or the exit wakes them. When main returns, the runtime prints the checksum of the results
// and the cycles of the measured kernel, and ends the simulation with main's value as the exit code.
#ifndef HAUBERK_H
#define HAUBERK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "platform.h"

#define CACHE_LINE 64

// Results are what the checker looks for in DRAM and what the checksum covers: never a time, so that runs can be
// compared.
#ifdef HOSTED
#define RESULTS __attribute__((section("hauberk_results"), aligned(8), used))
#define NOINIT __attribute__((aligned(CACHE_LINE)))
#define CYCLES "cycle"
#define INSTRUCTIONS "instret"
#else
#define RESULTS __attribute__((section(".results"), aligned(8), used))
// Working sets are not zeroed at start: clearing them would cost more than some kernels.
#define NOINIT __attribute__((section(".noinit"), aligned(CACHE_LINE)))
#define CYCLES "mcycle"
#define INSTRUCTIONS "minstret"
#endif

#define ARRAY_LENGTH(array) (sizeof(array) / sizeof((array)[0]))

// print.c
void print(const char *format, ...) __attribute__((format(printf, 1, 2)));

// exit.c: ends the program with `what` on the UART unless `holds`.
void expect(bool holds, const char *what);
void exit_program(unsigned code) __attribute__((noreturn));

// measure.c: kernel_begin/kernel_end may be called several times; the cycles add up.
void kernel_begin(void);
void kernel_end(void);
uint64_t kernel_cycles(void);
uint64_t kernel_instructions(void);

static inline uint64_t read_cycles(void) {
  uint64_t value;
#ifdef CYCLES_PER_TICK
  // A hart counts its own cycles, and none while it waits for an interrupt; time is the same for all that a program
  // moves among
  __asm__ volatile("rdtime %0" : "=r"(value)::"memory");
  return value * CYCLES_PER_TICK;
#else
  __asm__ volatile("csrr %0, " CYCLES : "=r"(value)::"memory");
  return value;
#endif
}

static inline uint64_t read_instructions(void) {
  uint64_t value;
  __asm__ volatile("csrr %0, " INSTRUCTIONS : "=r"(value)::"memory");
  return value;
}

// hash.c
#define FNV_OFFSET 0xcbf29ce484222325UL
#define FNV_PRIME 0x100000001b3UL
uint64_t fnv1a(uint64_t hash, const void *data, size_t size);

// A random-looking 64-bit value for each index (the finalizer of splitmix64). Being a function of the index, it lets a
// check recompute any element of a working set without reading the working set.
static inline uint64_t mix64(uint64_t index) {
  uint64_t z = (index + 1) * 0x9e3779b97f4a7c15UL;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9UL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebUL;
  return z ^ (z >> 31);
}

// sealed.c: has the pages that this program's notes name decrypted, for this hart and the others, which must execute
// FENCE.I before they run any of them. A number of sealed.h: 0 when it is done, or when nothing is sealed.
int unseal(void);
const char *unseal_error(int error);

// harts.c
unsigned hart_count(void);
// Runs work(hart, harts) on all harts, hart 0 included, and returns when all have finished.
void on_every_hart(void (*work)(unsigned hart, unsigned harts));

typedef struct {
  _Alignas(CACHE_LINE) volatile uint32_t locked;
} spin_lock;

void spin_acquire(spin_lock *lock);
void spin_release(spin_lock *lock);

// Zero-initialised and reusable: the generation tells one use from the next.
typedef struct {
  _Alignas(CACHE_LINE) volatile uint32_t arrived;
  volatile uint32_t generation;
} barrier;

void barrier_wait(barrier *meeting, unsigned harts);

// string.c: the compiler may call these for any program.
void *memcpy(void *restrict to, const void *restrict from, size_t size);
void *memmove(void *to, const void *from, size_t size);
void *memset(void *to, int value, size_t size);
int memcmp(const void *left, const void *right, size_t size);

#endif
