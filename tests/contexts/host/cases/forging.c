// Pages that come back and are not what went out last: each is refused, and is nobody's as before.
#include <string.h>

#include "cases.h"

static uint64_t *tag_of(space *space) { return words_at(page_at(space->satp, TAG)); }
static uint64_t permit, out;

static space *with_page_out(void) {
  space *space = entered();
  permit = contexts[0].permit;
  take_trap(USER_CALL, 0, 0);
  out = page_at(space->satp, WORDS);
  expect(!call_of(space, PAGE_OUT, permit, WORDS, TAG, 0));
  return space;
}

static int64_t comes_in(space *space, uint64_t address, uint64_t page) {
  return call_of(space, PAGE_IN, permit, address, page, TAG);
}

static void expect_forged(space *space, uint64_t address, uint64_t page) {
  static uint64_t before[512];
  const unsigned pages = pages_of(1);
  memcpy(before, words_at(page), PAGE);
  expect(comes_in(space, address, page) == FORGED);
  expect(!model.owner[number_of(page)] && pages_of(1) == pages && !memcmp(before, words_at(page), PAGE));
}

CASE(compares_each_bit, "a tag of which any bit is another is refused") {
  space *space = with_page_out();
  for (unsigned bit = 0; bit < 256; bit++) {
    tag_of(space)[bit / 64] ^= 1UL << bit % 64;
    expect_forged(space, WORDS, out);
    tag_of(space)[bit / 64] ^= 1UL << bit % 64;
  }
  expect(!comes_in(space, WORDS, out));
}

CASE(compares_all_pages, "each page of a program is compared when it comes back") {
  space *space = entered();
  permit = contexts[0].permit;
  take_trap(USER_CALL, 0, 0);
  for (uint64_t at = START; at < PROGRAM_END; at += PAGE) {
    if (call_of(space, PAGE_OUT, permit, at, TAG, 0)) continue;
    tag_of(space)[3] ^= 1UL << 63;
    expect_forged(space, at, page_at(space->satp, at));
    tag_of(space)[3] ^= 1UL << 63;
    expect(!comes_in(space, at, page_at(space->satp, at)));
  }
  // All but tables and private pages
  expect(contexts[0].version == PROGRAM_PAGES - FIRST_TABLES - 2);
}

CASE(compares_each_word, "digests are the same if all their bits are") {
  uint64_t left[4] = {1, 2, 3, 4}, right[4] = {1, 2, 3, 4};
  expect(is_same_digest(left, right));
  for (unsigned bit = 0; bit < 256; bit++) {
    right[bit / 64] ^= 1UL << bit % 64;
    expect(!is_same_digest(left, right));
    right[bit / 64] ^= 1UL << bit % 64;
  }
  // Differences do not cancel out
  for (unsigned i = 0; i < 4; i++)
    for (unsigned j = 0; j < i; j++) {
      right[i] ^= 8;
      right[j] ^= 8;
      expect(!is_same_digest(left, right));
      right[i] ^= 8;
      right[j] ^= 8;
    }
}

CASE(covers_the_page, "a page of which any word is another is refused") {
  space *space = with_page_out();
  for (unsigned word = 0; word < 512; word++) {
    words_at(out)[word] ^= 1UL << word % 64;
    expect_forged(space, WORDS, out);
    words_at(out)[word] ^= 1UL << word % 64;
  }
  expect(!comes_in(space, WORDS, out));
}

