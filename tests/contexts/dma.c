// What the guard of secure contexts gives and keeps from a DMA master, which the SoC has by WithTestDma: all of memory
// before it is opened to others; a page of a context for as long as it is one.
#include "dma.h"
#include "hauberk.h"
#include "registers.h"

#define PAGE 4096
#define WORDS (PAGE / 8)
// On the chip, for everybody to read
#define ROM 0x10000UL
#define NOWHERE (1UL << 40)

static uint64_t from[WORDS] __attribute__((section(".noinit"), aligned(PAGE)));
static uint64_t to[WORDS] __attribute__((section(".noinit"), aligned(PAGE)));
static RESULTS uint64_t left[WORDS];

static volatile uint64_t *at(uintptr_t offset) { return (volatile uint64_t *)(CONTEXTS_BASE + offset); }

// Writes the data cache back, and empties it
static void flush(void) { __asm__ volatile("fence\n.word 0xfc000073\nfence\nfence.i" ::: "memory"); }

// Gives a page to a context, or makes it nobody's
static void change_owner(const uint64_t *page, uint64_t change) {
  flush();
  *at(CONTEXTS_OWNER) = (uintptr_t)page | change;
  while (*at(CONTEXTS_OWNER) & CONTEXTS_OWNER_BUSY) {
  }
  expect(!(*at(CONTEXTS_OWNER) & CONTEXTS_OWNER_REFUSED), "the page gets and loses its owner");
}

static void become(uint64_t spid) {
  flush();
  volatile uint64_t *active = at(CONTEXTS_TILE + CONTEXTS_TILE_ACTIVE);
  *active = spid;
  while (*active != spid) {
  }
  __asm__ volatile("fence.i" ::: "memory");
}

static void fill(uint64_t *page, uint64_t seed) {
  for (unsigned i = 0; i < WORDS; i++) page[i] = seed ? mix64(seed + i) : 0;
}

static bool holds(const uint64_t *page, unsigned begin, unsigned end, uint64_t seed) {
  bool all = true;
  for (unsigned i = begin; i < end; i++) all &= page[i] == (seed ? mix64(seed + i) : 0);
  return all;
}

// A copy of a page of a context ends where the page got its owner, and what was read before is all that comes.
static void stops_midway(void) {
  fill(from, 3);
  fill(to, 0);
  flush();
  dma_begin((uintptr_t)from, (uintptr_t)to, PAGE);
  for (volatile unsigned i = 0; i < 100; i++) {
  }
  change_owner(from, 1);
  expect(dma_end() == DMA_STATUS_DENIED_READ, "a copy that is under way is denied the page");
  unsigned copied = 0;
  while (copied < WORDS && to[copied]) copied++;
  expect(0 < copied && copied < WORDS, "the copy was under way");
  expect(holds(to, 0, copied, 3) && holds(to, copied, WORDS, 0), "nothing of it comes later");
  change_owner(from, CONTEXTS_OWNER_RELEASE | 1);
}

int main(void) {
  fill(from, 1);
  fill(to, 0);
  kernel_begin();
  expect(dma_copy((uintptr_t)from, (uintptr_t)to, PAGE) == DMA_STATUS_DENIED_READ, "memory is closed: no read");
  expect(dma_copy(ROM, (uintptr_t)to, PAGE) == DMA_STATUS_DENIED_WRITE, "memory is closed: no write");
  expect(holds(to, 0, WORDS, 0), "nothing came to memory");
  *at(CONTEXTS_OTHERS) = CONTEXTS_OTHERS_OPEN;
  expect(dma_copy(NOWHERE, (uintptr_t)to, 8) == DMA_STATUS_DENIED_READ, "there is nothing to read");
  expect(dma_copy((uintptr_t)from, NOWHERE, 8) == DMA_STATUS_DENIED_WRITE, "there is nothing to write");
  expect(dma_copy((uintptr_t)from, (uintptr_t)to, 0) == 0, "nothing is copied");
  expect(holds(to, 0, WORDS, 0), "nothing was copied");
  expect(dma_copy((uintptr_t)from, (uintptr_t)to, PAGE) == 0, "memory is open");
  expect(holds(to, 0, WORDS, 1), "the copy is right");
  fill(to, 0);
  change_owner(from, 1);
  expect(dma_copy((uintptr_t)from, (uintptr_t)to, PAGE) == DMA_STATUS_DENIED_READ, "no read of a context's page");
  expect(holds(to, 0, WORDS, 0), "nothing of it came");
  expect(dma_copy((uintptr_t)to, (uintptr_t)from, PAGE) == DMA_STATUS_DENIED_WRITE, "no write of a context's page");
  become(1);
  expect(holds(from, 0, WORDS, 1), "the context finds its page as it left it");
  become(0);
  expect(dma_copy(MICROCODE_BASE, (uintptr_t)to, 8) == DMA_STATUS_DENIED_READ, "no read of the microcode");
  expect(dma_copy((uintptr_t)to, MICROCODE_BASE, 8) == DMA_STATUS_DENIED_WRITE, "no write of the microcode");
  expect(dma_copy(CONTEXTS_BASE, (uintptr_t)to, 8) == DMA_STATUS_DENIED_READ, "no read of the guard's registers");
  expect(dma_copy((uintptr_t)to, CONTEXTS_BASE + CONTEXTS_OWNER, 8) == DMA_STATUS_DENIED_WRITE, "no write of them");
  change_owner(from, CONTEXTS_OWNER_RELEASE | 1);
  expect(dma_copy((uintptr_t)from, (uintptr_t)to, PAGE) == 0 && holds(to, 0, WORDS, 1), "the page is nobody's again");
  stops_midway();
  kernel_end();
  for (unsigned i = 0; i < WORDS; i++) left[i] = from[i];
  return 0;
}
