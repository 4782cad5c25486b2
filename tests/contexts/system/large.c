// Programs with many pages, before their page tables and behind them: some are taken before tables for others are made,
// and hashed while others are taken.
#include "kernel.h"

#define MOST_MORE 46
#define FIRST_HASHED (CODE_PAGES + DATA_PAGES)

static uint64_t pages[MOST_MORE];

static uint64_t address_of(unsigned number) { return OWN_END + number * TEE_PAGE; }

// Behind its own, a program has so many pages of data, with their numbers in them.
static process *with_more(unsigned more) {
  process *process = new_process(WORK_SPIN);
  for (unsigned i = 0; i < more; i++) {
    if (!pages[i]) pages[i] = new_page();
    memset((void *)pages[i], 0, TEE_PAGE);
    words_of(pages[i])[0] = FIRST_HASHED + i;
  }
  add_segment(process, TEE_DATA, pages, more);
  return process;
}

static void is_hashed(const char *name, process *process) {
  expect(is_in_context(process));
  show_hash(name, process);
  expect(words_of(pages[0])[0] == ~0UL);
  expect(released(process) == 0 && words_of(pages[0])[0] == 0);
}

// Nobody has a page that was taken in vain, and it is as it was.
static void is_refused_late(process *process, unsigned wrong, int64_t error) {
  refuse(process, error);
  process->user.x[A2] = WORK_SPIN;
  for (unsigned i = 0; i < MOST_MORE; i++) {
    volatile uint64_t *word = words_of(pages[i]);
    expect(*word == FIRST_HASHED + i);
    *word = i;
    expect(*word == i);
    *word = FIRST_HASHED + i;
  }
  map(process, address_of(wrong), pages[wrong], USER_DATA);
}

void are_large(void) {
  is_hashed("H(Large14)", with_more(14));
  is_hashed("H(Large15)", with_more(15));
  process *process = with_more(MOST_MORE);
  static const unsigned wrong[] = {0, 12, 13, 14, 30, MOST_MORE - 1};
  for (unsigned i = 0; i < ARRAY_LENGTH(wrong); i++) {
    unmap(process, address_of(wrong[i]));
    is_refused_late(process, wrong[i], TEE_UNMAPPED);
    map(process, address_of(wrong[i]), pages[wrong[i] ? 0 : 1], USER_DATA);
    is_refused_late(process, wrong[i], TEE_TAKEN);
  }
  is_hashed("H(Large46)", process);
}
