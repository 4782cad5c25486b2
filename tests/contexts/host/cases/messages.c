// TEE_KEY, TEE_SIGN, TEE_DECRYPT and TEE_RANDOM: what they take and give, and what they refuse.
#include <string.h>

#include "cases.h"

#define MESSAGE WORDS
#define ANSWER MORE_WORDS
#define TEXT 33  // bytes

static const uint64_t *row = contexts[0].frame.x;

static space *with_secret(void) {
  space *space = entered();
  for (unsigned i = 0; i < 4; i++) *words_at(0x10060058 + 8 * i) = mix64(i);
  *words_at(0x10060048) = 1;
  return space;
}

static uint8_t *memory_at(space *space, uint64_t address) {
  return (uint8_t *)page_at(space->satp, address) + address % PAGE;
}

static int64_t serve(space *space, unsigned number, uint64_t a0, uint64_t a1, uint64_t a2) {
  for (unsigned i = 0; i < 32; i++) contexts[0].frame.x[i] = 2000 + i;
  expect(execute(space, number, START, a0, a1, a2) && in_context() && csrs()->mepc == START + 4);
  for (unsigned i = 0; i < 32; i++) expect(i >= 10 && i <= 12 ? true : row[i] == 2000 + i);
  expect(row[11] == a1 && row[12] == a2);
  return (int64_t)row[10];
}

// Of the secret, most significant byte first
static void make_keys(br_ec_private_key *key, uint8_t *scalar, uint8_t *point) {
  br_hmac_drbg_context random;
  uint8_t seed[40] = "Haubkey1";
  for (unsigned i = 0; i < 32; i++) seed[8 + i] = (uint8_t)(mix64(3 - i / 8) >> (56 - 8 * (i % 8)));
  br_hmac_drbg_init(&random, &br_sha256_vtable, seed, sizeof seed);
  br_ec_keygen(&random.vtable, &br_ec_p256_m31, key, scalar, BR_EC_secp256r1);
  br_ec_compute_pub(&br_ec_p256_m31, NULL, point, key);
}

static void public_key(uint8_t *point) {
  br_ec_private_key key;
  uint8_t scalar[32];
  make_keys(&key, scalar, point);
}

CASE(tells_its_key, "the processor tells its public key, of its secret, to where the context may write") {
  space *space = with_secret();
  uint8_t point[65];
  public_key(point);
  memset(memory_at(space, ANSWER), 0xee, 66);
  expect(!serve(space, KEY, ANSWER + 1, 0, 0) && !memcmp(point + 1, memory_at(space, ANSWER + 1), 64));
  expect(memory_at(space, ANSWER)[0] == 0xee && memory_at(space, ANSWER)[65] == 0xee);
  expect(!serve(space, KEY, PROGRAM_END - 64, 0, 0) && serve(space, KEY, PROGRAM_END - 63, 0, 0) == INVALID);
  expect(serve(space, KEY, START - 1, 0, 0) == INVALID && serve(space, KEY, SHARED, 0, 0) == INVALID);
  expect(serve(space, KEY, ~0UL - 31, 0, 0) == INVALID && serve(space, KEY, PROGRAM_END, 0, 0) == INVALID);
  // Code may not be written, nor the first or the last byte
  expect(serve(space, KEY, START, 0, 0) == UNMAPPED && serve(space, KEY, WORDS - 1, 0, 0) == UNMAPPED);
  expect(serve(space, KEY, WORDS + PAGE - 63, 0, 0) == UNMAPPED && serve(space, KEY, SEALED_DATA, 0, 0) == UNMAPPED);
}

CASE(needs_its_secret, "a processor without a secret tells no key, signs nothing and decrypts nothing") {
  space *space = with_secret();
  // Another bit of the register
  *words_at(0x10060048) = 2;
  uint8_t *answer = memory_at(space, ANSWER);
  for (unsigned i = 0; i < 64; i++) answer[i] = (uint8_t)(i + 5);
  expect(serve(space, KEY, ANSWER, 0, 0) == NO_SECRET && serve(space, SIGN, MESSAGE, 8, ANSWER) == NO_SECRET);
  expect(serve(space, DECRYPT, MESSAGE, 8, ANSWER) == NO_SECRET);
  for (unsigned i = 0; i < 64; i++) expect(answer[i] == i + 5);
}

