// SHA-256 of messages of words and of memory, by the hasher. Only who is exclusive may.
#include "contexts.h"

#define LINES_OF_PAGE (TEE_PAGE / CACHE_LINE)
#define MOST_WAITING 16

// Pages in their order, as a ring
static uint64_t waiting[MOST_WAITING];
static unsigned first, behind;

static volatile uint64_t *at(uintptr_t offset) { return (volatile uint64_t *)(HASHER_BASE + offset); }

void hash_word(uint64_t word) { *at(HASHER_WORD) = word; }

bool hash_later(uint64_t page) {
  hash_on();
  if (behind - first == MOST_WAITING) return false;
  waiting[behind++ % MOST_WAITING] = page;
  hash_on();
  return true;
}

static bool is_hash_waiting(void) { return first != behind; }

bool is_hashing(void) { return *at(HASHER_STATUS) & HASHER_STATUS_READING; }

// The hasher takes a page while it reads the one before. What is here it refuses after a read that failed only: no word
// comes while a page is read, and pages are DRAM's.
void hash_on(void) {
  if (!is_hash_waiting()) return;
  const uint64_t status = *at(HASHER_STATUS);
  if (status & (HASHER_STATUS_FAILED | HASHER_STATUS_REFUSED)) {
    first = behind;
  } else if (!(status & HASHER_STATUS_FULL)) {
    *at(HASHER_ADDRESS) = waiting[first++ % MOST_WAITING];
    *at(HASHER_LINES) = LINES_OF_PAGE;
  }
}

bool hash_wait(void) {
  while (is_hash_waiting()) hash_on();
  while (*at(HASHER_STATUS) & HASHER_STATUS_READING) {
  }
  return !(*at(HASHER_STATUS) & (HASHER_STATUS_FAILED | HASHER_STATUS_REFUSED));
}

bool hash_page(uint64_t page) {
  while (!hash_later(page)) {
  }
  return hash_wait();
}

void hash_abort(void) {
  first = behind;
  *at(HASHER_ABORT) = 1;
}

// If memory takes no stores any longer, as after an alarm, no message has begun, and the digest there is another's.
bool hash_end(uint64_t tail, unsigned bytes, uint64_t *digest) {
  if (!(*at(HASHER_STATUS) & HASHER_STATUS_BUSY)) return false;
  *at(HASHER_TAIL) = tail;
  *at(HASHER_END) = bytes;
  uint64_t status;
  do status = *at(HASHER_STATUS);
  while (!(status & (HASHER_STATUS_DONE | HASHER_STATUS_FAILED)));
  if (status & HASHER_STATUS_FAILED) return false;
  for (unsigned i = 0; i < DIGEST_WORDS; i++) digest[i] = *at(HASHER_DIGEST_0 + 8 * i);
  return true;
}

bool is_same_digest(const uint64_t *left, const uint64_t *right) {
  uint64_t differs = 0;
  for (unsigned i = 0; i < DIGEST_WORDS; i++) differs |= left[i] ^ right[i];
  return !differs;
}
