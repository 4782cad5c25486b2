// TEE_SET_KEY: private pages, from ciphertext in the hash to what a program uses.
#include <string.h>

#include "cases.h"

#define KEY_AT WORDS
#define DIGEST_AT (WORDS + 64)

static const uint64_t key[2] = {0x1122334455667788, 0x99aabbccddeeff00};

// The first counter is "Haub" and the address, most significant byte first
static void crypt(uint64_t address, void *page) {
  br_aes_ct64_ctr_keys keys;
  uint8_t counter[12] = "Haub";
  for (unsigned i = 0; i < 8; i++) counter[4 + i] = (uint8_t)(address >> (56 - 8 * i));
  br_aes_ct64_ctr_init(&keys, key, sizeof key);
  br_aes_ct64_ctr_run(&keys, counter, 0, page, PAGE);
}

static uint64_t page_of_space(space *space, uint64_t address) { return page_at(space->satp, address); }

static space *with_key(void) {
  space *space = entered();
  uint64_t *words = words_at(page_of_space(space, KEY_AT));
  memcpy(words, key, sizeof key);
  digest_of(key, 2, words + 8);
  return space;
}

static int64_t set(space *space, uint64_t key_at, uint64_t digest_at) {
  expect(execute(space, SET_KEY, START, key_at, digest_at, 0) && in_context() && csrs()->mepc == START + 4);
  return (int64_t)contexts[0].frame.x[10];
}

static uint64_t own_entry_of(uint64_t address) { return *leaf_at(csrs()->satp, address); }

CASE(opens_private_pages,
     "the right key opens a page for each instruction, which is made once more while others wait") {
  space *space = with_key();
  static uint64_t code[512], data[512], others[512];
  memcpy(code, words_at(page_of_space(space, SEALED_CODE)), PAGE);
  memcpy(data, words_at(page_of_space(space, SEALED_DATA)), PAGE);
  memcpy(others, words_at(page_of_space(space, MORE_WORDS)), PAGE);
  crypt(SEALED_CODE, code);
  expect(execute(space, SET_KEY, START, KEY_AT, DIGEST_AT, 0) && csrs()->mepc == START && model.frame->x[10] == KEY_AT);
  expect(!memcmp(code, words_at(page_of_space(space, SEALED_CODE)), PAGE));
  expect(!memcmp(data, words_at(page_of_space(space, SEALED_DATA)), PAGE));
  expect(own_entry_of(SEALED_CODE) == (page_of_space(space, SEALED_CODE) >> 2 | V | R | X | U | A));
  expect(!(own_entry_of(SEALED_DATA) & V));
  crypt(SEALED_DATA, data);
  expect(!set(space, KEY_AT, DIGEST_AT));
  expect(!memcmp(data, words_at(page_of_space(space, SEALED_DATA)), PAGE));
  expect(own_entry_of(SEALED_DATA) == (page_of_space(space, SEALED_DATA) >> 2 | V | R | W | U | A | D));
  expect(set(space, KEY_AT, DIGEST_AT) == STATE);
  expect(!memcmp(code, words_at(page_of_space(space, SEALED_CODE)), PAGE));
  expect(!memcmp(others, words_at(page_of_space(space, MORE_WORDS)), PAGE));
}

CASE(leaves_pages_that_are_out, "a page that is out waits for no key") {
  space *space = with_key();
  const uint64_t permit = contexts[0].permit;
  take_trap(USER_CALL, 0, 0);
  const uint64_t other = page_of_space(space, MORE_WORDS);
  expect(!call_of(space, PAGE_OUT, permit, MORE_WORDS, TAG, 0));
  const uint64_t word = *words_at(other);
  expect(resume_at(space, GATE, 1));
  const uint64_t entry = own_entry_of(MORE_WORDS);
  expect(execute(space, SET_KEY, START, KEY_AT, DIGEST_AT, 0) && !set(space, KEY_AT, DIGEST_AT));
  expect(set(space, KEY_AT, DIGEST_AT) == STATE && own_entry_of(MORE_WORDS) == entry && *words_at(other) == word);
}

