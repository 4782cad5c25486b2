// Pages of a context that the kernel takes to where it likes: it learns nothing of them, and only the last one that
// went out comes back, to its own place.
#include "kernel.h"

typedef struct {
  uint64_t words[TEE_PAGE / 8];
  uint8_t tag[TEE_PAGE_TAG];
} on_disk;

static on_disk first, second, others, code;

// The kernel takes a page out, which is its own then, and keeps what is there.
static void takes_out(process *process, uint64_t address, on_disk *kept) {
  volatile uint64_t *words = words_of(*own_at(process, address));
  expect(page_out(process->permit, address, kept->tag) == 0);
  for (unsigned i = 0; i < ARRAY_LENGTH(kept->words); i++) {
    kept->words[i] = words[i];
    words[i] = i;
    expect(words[i] == i);
  }
}

// What comes of a page that is brought in where it was
static long brings_in(process *process, uint64_t address, const on_disk *kept) {
  volatile uint64_t *words = words_of(*own_at(process, address));
  for (unsigned i = 0; i < ARRAY_LENGTH(kept->words); i++) words[i] = kept->words[i];
  return page_in(process->permit, address, *own_at(process, address), kept->tag);
}

static void is_forged(process *process, uint64_t address, const on_disk *kept) {
  expect(brings_in(process, address, kept) == TEE_FORGED);
  // It is as it was, and the kernel's
  volatile uint64_t *words = words_of(*own_at(process, address));
  for (unsigned i = 0; i < ARRAY_LENGTH(kept->words); i++) expect(words[i] == kept->words[i]);
  words[0] = 1;
  expect(words[0] == 1);
}

static unsigned equal_words(const on_disk *kept, uint64_t word) {
  unsigned count = 0;
  for (unsigned i = 0; i < ARRAY_LENGTH(kept->words); i++) count += kept->words[i] == word;
  return count;
}

// To its next call, with the result of the last one
static void counts(process *process, uint64_t number) {
  process->user.pc += TEE_GATE_RESULT;
  process->user.x[A0] = 1;
  expect(run(process) == USER_CALL && process->user.x[A0] == number);
}

static process *counting(void) {
  process *process = new_process(WORK_COUNT);
  expect(run(process) == USER_CALL && process->user.x[A0] == 1);
  return process;
}

static void refuses(process *process) {
  const uint64_t permit = process->permit;
  uint8_t tag[TEE_PAGE_TAG];
  const uint64_t no_permits[] = {63, 64, permit | 1UL << 32, ~0UL};
  for (unsigned i = 0; i < ARRAY_LENGTH(no_permits); i++) {
    expect(page_out(no_permits[i], OWN_ZERO, tag) == TEE_INVALID &&
           page_out(no_permits[i], OWN_ZERO, 0) == TEE_INVALID);
    expect(page_in(no_permits[i], OWN_ZERO, process->shared[1], tag) == TEE_INVALID);
  }
  expect(page_out(permit, OWN, 0) == 0 && page_out(permit, OWN_END - 1, 0) == 0);
  expect(page_out(permit, OWN - 1, 0) == TEE_INVALID && page_out(permit, OWN_END, 0) == TEE_INVALID);
  const uint64_t no_pages[] = {OWN - TEE_PAGE, OWN_ZERO + 8, OWN_TABLES, OWN_END - TEE_PAGE, OWN_END, 0, ~0UL << 12};
  for (unsigned i = 0; i < ARRAY_LENGTH(no_pages); i++) {
    expect(page_out(permit, no_pages[i], tag) == TEE_INVALID);
    expect(page_in(permit, no_pages[i], process->shared[1], tag) == TEE_INVALID);
  }
  // It is not out
  expect(page_in(permit, OWN_ZERO, process->shared[1], tag) == TEE_INVALID);
  // The tag's place is not the kernel's
  map(process, FAR, process->shared[1], READ | ACCESSED);
  uint8_t *const no_places[] = {(uint8_t *)MICROCODE_BASE, (uint8_t *)0x10060000, (uint8_t *)OWN_DATA,
                                (uint8_t *)(1UL << 45)};
  expect(page_out(permit, OWN_ZERO, (uint8_t *)FAR) == TEE_UNMAPPED);
  for (unsigned i = 0; i < ARRAY_LENGTH(no_places); i++) {
    expect(page_out(permit, OWN_ZERO, no_places[i]) == TEE_UNMAPPED);
    expect(page_in(permit, OWN_ZERO, process->shared[1], no_places[i]) == TEE_UNMAPPED);
  }
}

// Where it comes back must be a page that is nobody's.
static void refuses_pages(process *process, struct process *other, const on_disk *kept) {
  const uint64_t permit = process->permit;
  const uint64_t taken[] = {process->own[0], process->own[OWN_PAGES - 1], other->own[0], MICROCODE_BASE, 0x10060000,
                            0x80fff000,      process->shared[1] + 0x100,  1UL << 55};
  for (unsigned i = 0; i < ARRAY_LENGTH(taken); i++)
    expect(page_in(permit, OWN_ZERO, taken[i], kept->tag) == TEE_TAKEN);
}