CASE(draws_random_words, "a random word is the guard's, and 0 if there is none") {
  space *space = with_secret();
  const int64_t first = serve(space, RANDOM, 0, 0, 0), second = serve(space, RANDOM, 0, 0, 0);
  expect(first && second && first != second && model.draws == 2);
  model.empty = 3;
  expect(!serve(space, RANDOM, 0, 0, 0) && serve(space, RANDOM, 0, 0, 0));
}

// Of the context's own hash and message
static bool is_signed(space *space, uint64_t message, uint64_t bytes) {
  static uint64_t words[2 + 4 + 8192];
  uint64_t digest[4], tail = 0;
  uint8_t point[65], scalar[32], signature[64];
  br_ec_private_key key;
  words[0] = 0x3167697362756148;  // "Haubsig1"
  memcpy(words + 1, contexts[0].digest, 32);
  for (uint64_t i = 0; i < bytes; i++) {
    const uint8_t byte = *memory_at(space, message + i);
    if (i / 8 < bytes / 8)
      ((uint8_t *)(words + 5))[i] = byte;
    else
      ((uint8_t *)&tail)[i % 8] = byte;
  }
  make_keys(&key, scalar, point);
  digest_of_bytes(words, (unsigned)(5 + bytes / 8), tail, bytes % 8, digest);
  br_ecdsa_i31_sign_raw(&br_ec_p256_m31, &br_sha256_vtable, digest, &key, signature);
  return !memcmp(signature, memory_at(space, ANSWER), sizeof signature);
}

CASE(signs_messages, "a signature is of the program's hash and the whole message, of any length") {
  static const unsigned lengths[] = {0, 1, 7, 8, 9, 64, PAGE};
  space *space = with_secret();
  for (unsigned i = 0; i < ARRAY_LENGTH(lengths); i++) {
    memset(memory_at(space, ANSWER), 0, 65);
    expect(!serve(space, SIGN, MESSAGE, lengths[i], ANSWER) && is_signed(space, MESSAGE, lengths[i]));
    expect(!memory_at(space, ANSWER)[64]);
  }
  expect(!serve(space, SIGN, PROGRAM_END, 0, ANSWER) && is_signed(space, PROGRAM_END, 0));
  expect(!serve(space, SIGN, START + 3, 2 * PAGE - 3, ANSWER) && is_signed(space, START + 3, 2 * PAGE - 3));
  expect(serve(space, SIGN, PROGRAM_END - 8, 9, ANSWER) == INVALID &&
         serve(space, SIGN, START - 1, 8, ANSWER) == INVALID);
  expect(serve(space, SIGN, SHARED, 8, ANSWER) == INVALID && serve(space, SIGN, MESSAGE, ~0UL, ANSWER) == INVALID);
  expect(serve(space, SIGN, MESSAGE, 8, SHARED) == INVALID && serve(space, SIGN, MESSAGE, 8, START) == UNMAPPED);
  expect(serve(space, SIGN, MESSAGE, 8, PROGRAM_END - 63) == INVALID);
  // A message that is not there ends, and the next is of its own
  expect(serve(space, SIGN, MESSAGE, 2 * PAGE, ANSWER) == UNMAPPED);
  expect(!serve(space, SIGN, MESSAGE, 8, ANSWER) && is_signed(space, MESSAGE, 8));
}

CASE(signs_as_much, "a message has at most 64 KiB") {
  static const unsigned segments[][2] = {{CODE, 1}, {DATA, 17}, {TABLES, 8}};
  call(ENABLE, 0, 0, 0, 0);
  space *space = space_of(segments, 3);
  allow_all(space);
  expect(enter_at(space, START, GATE));
  *words_at(0x10060048) = 1;
  expect(!serve(space, SIGN, START + PAGE, 65536, START + 17 * PAGE));
  expect(serve(space, SIGN, START + PAGE, 65537, START + 17 * PAGE) == INVALID);
  // The hasher has begun no message after an alarm
  model.is_alarm = true;
  expect(serve(space, SIGN, START + PAGE, 8, START + 17 * PAGE) == MEMORY);
}