CASE(opens_the_last_page, "a private page may be the first or the last of a program") {
  static const unsigned segments[][2] = {{PRIVATE_DATA, 1}, {CODE, 1}, {DATA, 1}, {TABLES, 8}, {PRIVATE_CODE, 1}};
  call(ENABLE, 0, 0, 0, 0);
  space *space = space_of(segments, 5);
  allow_all(space);
  memcpy(words_at(page_at(space->satp, START + 2 * PAGE)), key, sizeof key);
  digest_of(key, 2, words_at(page_at(space->satp, START + 2 * PAGE)) + 8);
  expect(enter_at(space, START + PAGE, GATE));
  expect(execute(space, SET_KEY, START, START + 2 * PAGE, START + 2 * PAGE + 64, 0) && csrs()->mepc == START);
  expect(own_entry_of(START) & V && !(own_entry_of(START + 11 * PAGE) & V));
  expect(!set(space, START + 2 * PAGE, START + 2 * PAGE + 64) && own_entry_of(START + 11 * PAGE) & V);
}

static void expect_closed(space *space, int64_t error) {
  expect(set(space, KEY_AT, DIGEST_AT) == error && !(own_entry_of(SEALED_CODE) & V) &&
         !(own_entry_of(SEALED_DATA) & V));
}

CASE(refuses_other_keys, "a key of which any bit is another, or that has another digest, opens nothing") {
  space *space = with_key();
  uint64_t *words = words_at(page_of_space(space, KEY_AT));
  for (unsigned bit = 0; bit < 128; bit++) {
    words[bit / 64] ^= 1UL << bit % 64;
    expect_closed(space, FORGED);
    words[bit / 64] ^= 1UL << bit % 64;
  }
  for (unsigned bit = 0; bit < 256; bit++) {
    words[8 + bit / 64] ^= 1UL << bit % 64;
    expect_closed(space, FORGED);
    words[8 + bit / 64] ^= 1UL << bit % 64;
  }
}

CASE(takes_own_keys_only, "key and digest are in the context's own memory") {
  space *space = with_key();
  map_at(space, PROGRAM_END, new_page(), LEAF);
  const uint64_t outside[] = {SHARED, PROGRAM_END - 8, PROGRAM_END, START - 8, ~0UL - 7};
  for (unsigned i = 0; i < ARRAY_LENGTH(outside); i++) {
    expect(set(space, outside[i], DIGEST_AT) == INVALID && set(space, KEY_AT, outside[i]) == INVALID);
    expect(!(own_entry_of(SEALED_CODE) & V));
  }
  expect(set(space, PROGRAM_END - 15, DIGEST_AT) == INVALID && set(space, KEY_AT, PROGRAM_END - 31) == INVALID);
  expect(set(space, PROGRAM_END - 16, DIGEST_AT) == FORGED && set(space, KEY_AT, PROGRAM_END - 32) == FORGED);
  expect(set(space, TABLES_AT, DIGEST_AT) == UNMAPPED && set(space, KEY_AT, SEALED_DATA) == UNMAPPED);
}

CASE(decrypts_own_pages_only, "memory that names another page in the place of a private one gets nothing decrypted") {
  space *space = with_key();
  const uint64_t bits = R | X | U | A,
                 wrong[] = {contexts[0].table[0], contexts[0].table[7], DRAM + 5 * PAGE, page_of_space(space, SHARED)};
  for (unsigned i = 0; i < ARRAY_LENGTH(wrong); i++) {
    const uint64_t word = *words_at(wrong[i]);
    *leaf_at(csrs()->satp, SEALED_CODE) = wrong[i] >> 2 | bits;
    expect(set(space, KEY_AT, DIGEST_AT) == FORGED && *words_at(wrong[i]) == word);
    expect(*leaf_at(csrs()->satp, SEALED_CODE) == (wrong[i] >> 2 | bits));
  }
}
