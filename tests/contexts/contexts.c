// What the guard of secure contexts gives and keeps from a core and its caches. Every hart is a stranger to a page of
// context 1 first, then context 1 itself, then both once more; the hasher reads the page between. Strangers must read
// ones, run nothing and change nothing; the context must find its page as it left it.
#include "hauberk.h"
#include "registers.h"

#define PAGE 4096
#define WORDS (PAGE / 8)
#define LI_A0_1_RET 0x80824505u
#define ACCESS_FAULT 1

static uint64_t page[WORDS] __attribute__((section(".noinit"), aligned(PAGE)));
static RESULTS uint64_t left[WORDS];
static RESULTS uint64_t failures;

static volatile uint64_t *at(uintptr_t offset) { return (volatile uint64_t *)(CONTEXTS_BASE + offset); }

// Writes the data cache back, and empties it
static void flush(void) { __asm__ volatile("fence\n.word 0xfc000073\nfence\nfence.i" ::: "memory"); }

// Gives the page to a context, or makes it nobody's
static void change_owner(uint64_t change) {
  *at(CONTEXTS_OWNER) = (uintptr_t)page | change;
  while (*at(CONTEXTS_OWNER) & CONTEXTS_OWNER_BUSY) {
  }
  expect(!(*at(CONTEXTS_OWNER) & CONTEXTS_OWNER_REFUSED), "the page gets and loses its owner");
}

// Makes this hart's accesses those of a context. Nothing of what it was before stays in its cache.
static void become(unsigned hart, uint64_t spid) {
  flush();
  volatile uint64_t *active = at(CONTEXTS_TILE + hart * CONTEXTS_TILE_STRIDE + CONTEXTS_TILE_ACTIVE);
  *active = spid;
  while (*active != spid) {
  }
  // What was fetched ahead since
  __asm__ volatile("fence.i" ::: "memory");
}

// Runs the first words of the page: what it returns, or the cause of its trap with bit 63 set
uint64_t run(const void *code, uint64_t *stack);
__asm__(
    ".text\n"
    ".globl run\n"
    "run:\n"
    "  sd ra, 0(a1)\n"
    "  csrr t0, mtvec\n"
    "  sd t0, 8(a1)\n"
    "  csrw mscratch, a1\n"
    "  la t0, 1f\n"
    "  csrw mtvec, t0\n"
    "  jalr a0\n"
    "  j 2f\n"
    "  .balign 4\n"
    "1: li a0, -1\n"
    "  slli a0, a0, 63\n"
    "  csrr t0, mcause\n"
    "  or a0, a0, t0\n"
    "2: csrr a1, mscratch\n"
    "  ld t0, 8(a1)\n"
    "  csrw mtvec, t0\n"
    "  ld ra, 0(a1)\n"
    "  ret\n");

static void check(bool holds) {
  if (!holds) __atomic_fetch_add(&failures, 1, __ATOMIC_RELAXED);
}

static void stranger(unsigned hart, unsigned harts) {
  (void)harts;
  uint64_t stack[2];
  volatile uint64_t *words = page;
  for (uint64_t spid = 0; spid <= 2; spid += 2) {
    become(hart, spid);
    for (unsigned i = 0; i < WORDS; i++) check(words[i] == ~0UL);
    check(run(page, stack) == (1UL << 63 | ACCESS_FAULT));
    // A line that it does not have yet is written, too, and one that is probed by the others
    for (unsigned i = 0; i < WORDS; i++) words[i] = hart;
    check(words[WORDS - 1] == hart);
    check(__atomic_fetch_add(&page[0], 1, __ATOMIC_RELAXED) == hart);
  }
  become(hart, 0);
}

static void context(unsigned hart, unsigned harts) {
  uint64_t stack[2];
  become(hart, 1);
  check(run(page, stack) == 1);
  for (unsigned i = 1 + hart; i < WORDS; i += harts) {
    check(page[i] == mix64(i));
    page[i] = mix64(i + WORDS);
  }
  become(hart, 0);
}

// The context once more, after strangers on the same hart
static void look(unsigned hart, unsigned harts) {
  (void)harts;
  become(hart, 1);
  for (unsigned i = 1; i < WORDS; i++) check(page[i] == mix64(i + WORDS));
  become(hart, 0);
}

static volatile uint64_t *in_hasher(uintptr_t offset) { return (volatile uint64_t *)(HASHER_BASE + offset); }

// Ends a message, and gives its digest
static void end_message(uint64_t digest[4]) {
  while (*in_hasher(HASHER_STATUS) & HASHER_STATUS_READING) {
  }
  *in_hasher(HASHER_END) = 0;
  while (!(*in_hasher(HASHER_STATUS) & HASHER_STATUS_DONE)) {
  }
  for (unsigned i = 0; i < 4; i++) digest[i] = *in_hasher(HASHER_DIGEST_0 + 8 * i);
}

// The hasher reads the page itself, and gets it word by word from who may read it: the digest is one
static void hash_page(void) {
  uint64_t whole[4], words[4];
  *in_hasher(HASHER_ADDRESS) = (uintptr_t)page;
  *in_hasher(HASHER_LINES) = PAGE / CACHE_LINE;
  end_message(whole);
  become(0, 1);
  for (unsigned i = 0; i < WORDS; i++) *in_hasher(HASHER_WORD) = page[i];
  become(0, 0);
  end_message(words);
  expect(whole[0] != 0 && memcmp(whole, words, sizeof whole) == 0, "the hasher reads a page of a context");
}

int main(void) {
  page[0] = LI_A0_1_RET;
  for (unsigned i = 1; i < WORDS; i++) page[i] = mix64(i);
  flush();
  change_owner(1);
  kernel_begin();
  on_every_hart(stranger);
  expect(failures == 0, "strangers read ones and run nothing");
  expect(*at(CONTEXTS_STATUS) & CONTEXTS_STATUS_DENIED, "the guard denied something");
  expect((*at(CONTEXTS_DENIAL_ADDRESS) & ~(PAGE - 1UL)) == (uintptr_t)page, "what it denied first is in the page");
  hash_page();
  on_every_hart(context);
  expect(failures == 0, "a context finds its page as it left it");
  on_every_hart(stranger);
  expect(failures == 0, "nothing of a context stays in the caches");
  on_every_hart(look);
  expect(failures == 0, "a context finds its page as it left it, once more");
  kernel_end();
  change_owner(CONTEXTS_OWNER_RELEASE | 1);
  for (unsigned i = 0; i < WORDS; i++) left[i] = page[i];
  expect(left[0] == LI_A0_1_RET, "the code is in the page");
  for (unsigned i = 1; i < WORDS; i++) expect(left[i] == mix64(i + WORDS), "the page is as the context left it");
  return 0;
}
