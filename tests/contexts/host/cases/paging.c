// Pages on disk: what goes out, how it looks there, and that the right one comes back.
#include <string.h>

#include "cases.h"

#define TAG_WORDS 4

static uint64_t *tag_of(space *space) { return words_at(page_at(space->satp, TAG)); }
static int64_t goes_out(space *space, uint64_t permit, uint64_t address) {
  return call_of(space, PAGE_OUT, permit, address, TAG, 0);
}
static int64_t comes_in(space *space, uint64_t permit, uint64_t address, uint64_t page) {
  return call_of(space, PAGE_IN, permit, address, page, TAG);
}

static uint64_t *own_leaf(uint64_t address) { return leaf_at(8UL << 60 | contexts[0].table[0] >> 12, address); }

CASE(is_out_without_a_page, "an entry is out if it names no page and has the bit of those that are") {
  expect(is_out(256) && is_out(1 << 10 | 256 | 254) && !is_out(0) && !is_out(254) && !is_out(257) && !is_out(511));
}

static space *away(uint64_t *permit) {
  space *space = entered();
  *permit = contexts[0].permit;
  take_trap(USER_CALL, 0, 0);
  return space;
}

// As docs/contexts.md has them
static void tag_as_written(uint64_t version, uint64_t address, uint64_t page, uint64_t *tag) {
  static uint64_t words[8 + 2 + 512];
  const page_keys *keys = &contexts[0].page_keys;
  uint64_t inner[TAG_WORDS];
  for (unsigned i = 0; i < 8; i++) words[i] = (i < 4 ? keys->mac[i] : 0) ^ 0x3636363636363636;
  words[8] = version;
  words[9] = address;
  memcpy(words + 10, words_at(page), PAGE);
  digest_of(words, ARRAY_LENGTH(words), inner);
  for (unsigned i = 0; i < 8; i++) words[i] = (i < 4 ? keys->mac[i] : 0) ^ 0x5c5c5c5c5c5c5c5c;
  memcpy(words + 8, inner, sizeof inner);
  digest_of(words, 12, tag);
}

static void decrypt(uint64_t version, const void *from, uint64_t *to) {
  br_aes_ct64_ctr_keys keys;
  uint8_t counter[12] = {0};
  memcpy(counter, &version, 8);
  memcpy(to, from, PAGE);
  br_aes_ct64_ctr_init(&keys, contexts[0].page_keys.cipher, 16);
  br_aes_ct64_ctr_run(&keys, counter, 0, to, PAGE);
}

CASE(goes_out_and_in, "a page goes out as ciphertext with its tag, and comes back to another place in memory") {
  static const uint64_t at[] = {START, WORDS, ZEROS + PAGE, MORE_WORDS};
  uint64_t permit, tag[TAG_WORDS];
  space *space = away(&permit);
  for (unsigned i = 0; i < 4; i++) {
    static uint64_t before[512], seen[512];
    const uint64_t page = page_at(space->satp, at[i]), entry = *own_leaf(at[i]), next = new_page();
    memcpy(before, words_at(page), PAGE);
    expect(!goes_out(space, permit, at[i]) && !model.owner[number_of(page)] && pages_of(1) == PROGRAM_PAGES - 1);
    expect(*own_leaf(at[i]) == ((i + 1UL) << 10 | 256 | (entry & 254)) && contexts[0].version == i + 1);
    tag_as_written(i + 1, at[i], page, tag);
    expect(!memcmp(tag, tag_of(space), sizeof tag) && memcmp(before, words_at(page), PAGE));
    decrypt(i + 1, words_at(page), seen);
    expect(!memcmp(before, seen, PAGE));
    expect(goes_out(space, permit, at[i]) == INVALID && contexts[0].version == i + 1);
    memcpy(words_at(next), words_at(page), PAGE);
    expect(!comes_in(space, permit, at[i], next) && model.owner[number_of(next)] == 1);
    expect(!memcmp(before, words_at(next), PAGE) && *own_leaf(at[i]) == (next >> 2 | (entry & 255)));
    expect(comes_in(space, permit, at[i], new_page()) == INVALID);
    expect(csrs()->satp == space->satp && !model.active[0] && pages_of(1) == PROGRAM_PAGES);
  }
  expect(resume_at(space, GATE, 1));
}

CASE(keeps_its_keys, "keys of pages are drawn once, and are others for each context") {
  uint64_t permit, first, second;
  space *space = away(&permit), *other = new_space();
  second = allow_all(other);
  expect(enter_at(other, START, GATE));
  take_trap(USER_CALL, 0, 0);
  first = permit;
  expect(!goes_out(space, first, WORDS) && !goes_out(other, second, WORDS));
  const page_keys keys = contexts[0].page_keys;
  expect(memcmp(&keys, &contexts[1].page_keys, sizeof keys) && model.draws == 12);
  expect(!goes_out(space, first, START) && !memcmp(&keys, &contexts[0].page_keys, sizeof keys));
}

