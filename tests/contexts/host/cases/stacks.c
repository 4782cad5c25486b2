// Secrets that the microcode has for a moment: none of them stays on its stack, or among its variables.
#include <string.h>

#include "cases.h"

#define MOST_STACK 3000
#define TEXT 33

static uint8_t *lowest, *end;
static void fills(void *argument) {
  // Its return address is the first word of the stack
  end = (uint8_t *)__builtin_frame_address(0) + 16;
  volatile uint8_t bytes[*(unsigned *)argument];
  for (unsigned i = 0; i < sizeof bytes; i++) bytes[i] = 0xa5;
  lowest = (uint8_t *)(uintptr_t)bytes;
}

CASE(clears_the_key_stack, "the key stack is cleared") {
  unsigned bytes = MOST_STACK;
  work_unseen(fills, &bytes);
  for (unsigned i = 0; i < bytes; i++) expect(!lowest[i]);
  // What a reset has left there is not taken for its end
  end[-(int)PAGE] = 1;
  work_unseen(fills, &bytes);
  for (int i = 1; i <= (int)PAGE; i++) expect(!end[-i]);
}

CASE_THAT_ENDS(stops_without_stack, "a key stack that is too small stops the run", 0x72, 0) {
  unsigned bytes = PAGE;
  work_unseen(fills, &bytes);
}

// Word by word: later calls write on a part of what stayed
static void expect_no_trace(void (*work)(void *argument), void *of, const void *secret, unsigned bytes) {
  uint8_t masked[256];
  mask(masked, secret, bytes);
  on_own_stack(work, of);
  for (unsigned i = 0; i < bytes; i += 8) expect(!on_stack(masked + i, 8) && !anywhere(masked + i, 8));
}

static trap_frame frame;
static int64_t error;
static void crypts(void *key) { crypt_page(key, (uint8_t[12]){0}, contexts[0].table[7]); }
static void signs(void *of) { error = sign_message(of, &frame); }
static void tells(void *of) { error = tell_key(of, &frame); }
static void decrypts(void *of) { error = decrypt_message(of, &frame); }
static void sets(void *of) { error = set_key(of, &frame); }
static void goes_out(void *at) { error = page_out(contexts[0].permit, *(uint64_t *)at, TAG); }

CASE(keeps_no_key_of_pages, "no key of private pages stays on the stack") {
  static uint64_t key[2] = {0x1122334455667788, 0x99aabbccddeeff00};
  uint8_t masked[16];
  space *space = entered();
  uint64_t *words = words_at(page_at(space->satp, WORDS));
  mask(masked, key, sizeof key);
  on_own_stack(crypts, key);
  for (unsigned i = 0; i < 16; i += 8) expect(!on_stack(masked + i, 8));
  enter_exclusive();
  // The right key; another; one whose digest is not there
  static const int64_t errors[] = {1, FORGED, UNMAPPED};
  for (unsigned wrong = 0; wrong < 3; wrong++) {
    memcpy(words, key, sizeof key);
    digest_of(key, 2, words + 8);
    words[8] ^= wrong;
    frame.x[10] = WORDS;
    frame.x[11] = wrong < 2 ? WORDS + 64 : SEALED_DATA;
    on_own_stack(sets, &contexts[0]);
    expect(error == errors[wrong]);
    for (unsigned i = 0; i < 16; i += 8) expect(!on_stack(masked + i, 8));
  }
}

CASE(keeps_no_key_of_paging, "no key of pages on disk stays on the stack") {
  space *space = entered();
  const uint64_t at[] = {WORDS, MORE_WORDS};
  uint8_t keys[48];
  take_trap(USER_CALL, 0, 0);
  csrs()->satp = space->satp;
  csrs()->mstatus = 1 << 11;
  for (unsigned i = 0; i < 2; i++) {
    on_own_stack(goes_out, (void *)&at[i]);
    mask(keys, &contexts[0].page_keys, sizeof keys);
    expect(!error && contexts[0].version == i + 1);
    for (unsigned word = 0; word < sizeof keys; word += 8) expect(!on_stack(keys + word, 8));
  }
  expect(!call(KILL, 1, 0, 0, 0));
  for (unsigned word = 0; word < sizeof keys; word += 8) expect(!anywhere(keys + word, 8));
  expect_nothing_left();
}

static space *with_secret(void) {
  space *space = entered();
  for (unsigned i = 0; i < 4; i++) *words_at(0x10060058 + 8 * i) = mix64(i);
  *words_at(0x10060048) = 1;
  enter_exclusive();
  frame.x[10] = WORDS;
  return space;
}

