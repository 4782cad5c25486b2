// The chip around the microcode, on this machine: memory, whose answers may be lies, the registers of guard, hasher and
// page clearer, and harts. The compiler calls __tsan_* before each access of the microcode (watch.c). So a register has
// its value, memory answers as it is to, and machine mode is seen where it accesses what it may not.
#ifndef HAUBERK_CONTEXT_MODEL_H
#define HAUBERK_CONTEXT_MODEL_H

#include "contexts.h"

// Numbers of its own: those of the microcode are tried with these
#define PAGE 4096UL
#define DIGEST 4
#define DRAM 0x80000000UL
#define MODEL_PAGE_BITS 10
#define DRAM_PAGES (1UL << MODEL_PAGE_BITS)

// What the rest of machine mode was asked for
typedef struct {
  const char *what;
  uint64_t first, second, third;
} request;

typedef struct {
  unsigned owner[DRAM_PAGES];  // of each page
  unsigned active[MAX_HARTS];
  unsigned hart;  // that runs
  model_csrs csrs[MAX_HARTS];
  uint64_t random;  // state of the generator
  unsigned lies;    // among 256 answers of memory
  bool spares;      // what is nobody's is as it is
  bool is_honest;   // memory never lies: the supervisor alone does not stop the run
  bool must_clear;  // pages that are released must be clear, but for tables that were not written
  bool is_alarm;    // stores to registers are lost
  bool is_exclusive, is_stopped;
  // What the hart that runs has of pages in its caches, and of page tables in its TLB, from before they changed
  enum { NONE, CLEAN, DIRTY } cached[DRAM_PAGES];
  bool has_old_instructions, has_old_addresses;
  uint64_t flushed[MAX_HARTS];  // satp when the TLB was emptied last
  // Stores to DRAM that may not be there yet; the cache was emptied behind all of them; a device was asked since the
  // last fence
  bool has_stores, is_drained, needs_fence;
  uint64_t accesses;  // since it was set to 0
  float_registers floats[MAX_HARTS];
  // With which registers the last trap ended; all but those that are shown are 0 then
  trap_frame *frame;
  bool is_shown;
  request asked;
  unsigned contexts;      // that the hardware has
  bool is_clearer_off;    // it clears nothing
  unsigned fast;          // pages that it cleared fast while the hasher read
  bool is_read_failing;   // memory refuses the hasher's reads
  unsigned draws, empty;  // random words so far; the number of the one that is not there yet
  unsigned others;        // how often another hart will have a lock before this one gets it
  bool has_lock;          // this hart
  uint64_t status;        // bits of mstatus while machine mode copies
  // What a program or the supervisor has where machine mode copies: 0, or the cause of a trap
  uint64_t (*copy)(void *inside, uint64_t address, uint64_t size, bool is_out);
} chip;
extern chip model;

typedef struct {
  uint64_t answers, lies, stopped, writes, releases, endless, others;
} model_counts;
extern model_counts *counts;

void make_model(void);

// chance.c
uint64_t random_word(void);
// One of so many
unsigned any_of(unsigned count);
// What memory may say in the place of this
uint64_t any_lie(uint64_t truth);

// registers.c
// A register at this address was written: what comes of it. Before it is read: its value.
void register_written(uint64_t address);
void register_read(uint64_t address);
bool is_register(uint64_t address);

// devices.c
void hasher_written(uint64_t offset);
void hasher_read(uint64_t offset);
void clearer_written(uint64_t page);
uint64_t clearer_status(void);
// Of a message, as the model's hasher has it, without and with bytes that are no word
void digest_of(const uint64_t *words, unsigned count, uint64_t *digest);
void digest_of_bytes(const uint64_t *words, unsigned count, uint64_t tail, uint64_t bytes, uint64_t *digest);

// watch.c
// From here on; who calls this is at the beginning of its stack.
void watch(void);
// What was written last has its effect, and memory is as it is.
void settle(void);
// Machine mode does what it must never do: it is counted, and the process ends.
void must_not(const char *what, uint64_t where, uint64_t *count) __attribute__((noreturn));
// Machine mode stores to these addresses, or loads.
void stores(uint64_t address, uint64_t size);
void loads(uint64_t address, uint64_t size);

// machine.c
// A hart leaves machine mode: nothing of before is in its caches.
void check_caches(void);
// go_on, go_on_shown and a trap that is passed on come here, with longjmp.
extern void *leave[5];

static inline uint64_t *words_at(uint64_t page) { return (uint64_t *)page; }
static inline unsigned number_of(uint64_t page) { return (unsigned)((page - DRAM) / PAGE); }
static inline bool is_in_dram(uint64_t address) { return address - DRAM < DRAM_PAGES * PAGE; }

#endif