CASE(waits_for_random_words, "no page goes out under keys of which a word is missing") {
  uint64_t permit;
  space *space = away(&permit);
  for (unsigned i = 1; i <= 6; i++) {
    const uint64_t before = *words_at(page_at(space->satp, WORDS));
    model.draws = 0;
    model.empty = i;
    expect(goes_out(space, permit, WORDS) == FULL && !contexts[0].version && model.draws == i);
    expect(*words_at(page_at(space->satp, WORDS)) == before && pages_of(1) == PROGRAM_PAGES);
  }
  model.empty = 0;
  expect(!goes_out(space, permit, WORDS));
}

CASE(keeps_pages_in, "only pages in memory that the context may use go out, of one that waits, by its own permit") {
  uint64_t permit;
  space *space = away(&permit);
  const uint64_t wrong[] = {START - PAGE, PROGRAM_END, START + 8, WORDS + 1, TABLES_AT, SEALED_CODE, SEALED_DATA};
  const uint64_t stranger = (expect(!call(ALLOW, 1, START, 16, 0)), value);
  for (unsigned i = 0; i < ARRAY_LENGTH(wrong); i++) expect(goes_out(space, permit, wrong[i]) == INVALID);
  expect(goes_out(space, stranger, WORDS) == INVALID && goes_out(space, 64, WORDS) == INVALID);
  expect(goes_out(space, permit | 1UL << 32, WORDS) == INVALID);
  expect(!call_of(space, PAGE_OUT, permit, WORDS, 0, 0) && call_of(space, PAGE_OUT, stranger, WORDS, 0, 0) == INVALID);
  expect(call_of(space, PAGE_OUT, permit, PROGRAM_END, 0, 0) == INVALID);
  expect(resume_at(space, GATE, 1));
  model.hart = 1;
  expect(goes_out(space, permit, WORDS) == STATE && call_of(space, PAGE_OUT, permit, WORDS, 0, 0) == STATE);
  expect(comes_in(space, permit, WORDS, new_page()) == STATE);
  expect(!contexts[0].version && pages_of(1) == PROGRAM_PAGES);
  model.hart = 0;
  take_trap(USER_CALL, 0, 0);
  expect(!call(KILL, 1, 0, 0, 0) && goes_out(space, permit, WORDS) == INVALID);
  expect(call_of(space, PAGE_OUT, permit, WORDS, 0, 0) == INVALID);
}

CASE(takes_out_own_pages, "memory that names a table, or another's page, gets nothing encrypted") {
  uint64_t permit;
  space *space = away(&permit);
  const uint64_t wrong[] = {contexts[0].table[0], contexts[0].table[7], DRAM + 5 * PAGE, page_at(space->satp, SHARED),
                            0x10060000};
  for (unsigned i = 0; i < ARRAY_LENGTH(wrong); i++) {
    const uint64_t word = *words_at(wrong[i]);
    tag_of(space)[3] = 77;
    *own_leaf(WORDS) = wrong[i] >> 2 | LEAF;
    expect(goes_out(space, permit, WORDS) == MEMORY && *words_at(wrong[i]) == word && !contexts[0].version);
    expect(*own_leaf(WORDS) == (wrong[i] >> 2 | LEAF) && pages_of(1) == PROGRAM_PAGES && tag_of(space)[3] == 77);
  }
}

CASE(has_sixteen_tables, "a context may have sixteen tables") {
  static const unsigned segments[][2] = {{CODE, 1}, {TABLES, 16}, {DATA, 1}};
  call(ENABLE, 0, 0, 0, 0);
  space *space = space_of(segments, 3);
  const uint64_t permit = allow_all(space), data = START + 17 * PAGE;
  expect(enter_at(space, START, GATE));
  for (uint64_t i = 3; i < 20; i++) {
    map_at(space, i << 30, page_at(space->satp, SHARED), LEAF);
    take_trap(LOAD, i << 30, 0);
    expect(in_context());
  }
  take_trap(USER_CALL, 0, 0);
  expect(!goes_out(space, permit, data) && !comes_in(space, permit, data, page_at(space->satp, data)));
  expect(goes_out(space, permit, START + PAGE) == INVALID && !call(KILL, 1, 0, 0, 0));
  expect_nothing_left();
}

