// Owners, hasher and page clearer, by the functions that use them; and what they do after an alarm.
#include <string.h>

#include "cases.h"

#define OWN (DRAM + 100 * PAGE)
#define OTHER (DRAM + 101 * PAGE)

static void exclude(void) {
  enter_exclusive();
  stop_harts();
}

CASE(knows_dram, "DRAM has the first page and the last, and none beside them") {
  expect(is_dram(DRAM) && is_dram(DRAM + DRAM_PAGES * PAGE - 1) && is_dram(DRAM + (DRAM_PAGES - 1) * PAGE));
  expect(!is_dram(DRAM - 1) && !is_dram(DRAM + DRAM_PAGES * PAGE) && !is_dram(0) && !is_dram(~0UL));
}

CASE(knows_owners, "the guard's answers are taken as they are, and pages are counted") {
  exclude();
  model.others = 3;
  expect(give_page(&contexts[0], OWN) && contexts[0].pages == 1 && !give_page(&contexts[1], OWN));
  expect(!give_page(&contexts[0], OWN) && contexts[0].pages == 1 && !contexts[1].pages);
  expect(has_page(&contexts[0], OWN) && !has_page(&contexts[1], OWN) && !has_page(&contexts[0], OTHER));
  model.active[0] = 1;
  expect(!release_page(&contexts[0], OTHER) && contexts[0].pages == 1);
  expect(release_page(&contexts[0], OWN) && !contexts[0].pages && !has_page(&contexts[0], OWN));
  expect(!release_page(&contexts[0], OWN) && !contexts[0].pages && *words_at(0x10060010) >> 12 == OWN >> 12);
  expect(spid_of(&contexts[0]) == 1 && spid_of(&contexts[7]) == 8);
}

CASE_THAT_ENDS(asks_in_vain, "the owner of a page is not known after an alarm", 3, 1) {
  exclude();
  expect(give_page(&contexts[0], OWN) && has_page(&contexts[0], OWN));
  model.is_alarm = true;
  has_page(&contexts[0], OTHER);
}
CASE_THAT_ENDS(asks_for_another_in_vain, "an answer about another context's page is none after an alarm", 3, 1) {
  exclude();
  expect(give_page(&contexts[0], OWN) && has_page(&contexts[0], OWN));
  model.is_alarm = true;
  has_page(&contexts[2], OWN);
}
CASE_THAT_ENDS(changes_in_vain, "a hart does not go on for another context after an alarm", 3, 1) {
  model.is_alarm = true;
  become(&contexts[0], 0);
}

CASE(clears_pages, "a page is cleared whole, and no other, by the page clearer if the hart is exclusive") {
  exclude();
  expect(give_page(&contexts[0], OWN));
  model.active[0] = 1;
  for (unsigned round = 0; round < 100; round++) {
    model.is_clearer_off = round % 2;
    if (round == 50) {
      release_harts();
      leave_exclusive();
    }
    memset(words_at(OWN), 1, PAGE);
    words_at(OTHER)[0] = words_at(OWN - PAGE)[511] = 5;
    const uint64_t asked = *words_at(0x10071010) = 0x77;
    clear_page(OWN);
    fence_all();
    expect(is_clear(OWN) && words_at(OTHER)[0] == 5 && words_at(OWN - PAGE)[511] == 5);
    expect((*words_at(0x10071010) & ~1UL) == (round < 50 ? OWN : asked & ~1UL));
  }
}

static void expect_digest(const uint64_t *words, unsigned count) {
  uint64_t digest[4], wanted[4];
  expect(hash_end(0, 0, digest));
  digest_of(words, count, wanted);
  expect(!memcmp(digest, wanted, sizeof digest));
}

// The model's hasher makes digests for both
CASE(hashes_messages, "a message is of its words and pages in their order, and of nothing of the one before") {
  static uint64_t words[2 + 40 * 512];
  exclude();
  model.active[0] = 1;
  for (unsigned i = 0; i < 40; i++) {
    memset(words_at(OWN + i * PAGE), i + 1, PAGE);
    memcpy(words + 1 + i * 512, words_at(OWN + i * PAGE), PAGE);
    expect(give_page(&contexts[0], OWN + i * PAGE));
  }
  words[0] = 77;
  for (unsigned pages = 1; pages <= 40; pages += 13) {
    hash_word(77);
    for (unsigned i = 0; i < pages; i++)
      while (!hash_later(OWN + i * PAGE)) {
      }
    expect(hash_wait() && !is_hashing());
    expect_digest(words, 1 + pages * 512);
  }
  hash_word(77);
  expect(hash_page(OWN));
  expect_digest(words, 513);
  hash_word(5);
  expect(hash_page(OWN));
  hash_later(OWN + PAGE);
  hash_abort();
  hash_word(77);
  expect_digest(words, 1);
  uint64_t digest[4], wanted[4];
  hash_word(77);
  expect(hash_end(0x123456, 3, digest));
  digest_of_bytes(words, 1, 0x123456, 3, wanted);
  expect(!memcmp(digest, wanted, sizeof digest));
  expect(!hash_end(0, 0, digest));
}

CASE(fails_with_its_reads, "a message of which a page cannot be read has no digest, and the next is of its own") {
  const uint64_t word = 77;
  uint64_t digest[4] = {1, 2, 3, 4};
  exclude();
  model.active[0] = 1;
  expect(give_page(&contexts[0], OWN));
  hash_word(1);
  model.is_read_failing = true;
  expect(!hash_page(OWN));
  model.is_read_failing = false;
  expect(!hash_page(OWN) && !hash_end(0, 0, digest) && digest[0] == 1 && digest[3] == 4);
  for (unsigned i = 0; i < 30; i++) hash_later(OWN);
  hash_abort();
  hash_word(1);
  model.is_read_failing = true;
  expect(!hash_end(0, 0, digest) && digest[0] == 1);
  model.is_read_failing = false;
  hash_abort();
  hash_word(word);
  expect_digest(&word, 1);
}

CASE(hashes_nothing_after_an_alarm, "nothing is hashed after an alarm: an old digest is no digest of what was lost") {
  uint64_t digest[4];
  hash_word(1);
  expect(hash_end(0, 0, digest));
  model.is_alarm = true;
  hash_word(2);
  expect(!hash_end(0, 0, digest));
}

CASE(closes_its_registers, "registers and the microcode's memory are closed to other modes, and memory opens once") {
  contexts_close();
  expect(csrs()->pmpaddr0 == 0x10060000 >> 2 && csrs()->pmpaddr1 == (MICROCODE_BASE + MICROCODE_BYTES) >> 2);
  expect(csrs()->pmpcfg0 == 0x0800 && !*words_at(0x10060040));
  contexts_open();
  settle();
  expect(*words_at(0x10060040) == 1);
}
