// The hasher and the page clearer. Both take their time, and refuse what comes meanwhile.
#include <string.h>

#include "model.h"

static uint64_t *at(uint64_t address) { return (uint64_t *)address; }

// Of the hasher: a digest so far, and answers about its state until it has read a range, or made the digest
static uint64_t mixed[DIGEST];
static bool has_begun, is_done, has_failed, is_refused, was_full;
static unsigned reads, ends;

static void mix(uint64_t word) {
  if (!has_begun) memset(mixed, 0, sizeof mixed);
  has_begun = true;
  is_done = false;
  for (unsigned i = 0; i < DIGEST; i++) mixed[i] = mix64(mixed[i] ^ word ^ (uint64_t)i << 32);
}

static void mix_end(uint64_t tail, uint64_t bytes) {
  mix(tail);
  mix(0x80 + bytes);
  has_begun = false;
}

void digest_of_bytes(const uint64_t *words, unsigned count, uint64_t tail, uint64_t bytes, uint64_t *digest) {
  for (unsigned i = 0; i < count; i++) mix(words[i]);
  mix_end(tail, bytes);
  memcpy(digest, mixed, sizeof mixed);
}

void digest_of(const uint64_t *words, unsigned count, uint64_t *digest) { digest_of_bytes(words, count, 0, 0, digest); }

// What comes in the wrong moment is not added; machine mode is to know that
static bool is_taken(void) {
  if (reads || ends) must_not("adds to a message while the hasher reads, or ends it", 0, &counts->others);
  is_refused |= has_failed;
  return !has_failed;
}

static void hash_range(void) {
  const uint64_t page = *at(HASHER_BASE + HASHER_ADDRESS), lines = *at(HASHER_BASE + HASHER_LINES);
  if (page % PAGE || lines != PAGE / 64 || !is_in_dram(page) ||
      model.owner[number_of(page)] != model.active[model.hart])
    must_not("hashes a page that is not the context's,", page, &counts->others);
  if (was_full) must_not("adds a range for which there is no room,", page, &counts->others);
  was_full = true;
  has_failed |= model.is_read_failing;
  has_begun &= !has_failed;
  reads = has_failed ? 0 : 1 + any_of(4);
  for (unsigned i = 0; !has_failed && i < PAGE / 8; i++) mix(words_at(page)[i]);
}

static uint64_t status(void) {
  // It takes time
  was_full = has_failed || any_of(8);
  const uint64_t is_reading = reads ? HASHER_STATUS_READING : 0;
  reads -= reads > 0;
  if (ends && !--ends) is_done = true;
  return (has_begun ? HASHER_STATUS_BUSY : 0) | (is_done ? HASHER_STATUS_DONE : 0) | is_reading |
         (has_failed ? HASHER_STATUS_FAILED : 0) | (is_refused ? HASHER_STATUS_REFUSED : 0) |
         (was_full ? HASHER_STATUS_FULL : 0);
}

void hasher_written(uint64_t offset) {
  const uint64_t word = *at(HASHER_BASE + offset);
  if (offset == HASHER_LINES) hash_range();
  if (offset == HASHER_WORD && is_taken()) mix(word);
  if (offset == HASHER_ABORT && word == 1) {
    has_begun = is_done = has_failed = is_refused = was_full = false;
    reads = ends = 0;
  }
  if (offset == HASHER_END && model.is_read_failing) {
    has_failed = true;
    has_begun = false;
  } else if (offset == HASHER_END && is_taken()) {
    mix_end(*at(HASHER_BASE + HASHER_TAIL), word);
    ends = 1 + any_of(4);
  }
}

void hasher_read(uint64_t offset) {
  if (offset == HASHER_STATUS) *at(HASHER_BASE + offset) = status();
  if (offset - HASHER_DIGEST_0 < sizeof mixed)
    *at(HASHER_BASE + offset) = is_done ? mixed[(offset - HASHER_DIGEST_0) / 8] : 0;
}

static uint64_t clearing, cleared;
static unsigned clears;

void clearer_written(uint64_t page) {
  const uint64_t number = page & ~(uint64_t)CLEARER_PAGE_SLOWLY;
  if (clears) must_not("clears a page while another is cleared,", page, &counts->others);
  // Now and then memory refuses a line
  if (!is_in_dram(number) || model.is_clearer_off || !any_of(16)) return;
  if (has_begun && reads && !(page & CLEARER_PAGE_SLOWLY)) model.fast++;
  clearing = number;
  clears = 1 + any_of(4);
}

// What is cleared is seen when it is done.
uint64_t clearer_status(void) {
  if (clears && !--clears) {
    const unsigned owner = model.owner[number_of(clearing)];
    if (!owner || owner != model.active[model.hart])
      must_not("clears a page that is not the context's,", clearing, &counts->writes);
    memset(words_at(clearing), 0, PAGE);
    model.cached[number_of(clearing)] = NONE;
    cleared++;
  }
  return (cleared & 0xffff) << 16 | (clears ? CLEARER_STATUS_BUSY : 0);
}