void pages_out(void) {
  process *process = counting(), *other = counting();
  refuses(process);
  takes_out(process, OWN_ZERO, &first);
  takes_out(other, OWN_ZERO, &others);
  expect(!equal_words(&first, 0) && !equal_words(&first, 1) && memcmp(first.words, others.words, TEE_PAGE));
  expect(page_out(process->permit, OWN_ZERO, first.tag) == TEE_INVALID);
  // The context finds it missing
  process->user.pc += TEE_GATE_RESULT;
  process->user.x[A0] = 1;
  expect(run(process) == LOAD_PAGE && process->value == OWN_ZERO && shows_nothing(process, false));
  refuses_pages(process, other, &first);
  // Another context's, or changed in a bit of the page or of the tag
  is_forged(process, OWN_ZERO, &others);
  on_disk *changed = &second;
  for (unsigned i = 0; i < 4; i++) {
    *changed = first;
    if (i < 2)
      changed->words[i ? ARRAY_LENGTH(changed->words) - 1 : 0] ^= i ? 1UL << 63 : 1;
    else
      changed->tag[i == 2 ? 0 : TEE_PAGE_TAG - 1] ^= i == 2 ? 1 : 0x80;
    is_forged(process, OWN_ZERO, changed);
  }
  // To another page than before
  const uint64_t page = *own_at(process, OWN_ZERO);
  *own_at(process, OWN_ZERO) = new_page();
  expect(brings_in(process, OWN_ZERO, &first) == 0);
  words_of(page)[0] = 5;
  expect(words_of(page)[0] == 5 && words_of(*own_at(process, OWN_ZERO))[0] == ~0UL);
  expect(run(process) == USER_CALL && process->user.x[A0] == 2);
  // An older version does not come back
  takes_out(process, OWN_ZERO, &second);
  is_forged(process, OWN_ZERO, &first);
  expect(brings_in(process, OWN_ZERO, &second) == 0);
  counts(process, 3);
  process->user.pc += TEE_GATE_RESULT;
  process->user.x[A0] = 0;
  expect(finish(process) == 0 && is_cleared(process));
  // A page that is out is the kernel's when the context ends
  words_of(*own_at(other, OWN_ZERO))[0] = 9;
  expect(kill_context(other->user.x[S1]) == 0 && words_of(*own_at(other, OWN_ZERO))[0] == 9);
  expect(page_in(other->permit, OWN_ZERO, other->shared[1], others.tag) == TEE_INVALID);
}

// A page goes out twice; changed in a bit, or older than the last one, it does not come back.
void comes_back(void) {
  process *process = counting();
  takes_out(process, OWN_ZERO, &first);
  expect(!equal_words(&first, 0) && !equal_words(&first, 1));
  process->user.pc += TEE_GATE_RESULT;
  process->user.x[A0] = 1;
  expect(run(process) == LOAD_PAGE && process->value == OWN_ZERO && shows_nothing(process, false));
  second = first;
  second.words[ARRAY_LENGTH(second.words) - 1] ^= 1UL << 63;
  is_forged(process, OWN_ZERO, &second);
  expect(brings_in(process, OWN_ZERO, &first) == 0);
  expect(run(process) == USER_CALL && process->user.x[A0] == 2);
  takes_out(process, OWN_ZERO, &second);
  is_forged(process, OWN_ZERO, &first);
  expect(brings_in(process, OWN_ZERO, &second) == 0);
  counts(process, 3);
  is_killed(process);
}

// What the processor does for a context waits for the page, as an access does.
void serves_later(void) {
  process *process = new_process(WORK_ASK);
  volatile uint64_t *asked = words_of(process->shared[0]);
  asked[0] = 1;  // its public key, which the processor does not have
  asked[1] = OWN_DATA + TEE_PAGE - TEE_POINT;
  expect(run(process) == USER_CALL && process->user.x[A0] == 0);
  takes_out(process, OWN_DATA, &first);
  process->user.pc += TEE_GATE_RESULT;
  expect(run(process) == LOAD_PAGE && process->value == OWN_DATA && shows_nothing(process, false));
  expect(brings_in(process, OWN_DATA, &first) == 0);
  expect(run(process) == USER_CALL && process->user.x[A7] == ASKED_NUMBER && process->user.x[A0] == 0);
  is_killed(process);
}

// Code that comes back is code
void keeps_rights(void) {
  process *process = new_process(WORK_WRITE);
  expect(run(process) == STORE_PAGE && process->value == OWN);
  takes_out(process, OWN, &code);
  expect(brings_in(process, OWN, &code) == 0);
  expect(run(process) == STORE_PAGE && process->value == OWN);
  is_killed(process);
}

// Each version is encrypted anew, and comes back to its own place only.
void encrypts_anew(void) {
  process *process = counting();
  takes_out(process, OWN_ZERO, &first);
  takes_out(process, OWN, &code);
  is_forged(process, OWN, &first);
  is_forged(process, OWN_ZERO, &code);
  expect(brings_in(process, OWN, &code) == 0 && brings_in(process, OWN_ZERO, &first) == 0);
  takes_out(process, OWN_ZERO, &second);
  unsigned same = 0;
  for (unsigned i = 0; i < ARRAY_LENGTH(first.words); i++) same += first.words[i] == second.words[i];
  expect(!same && brings_in(process, OWN_ZERO, &second) == 0);
  counts(process, 2);
  is_killed(process);
}
