// SHA-256 of messages of words and of memory, by the hasher. Only who is exclusive may.
#include "contexts.h"

#define LINES_OF_PAGE (TEE_PAGE / CACHE_LINE)

static volatile uint64_t *at(uintptr_t offset) { return (volatile uint64_t *)(HASHER_BASE + offset); }

void hash_word(uint64_t word) { *at(HASHER_WORD) = word; }

bool hash_page(uint64_t page) {
  *at(HASHER_ADDRESS) = page;
  *at(HASHER_LINES) = LINES_OF_PAGE;
  while (*at(HASHER_STATUS) & HASHER_STATUS_READING) {
  }
  return !(*at(HASHER_STATUS) & (HASHER_STATUS_FAILED | HASHER_STATUS_REFUSED));
}

void hash_abort(void) { *at(HASHER_ABORT) = 1; }

// If memory takes no stores any longer, as after an alarm, no message has begun, and the digest there is another's.
bool hash_end(uint64_t tail, unsigned bytes, uint64_t *digest) {
  if (!(*at(HASHER_STATUS) & HASHER_STATUS_BUSY)) return false;
  *at(HASHER_TAIL) = tail;
  *at(HASHER_END) = bytes;
  while (!(*at(HASHER_STATUS) & HASHER_STATUS_DONE)) {
  }
  for (unsigned i = 0; i < DIGEST_WORDS; i++) digest[i] = *at(HASHER_DIGEST_0 + 8 * i);
  return true;
}

bool is_same_digest(const uint64_t *left, const uint64_t *right) {
  uint64_t differs = 0;
  for (unsigned i = 0; i < DIGEST_WORDS; i++) differs |= left[i] ^ right[i];
  return !differs;
}