CASE(keeps_no_key_of_the_processor, "neither the secret of the fuses nor the key made of it stays") {
  static void (*const works[])(void *) = {signs, tells, decrypts};
  processor_key key;
  uint64_t secret[4];
  with_secret();
  frame.x[11] = TEXT;
  frame.x[12] = MORE_WORDS;
  for (unsigned work = 0; work < ARRAY_LENGTH(works); work++) {
    make_key(&key);
    uint8_t scalar[32];
    mask(scalar, key.scalar, sizeof scalar);
    memset(&key, 0, sizeof key);
    for (unsigned i = 0; i < 4; i++) secret[i] = mix64(i);
    expect_no_trace(works[work], &contexts[0], secret, sizeof secret);
    for (unsigned i = 0; i < 32; i += 8) expect(!on_stack(scalar + i, 8) && !anywhere(scalar + i, 8));
    expect(error == (works[work] == decrypts ? FORGED : 0));
  }
}

// For a hash of zeros
static const uint8_t sender[32] = {7, [31] = 9};
static uint8_t text[256];
static void seal(uint8_t *message, const uint8_t *point, const uint8_t *shared) {
  uint8_t keys[32], digest[32] = {0};
  br_hmac_key_context mac_key;
  br_hmac_context mac;
  br_aes_ct64_ctr_keys cipher;
  br_gcm_context gcm;
  br_hmac_key_init(&mac_key, &br_sha256_vtable, "Haubmsg1", 8);
  br_hmac_init(&mac, &mac_key, 0);
  br_hmac_update(&mac, point, 64);
  br_hmac_update(&mac, shared, 32);
  br_hmac_out(&mac, keys);
  memcpy(message, point, 64);
  memcpy(message + 64, text, sizeof text);
  br_aes_ct64_ctr_init(&cipher, keys, 16);
  br_gcm_init(&gcm, &cipher.vtable, br_ghash_ctmul64);
  br_gcm_reset(&gcm, keys + 16, 12);
  br_gcm_aad_inject(&gcm, digest, sizeof digest);
  br_gcm_flip(&gcm);
  br_gcm_run(&gcm, 1, message + 64, sizeof text);
  br_gcm_get_tag(&gcm, message + 64 + sizeof text);
}

static uint8_t *ready_to_decrypt(void) {
  uint8_t *message = (uint8_t *)page_at(with_secret()->satp, WORDS);
  frame.x[11] = sizeof text;
  for (unsigned i = 0; i < sizeof text; i++) text[i] = (uint8_t)(mix64(i) >> 8);
  frame.x[12] = MORE_WORDS;
  memset(contexts[0].digest, 0, 32);
  return message;
}

// Right, and forged behind the text, which is decrypted before its tag is known
CASE(keeps_no_text, "neither text nor key of a message stays, whether it is right or forged") {
  uint8_t *message = ready_to_decrypt(), masked[sizeof text];
  uint8_t *const answer = (uint8_t *)page_at(csrs()->satp, MORE_WORDS);
  for (unsigned forged = 0; forged < 2; forged++) {
    processor_key key;
    uint8_t public[65], point[65];
    make_key(&key);
    br_ec_compute_pub(&br_ec_p256_m31, NULL, public, &key.key);
    br_ec_p256_m31.mulgen(point, sender, sizeof sender, BR_EC_secp256r1);
    br_ec_p256_m31.mul(public, sizeof public, sender, sizeof sender, BR_EC_secp256r1);
    seal(message, point + 1, public + 1);
    message[64 + sizeof text] ^= forged;
    memset(answer, 0, sizeof text);
    on_own_stack(decrypts, &contexts[0]);
    expect(error == (forged ? FORGED : 0) && forged == (memcmp(answer, text, sizeof text) != 0));
    mask(masked, text, sizeof text);
    for (unsigned i = 0; i < sizeof text; i += 8) expect(!on_stack(masked + i, 8));
    mask(masked, public + 1, 32);
    for (unsigned i = 0; i < 32; i += 8) expect(!on_stack(masked + i, 8));
  }
}

// A point of order two on another curve: whoever multiplies it shares one of few x with the sender.
CASE(takes_no_point_off_the_curve, "a point that is not on the curve is refused") {
  uint8_t *message = ready_to_decrypt();
  const uint8_t point[64] = {0};
  for (unsigned parity = 2; parity < 4; parity++) {
    uint8_t shared[65] = {4};
    const uint8_t scalar[32] = {[31] = (uint8_t)parity};
    br_ec_p256_m31.mul(shared, sizeof shared, scalar, sizeof scalar, BR_EC_secp256r1);
    seal(message, point, shared + 1);
    on_own_stack(decrypts, &contexts[0]);
    expect(error == FORGED);
  }
}