// A message as docs/contexts.md has it, for this hash
static const uint8_t sender[32] = {7, [31] = 9};
static void seal(uint8_t *to, unsigned bytes) {
  uint8_t point[65], public[65], keys[32];
  br_hmac_key_context mac_key;
  br_hmac_context mac;
  br_aes_ct64_ctr_keys cipher;
  br_gcm_context gcm;
  public_key(public);
  br_ec_p256_m31.mulgen(point, sender, sizeof sender, BR_EC_secp256r1);
  br_ec_p256_m31.mul(public, sizeof public, sender, sizeof sender, BR_EC_secp256r1);
  br_hmac_key_init(&mac_key, &br_sha256_vtable, "Haubmsg1", 8);
  br_hmac_init(&mac, &mac_key, 0);
  br_hmac_update(&mac, point + 1, 64);
  br_hmac_update(&mac, public + 1, 32);
  br_hmac_out(&mac, keys);
  memcpy(to, point + 1, 64);
  for (unsigned i = 0; i < bytes; i++) to[64 + i] = (uint8_t)(i + 3);
  br_aes_ct64_ctr_init(&cipher, keys, 16);
  br_gcm_init(&gcm, &cipher.vtable, br_ghash_ctmul64);
  br_gcm_reset(&gcm, keys + 16, 12);
  br_gcm_aad_inject(&gcm, contexts[0].digest, 32);
  br_gcm_flip(&gcm);
  br_gcm_run(&gcm, 1, to + 64, bytes);
  br_gcm_get_tag(&gcm, to + 64 + bytes);
}

static bool is_answered(space *space, unsigned bytes) {
  uint8_t *answer = memory_at(space, ANSWER);
  for (unsigned i = 0; i < bytes; i++)
    if (answer[i] != (uint8_t)(i + 3)) return false;
  return answer[bytes] == 0xee;
}

CASE(decrypts_messages, "a message for this program is decrypted, of any length") {
  static const unsigned lengths[] = {0, 1, 15, 16, 17, 255, 256};
  space *space = with_secret();
  for (unsigned i = 0; i < ARRAY_LENGTH(lengths); i++) {
    memset(memory_at(space, ANSWER), 0xee, 300);
    seal(memory_at(space, MESSAGE), lengths[i]);
    expect(!serve(space, DECRYPT, MESSAGE, lengths[i], ANSWER) && is_answered(space, lengths[i]));
  }
  expect(serve(space, DECRYPT, MESSAGE, 257, ANSWER) == INVALID &&
         serve(space, DECRYPT, MESSAGE, ~0UL, ANSWER) == INVALID);
  expect(serve(space, DECRYPT, SHARED, 8, ANSWER) == INVALID && serve(space, DECRYPT, MESSAGE, 8, SHARED) == INVALID);
  expect(serve(space, DECRYPT, PROGRAM_END - 87, 8, ANSWER) == INVALID);
  expect(serve(space, DECRYPT, PROGRAM_END - 88, 8, ANSWER) == FORGED);
  expect(serve(space, DECRYPT, MESSAGE, 8, START) == UNMAPPED &&
         serve(space, DECRYPT, SEALED_DATA, 8, ANSWER) == UNMAPPED);
  expect(serve(space, DECRYPT, WORDS + PAGE - 63, 8, ANSWER) == UNMAPPED);
  expect(serve(space, DECRYPT, WORDS + PAGE - 71, 8, ANSWER) == UNMAPPED);
  expect(serve(space, DECRYPT, WORDS + PAGE - 87, 8, ANSWER) == UNMAPPED);
  // The answer's last byte has no place
  memcpy(memory_at(space, ANSWER), memory_at(space, MESSAGE), 64);
  expect(serve(space, DECRYPT, MESSAGE, 8, WORDS + PAGE - 7) == UNMAPPED);
}

static void expect_forged(space *space) {
  expect(serve(space, DECRYPT, MESSAGE, TEXT, ANSWER) == FORGED);
  for (unsigned i = 0; i < TEXT; i++) expect(memory_at(space, ANSWER)[i] == 0xee);
}

CASE(decrypts_no_forgeries, "a message of which any byte is another gives nothing, nor one for another hash") {
  space *space = with_secret();
  uint8_t *message = memory_at(space, MESSAGE);
  memset(memory_at(space, ANSWER), 0xee, 300);
  seal(message, TEXT);
  // Each of these takes a multiplication on the curve
  for (unsigned byte = 0; byte < 64 + TEXT + 16; byte += byte < 64 ? 21 : 1) {
    message[byte] ^= 1 << byte % 8;
    expect_forged(space);
    message[byte] ^= 1 << byte % 8;
  }
  for (unsigned word = 0; word < 4; word++) {
    contexts[0].digest[word] ^= 1UL << 17 * word;
    expect_forged(space);
    contexts[0].digest[word] ^= 1UL << 17 * word;
  }
  *words_at(0x10060070) ^= 1;
  expect_forged(space);
  *words_at(0x10060070) ^= 1;
  expect(!serve(space, DECRYPT, MESSAGE, TEXT, ANSWER) && is_answered(space, TEXT));
}