CASE(needs_a_place_for_the_tag, "without a place for its tag that may be written nothing goes out") {
  uint64_t permit;
  space *space = away(&permit);
  uint64_t *leaf = leaf_at(space->satp, TAG);
  const uint64_t before = *leaf;
  *leaf = before & ~W;
  expect(goes_out(space, permit, WORDS) == UNMAPPED && !contexts[0].version);
  *leaf = 0;
  expect(goes_out(space, permit, WORDS) == UNMAPPED && !contexts[0].version);
  // The second half of the tag is on a page that is not there
  *leaf = before;
  expect(call_of(space, PAGE_OUT, permit, WORDS, TAG + PAGE - 16, 0) == UNMAPPED && !contexts[0].version);
  expect(call_of(space, PAGE_IN, permit, WORDS, 0, TAG + PAGE - 16) == UNMAPPED);
  // or on one that may be read only
  map_at(space, TAG + PAGE, new_page(), LEAF & ~(U | W));
  expect(call_of(space, PAGE_OUT, permit, WORDS, TAG + PAGE - 16, 0) == UNMAPPED && !contexts[0].version);
  expect(!goes_out(space, permit, WORDS));
}

CASE(counts_memory_that_fails, "a page that cannot be read for its tag stays, as it was") {
  uint64_t permit;
  space *space = away(&permit);
  const uint64_t page = page_at(space->satp, WORDS), entry = *own_leaf(WORDS);
  static uint64_t before[512];
  memcpy(before, words_at(page), PAGE);
  model.is_read_failing = true;
  expect(goes_out(space, permit, WORDS) == MEMORY && *own_leaf(WORDS) == entry && model.owner[number_of(page)] == 1);
  expect(!memcmp(before, words_at(page), PAGE));
  model.is_read_failing = false;
  expect(!goes_out(space, permit, WORDS) && contexts[0].version == 2);
  model.is_read_failing = true;
  memcpy(before, words_at(page), PAGE);
  expect(comes_in(space, permit, WORDS, page) == MEMORY && !model.owner[number_of(page)]);
  expect(!memcmp(before, words_at(page), PAGE));
  model.is_read_failing = false;
  expect(!comes_in(space, permit, WORDS, page));
}

CASE(loses_versions_never, "each page that goes out has a version of its own, up to the last") {
  uint64_t permit;
  const uint64_t last = (1UL << 54) - 1;
  space *space = away(&permit);
  expect(!goes_out(space, permit, WORDS));
  contexts[0].version = last - 1;
  static uint64_t before[512], seen[512];
  const uint64_t page = page_at(space->satp, START);
  memcpy(before, words_at(page), PAGE);
  expect(!goes_out(space, permit, START) && contexts[0].version == last && *own_leaf(START) >> 10 == last);
  decrypt(last, words_at(page), seen);
  expect(!memcmp(before, seen, PAGE));
  expect(goes_out(space, permit, MORE_WORDS) == INVALID && contexts[0].version == last);
  expect(!comes_in(space, permit, START, page_at(space->satp, START)));
  expect(goes_out(space, permit, START) == INVALID);
}

CASE(is_missed, "the supervisor gets the page fault when a page is missing that an instruction needs") {
  uint64_t permit;
  space *space = away(&permit);
  *words_at(0x10060000 + 0x48) = 1;
  expect(!goes_out(space, permit, WORDS) && resume_at(space, GATE, 1));
  const uint64_t *row = contexts[0].frame.x;
  expect(execute(space, KEY, START + 8, WORDS, 0, 0) && !in_context());
  expect(csrs()->scause == LOAD && csrs()->stval == WORDS && contexts[0].pc == START + 8 && row[10] == WORDS);
  expect(!comes_in(space, permit, WORDS, page_at(space->satp, WORDS)) && resume_at(space, GATE, 1));
  expect(csrs()->mepc == START + 8 && execute(space, KEY, START + 8, WORDS, 0, 0) && in_context());
  expect(csrs()->mepc == START + 12 && !row[10]);
  // Beside the program no page is out, whatever is in its tables
  static const uint64_t beside[] = {START - PAGE, PROGRAM_END};
  for (unsigned i = 0; i < 2; i++) {
    *leaf_at(csrs()->satp, beside[i]) = 1 << 10 | 256 | 254;
    expect(!is_page_out(&contexts[0], beside[i]));
  }
  *leaf_at(csrs()->satp, WORDS) = 1 << 10 | 256 | 254;
  expect(is_page_out(&contexts[0], WORDS) && is_page_out(&contexts[0], WORDS + PAGE - 1));
  expect(!is_page_out(&contexts[0], WORDS + PAGE) && !is_page_out(&contexts[0], WORDS - 1));
  expect(!is_page_out(&contexts[0], GATE));
  // What is not there and not out is an error
  expect(execute(space, KEY, START + 8, SEALED_DATA, 0, 0) && in_context() && (int64_t)row[10] == UNMAPPED);
}

CASE(ends_with_pages_out, "a context ends with pages out, which stay what they are") {
  uint64_t permit;
  space *space = away(&permit);
  expect(!goes_out(space, permit, WORDS) && !goes_out(space, permit, START));
  const uint64_t page = page_at(space->satp, WORDS), first = *words_at(page);
  expect(!call(KILL, 1, 0, 0, 0) && *words_at(page) == first);
  expect_nothing_left();
  expect(comes_in(space, permit, WORDS, page) == INVALID);
}
