// What the compiler calls before each access of the microcode. It is compiled as for ThreadSanitizer, which is not
// linked.
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model.h"

#define MOST_ACCESSES (1UL << 20)  // of an operation: it would never end
#define STACK_BYTES (8UL << 20)

static uint64_t stack;

chip model;
model_counts *counts;
extern const uint8_t __executable_start[], _end[];

// A register that the next access finds written, and a word that is not as it was answered, or a store that is lost
static uint64_t written, lied_at, truth;

void watch(void) { stack = (uint64_t)__builtin_frame_address(0); }

void must_not(const char *what, uint64_t where, uint64_t *count) {
  ++*count;
  printf("machine mode %s 0x%lx\n", what, where);
  fflush(stdout);
  _exit(3);
}

// What devices had on this stack is no trace of the microcode's.
static __attribute__((noinline)) void wipe(void) {
  volatile uint64_t below[128];
  for (unsigned i = 0; i < ARRAY_LENGTH(below); i++) below[i] = 0;
}

void settle(void) {
  const uint64_t address = written, lied = lied_at;
  written = lied_at = 0;
  if (lied) *words_at(lied) = truth;
  if (address) {
    register_written(address);
    wipe();
  }
}

static bool is_inside(uint64_t address, uint64_t size) {
  if (address >= (uint64_t)__executable_start && address + size <= (uint64_t)_end) return true;
  return address > stack - STACK_BYTES && address < stack + STACK_BYTES;
}

static void count_access(void) {
  if (++model.accesses > MOST_ACCESSES) must_not("does not come to an end: accesses", model.accesses, &counts->endless);
}

static void use_dram(uint64_t address) {
  if (model.needs_fence) must_not("accesses memory before a fence, at", address, &counts->others);
}

static bool is_table(unsigned spid, uint64_t page) {
  for (unsigned i = 0; i < contexts[spid - 1].tables; i++)
    if (contexts[spid - 1].table[i] == page) return true;
  return false;
}

void stores(uint64_t address, uint64_t size) {
  settle();
  count_access();
  if (is_in_dram(address) && is_in_dram(address + size - 1)) {
    const unsigned owner = model.owner[number_of(address)];
    use_dram(address);
    model.has_stores = true;
    model.is_drained = false;
    if (!owner || owner != model.active[model.hart] || owner != model.owner[number_of(address + size - 1)])
      must_not("writes to a page that is not the context's,", address, &counts->writes);
    model.cached[number_of(address)] = model.cached[number_of(address + size - 1)] = DIRTY;
    model.has_old_addresses |= is_table(owner, address & ~(PAGE - 1UL));
  } else if (size == 8 && is_register(address)) {
    if (model.is_alarm) {
      lied_at = address;
      truth = *words_at(address);
    } else {
      written = address;
    }
  } else if (!is_inside(address, size)) {
    must_not("writes where memory says, to", address, &counts->writes);
  }
}

void loads(uint64_t address, uint64_t size) {
  settle();
  count_access();
  if (is_in_dram(address) && is_in_dram(address + size - 1)) {
    const unsigned owner = model.owner[number_of(address)], active = model.active[model.hart];
    const uint64_t word = address & ~7UL;
    const bool is_denied = owner && owner != active;
    use_dram(address);
    counts->answers++;
    if (!model.cached[number_of(address)]) model.cached[number_of(address)] = CLEAN;
    if (!is_denied && ((model.spares && !owner) || any_of(256) >= model.lies)) return;
    lied_at = word;
    truth = *words_at(word);
    // What another context has reads as ones
    *words_at(word) = is_denied ? ~0UL : any_lie(truth);
    counts->lies += !is_denied;
  } else if (size == 8 && is_register(address)) {
    register_read(address);
  } else if (!is_inside(address, size)) {
    must_not("reads where memory says, from", address, &counts->others);
  }
}

void *watched_memset(void *to, int value, size_t size) {
  stores((uint64_t)to, size);
  return memset(to, value, size);
}

void *watched_memcpy(void *to, const void *from, size_t size) {
  loads((uint64_t)from, size);
  memcpy(to, from, size);
  stores((uint64_t)to, size);
  return memcpy(to, from, size);
}

#define WATCH(kind, size)                                                   \
  void __tsan_##kind##read##size(void *at) { loads((uint64_t)at, size); }   \
  void __tsan_##kind##write##size(void *at) { stores((uint64_t)at, size); } \
  void __tsan_##kind##read##size(void *at);                                 \
  void __tsan_##kind##write##size(void *at)
#define WATCH_SIZES(kind) \
  WATCH(kind, 1);         \
  WATCH(kind, 2);         \
  WATCH(kind, 4);         \
  WATCH(kind, 8);         \
  WATCH(kind, 16)
WATCH_SIZES();
WATCH_SIZES(volatile_);
WATCH_SIZES(unaligned_);
void __tsan_read_range(void *at, uint64_t size) { loads((uint64_t)at, size); }
void __tsan_write_range(void *at, uint64_t size) { stores((uint64_t)at, size); }
void __tsan_init(void) {}

// Of locks
uint32_t __tsan_atomic32_exchange(uint32_t *at, uint32_t value, int order) {
  (void)order;
  stores((uint64_t)at, sizeof *at);
  const uint32_t before = *at;
  if (model.others) {
    model.others--;
    return 1;
  }
  *at = value;
  model.has_lock |= !before;
  return before;
}

void __tsan_atomic32_store(uint32_t *at, uint32_t value, int order) {
  (void)order;
  stores((uint64_t)at, sizeof *at);
  if (model.needs_fence) must_not("gives a lock back before a fence, at", (uint64_t)at, &counts->others);
  *at = value;
  model.has_lock = false;
}