CASE(covers_place_and_version, "another page, and an older one, are refused") {
  space *space = with_page_out();
  static uint64_t old[512], old_tag[4];
  memcpy(old, words_at(out), PAGE);
  memcpy(old_tag, tag_of(space), sizeof old_tag);
  const uint64_t other = page_at(space->satp, MORE_WORDS);
  expect(!call_of(space, PAGE_OUT, permit, MORE_WORDS, TAG, 0));
  // The other's page and tag, in this one's place
  expect_forged(space, WORDS, other);
  memcpy(tag_of(space), old_tag, sizeof old_tag);
  expect_forged(space, MORE_WORDS, out);
  expect(!comes_in(space, WORDS, out) && !call_of(space, PAGE_OUT, permit, WORDS, TAG, 0));
  static uint64_t new_tag[4];
  memcpy(new_tag, tag_of(space), sizeof new_tag);
  static uint64_t newest[512];
  memcpy(newest, words_at(out), PAGE);
  expect(memcmp(old, newest, PAGE));
  memcpy(words_at(out), old, PAGE);
  memcpy(tag_of(space), old_tag, sizeof old_tag);
  expect_forged(space, WORDS, out);
  memcpy(words_at(out), newest, PAGE);
  memcpy(tag_of(space), new_tag, sizeof new_tag);
  expect(!comes_in(space, WORDS, out));
}

// Entries are in memory: a version that is not the page's own
CASE(covers_the_entry, "a page is refused under another version than its own, or for another place with the same") {
  space *space = with_page_out();
  uint64_t *leaf = leaf_at(8UL << 60 | contexts[0].table[0] >> 12, WORDS);
  for (unsigned bit = 10; bit < 64; bit++) {
    *leaf ^= 1UL << bit;
    expect_forged(space, WORDS, out);
    *leaf ^= 1UL << bit;
  }
  uint64_t *other = leaf_at(8UL << 60 | contexts[0].table[0] >> 12, SEALED_DATA);
  *other = *leaf;
  expect_forged(space, SEALED_DATA, out);
}

CASE(is_of_its_context, "a page of another context is refused") {
  space *space = with_page_out(), *other = new_space();
  const uint64_t first = permit;
  allow_all(other);
  expect(enter_at(other, START, GATE));
  take_trap(USER_CALL, 0, 0);
  permit = contexts[1].permit;
  expect(!call_of(other, PAGE_OUT, permit, WORDS, TAG, 0));
  const uint64_t theirs = page_at(other->satp, WORDS);
  memcpy(tag_of(other), tag_of(space), 32);
  expect(comes_in(other, WORDS, out) == FORGED && !model.owner[number_of(out)]);
  permit = first;
  expect(comes_in(space, WORDS, theirs) == FORGED && !model.owner[number_of(theirs)]);
  expect(!comes_in(space, WORDS, out));
}

CASE(comes_to_dram, "a page comes back to a page of DRAM that is nobody's") {
  space *space = with_page_out();
  const uint64_t wrong[] = {DRAM - PAGE, DRAM + DRAM_PAGES * PAGE, 0x10060000, 0, 1UL << 56, out + 8, out + 64,
                            out + 1};
  for (unsigned i = 0; i < ARRAY_LENGTH(wrong); i++) expect(comes_in(space, WORDS, wrong[i]) == TAKEN);
  expect(comes_in(space, WORDS, page_at(space->satp, START)) == TAKEN);
  expect(pages_of(1) == PROGRAM_PAGES - 1);
  const uint64_t last = DRAM + (DRAM_PAGES - 1) * PAGE;
  memcpy(words_at(last), words_at(out), PAGE);
  expect(!comes_in(space, WORDS, last) && model.owner[DRAM_PAGES - 1] == 1);
  expect(!call_of(space, PAGE_OUT, permit, WORDS, TAG, 0));
  memcpy(words_at(DRAM), words_at(last), PAGE);
  expect(!comes_in(space, WORDS, DRAM) && model.owner[0] == 1);
}

CASE(comes_to_its_place, "a page comes back only where one is out, by its permit") {
  space *space = with_page_out();
  const uint64_t wrong[] = {START - PAGE, PROGRAM_END, WORDS + 8, START, TABLES_AT, SEALED_DATA};
  const uint64_t stranger = (expect(!call(ALLOW, 1, START, 16, 0)), value), own = permit;
  for (unsigned i = 0; i < ARRAY_LENGTH(wrong); i++) expect(comes_in(space, wrong[i], out) == INVALID);
  permit = stranger;
  expect(comes_in(space, WORDS, out) == INVALID && !model.owner[number_of(out)]);
  permit = own;
  expect(!comes_in(space, WORDS, out));
}
