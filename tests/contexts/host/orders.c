// What the microcode leaves behind, and what it refuses, one case a process: what no test of a SoC sees.
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "identity.h"
#include "system.h"

#define STACK (1 << 16)
#define EXIT_SEEN 4  // by a case that fails
#define LAST_VERSION ((1UL << 54) - 1)
#define MASK 0x5a

static uint8_t own_stack[STACK] __attribute__((aligned(16)));
extern uint8_t __data_start[], _end[];

static void expect_that(bool holds, unsigned line) {
  if (holds) return;
  printf("  orders.c:%u\n", line);
  fflush(stdout);
  _exit(EXIT_SEEN);
}
#define expect(holds) expect_that(holds, __LINE__)

// Where bytes are that are kept masked here, among these; what was looked for is not found by itself
static bool has(const uint8_t *from, const uint8_t *end, const uint8_t *masked, unsigned count) {
  for (; from + count <= end; from++) {
    unsigned same = 0;
    while (same < count && from[same] == (masked[same] ^ MASK)) same++;
    if (same == count) return true;
  }
  return false;
}

static bool on_stack(const uint8_t *masked, unsigned count) { return has(own_stack, own_stack + STACK, masked, count); }
static bool anywhere(const uint8_t *masked, unsigned count) { return has(__data_start, _end, masked, count); }

static void mask(uint8_t *to, const void *from, unsigned count) {
  for (unsigned i = 0; i < count; i++) to[i] = ((const uint8_t *)from)[i] ^ MASK;
}

// On a stack that can be looked at
static void on_own_stack(void (*work)(void *argument), void *argument) {
  memset(own_stack, 0, STACK);
  call_on_stack((uint64_t)own_stack + STACK, work, argument);
}

static uint8_t *lowest;
static void fills(void *argument) {
  volatile uint8_t bytes[*(unsigned *)argument];
  for (unsigned i = 0; i < sizeof bytes; i++) bytes[i] = 0xa5;
  lowest = (uint8_t *)(uintptr_t)bytes;
}

static void clears_the_key_stack(void) {
  unsigned bytes = 3000;
  work_unseen(fills, &bytes);
  for (unsigned i = 0; i < bytes; i++) expect(!lowest[i]);
}

static void overflows_the_key_stack(void) {
  unsigned bytes = TEE_PAGE;
  work_unseen(fills, &bytes);
}

static process *entered(void) {
  begin_system();
  process *process = process_on_hart();
  expect(instruction(process, TEE_ENTER) && in_context());
  return process;
}

static void sets_key(void *process) { instruction(process, TEE_SET_KEY); }

static void crypts(void *of) {
  static const uint8_t counter[PAGE_COUNTER];
  const process *process = of;
  crypt_page(process->key, counter, process->own[0]);
}

// Word by word: later calls write on a part of what stayed
static void keeps_no_key_of_pages(void) {
  static void (*const works[])(void *) = {crypts, sets_key};
  process *process = entered();
  uint8_t key[TEE_KEY_BYTES];
  mask(key, process->key, sizeof key);
  for (unsigned work = 0; work < ARRAY_LENGTH(works); work++) {
    on_own_stack(works[work], process);
    for (unsigned i = 0; i < sizeof key; i += 8) expect(!on_stack(key + i, 8));
  }
}

static int64_t error;
static void takes_out(void *process) { error = goes_out(process) ? 0 : TEE_INVALID; }

static process *away(void) {
  process *process = entered();
  trap(8, 0);
  expect(!in_context());
  return process;
}

static void keeps_no_key_of_paging(void) {
  process *process = away();
  do on_own_stack(takes_out, process);
  while (error);
  uint8_t keys[sizeof(page_keys)];
  mask(keys, &contexts[0].page_keys, sizeof keys);
  expect(contexts[0].version == 1);
  for (unsigned i = 0; i < sizeof keys; i += 8) expect(!on_stack(keys + i, 8));
}

static void ends_with_the_last_version(void) {
  process *process = away();
  contexts[0].version = LAST_VERSION - 1;
  while (!goes_out(process)) {
  }
  expect(contexts[0].version == LAST_VERSION);
  for (unsigned i = 0; i < 1000; i++) expect(!goes_out(process));
  expect(contexts[0].version == LAST_VERSION);
}

static void maps_no_own_page_outside(void) {
  process *process = away();
  map_own_outside(process);
  if (!__builtin_setjmp(leave)) instruction(process, TEE_RESUME);
  expect(in_context());
  trap(CAUSE_LOAD_PAGE, SHARED);
  expect(!in_context());
}

// An old digest is no digest of what was lost.
static void hashes_nothing_after_an_alarm(void) {
  uint64_t digest[DIGEST_WORDS];
  hash_word(1);
  expect(hash_end(0, 0, digest));
  model.is_alarm = true;
  hash_word(2);
  expect(!hash_end(0, 0, digest));
}

// Neither yes nor no
static void asks_in_vain_after_an_alarm(void) {
  const uint64_t own = DRAM + 100 * TEE_PAGE, other = DRAM + 101 * TEE_PAGE;
  enter_exclusive();
  stop_harts();
  expect(give_page(&contexts[0], own) && has_page(&contexts[0], own) && !has_page(&contexts[0], other));
  model.is_alarm = true;
  has_page(&contexts[0], own);
}

// messages: a secret for a program, under what its sender shares with the processor
static const uint8_t sender[32] = {7, [31] = 9};
static const char text[] = "sixteen letters and more of them";
static uint8_t message[TEE_POINT + sizeof text + TEE_TAG], answer[sizeof text];
#define MESSAGE_AT 0x40001000UL
#define ANSWER_AT 0x40002000UL

static uint64_t copy_message(void *inside, uint64_t address, uint64_t size, bool is_out) {
  uint8_t *there = address >= ANSWER_AT ? answer + (address - ANSWER_AT) : message + (address - MESSAGE_AT);
  memcpy(is_out ? there : inside, is_out ? inside : there, size);
  return 0;
}

static void seal(const uint8_t *point, const uint8_t *shared) {
  uint8_t keys[br_sha256_SIZE], digest[8 * DIGEST_WORDS] = {0};
  br_hmac_key_context mac_key;
  br_hmac_context mac;
  br_aes_ct64_ctr_keys cipher;
  br_gcm_context gcm;
  br_hmac_key_init(&mac_key, &br_sha256_vtable, "Haubmsg1", 8);
  br_hmac_init(&mac, &mac_key, 0);
  br_hmac_update(&mac, point, TEE_POINT);
  br_hmac_update(&mac, shared, TEE_POINT / 2);
  br_hmac_out(&mac, keys);
  memcpy(message, point, TEE_POINT);
  memcpy(message + TEE_POINT, text, sizeof text);
  br_aes_ct64_ctr_init(&cipher, keys, 16);
  br_gcm_init(&gcm, &cipher.vtable, br_ghash_ctmul64);
  br_gcm_reset(&gcm, keys + 16, 12);
  br_gcm_aad_inject(&gcm, digest, sizeof digest);
  br_gcm_flip(&gcm);
  br_gcm_run(&gcm, 1, message + TEE_POINT, sizeof text);
  br_gcm_get_tag(&gcm, message + TEE_POINT + sizeof text);
}

static void burn(void) {
  model.copy = copy_message;
  for (unsigned i = 0; i < 4; i++) *words_at(CONTEXTS_BASE + CONTEXTS_SECRET_0 + 8 * i) = mix64(i);
  *words_at(CONTEXTS_BASE + CONTEXTS_IDENTITY) = CONTEXTS_IDENTITY_HAS_SECRET;
}

static void signs(void *argument) {
  trap_frame frame = {.x[A0] = MESSAGE_AT, .x[A1] = sizeof text, .x[A2] = ANSWER_AT};
  context of = {.start = MESSAGE_AT, .end = ANSWER_AT + TEE_PAGE};
  (void)argument;
  error = sign_message(&of, &frame);
}

static void tells(void *argument) {
  trap_frame frame = {.x[A0] = ANSWER_AT};
  context of = {.start = MESSAGE_AT, .end = ANSWER_AT + TEE_PAGE};
  (void)argument;
  error = tell_key(&of, &frame);
}

static void decrypts(void *argument) {
  trap_frame frame = {.x[A0] = MESSAGE_AT, .x[A1] = sizeof text, .x[A2] = ANSWER_AT};
  context of = {.start = MESSAGE_AT, .end = ANSWER_AT + TEE_PAGE};
  (void)argument;
  error = decrypt_message(&of, &frame);
}

// Neither the secret of the fuses nor the key made of it
static void keeps_no_key_of_the_processor(void) {
  static void (*const works[])(void *) = {signs, tells};
  processor_key key;
  uint8_t scalar[32], secret[32];
  burn();
  make_key(&key);
  mask(scalar, key.scalar, sizeof scalar);
  for (unsigned i = 0; i < 4; i++) mask(secret + 8 * i, words_at(CONTEXTS_BASE + CONTEXTS_SECRET_0 + 8 * i), 8);
  memset(&key, 0, sizeof key);
  for (unsigned work = 0; work < ARRAY_LENGTH(works); work++) {
    error = TEE_INVALID;
    on_own_stack(works[work], NULL);
    expect(!error);
    for (unsigned i = 0; i < 32; i += 8) {
      expect(!on_stack(scalar + i, 8) && !anywhere(scalar + i, 8));
      expect(!on_stack(secret + i, 8) && !anywhere(secret + i, 8));
    }
  }
}

static void keeps_no_secret(void) {
  processor_key key;
  uint8_t public[1 + TEE_POINT], point[1 + TEE_POINT], scalar[32], secret[16];
  burn();
  make_key(&key);
  br_ec_compute_pub(&br_ec_p256_m31, NULL, public, &key.key);
  mask(scalar, key.scalar, sizeof scalar);
  mask(secret, text, sizeof secret);
  memset(&key, 0, sizeof key);
  br_ec_p256_m31.mulgen(point, sender, sizeof sender, BR_EC_secp256r1);
  br_ec_p256_m31.mul(public, sizeof public, sender, sizeof sender, BR_EC_secp256r1);
  seal(point + 1, public + 1);
  on_own_stack(decrypts, NULL);
  expect(!error && !memcmp(answer, text, sizeof text));
  memset(answer, 0, sizeof answer);
  expect(!on_stack(secret, sizeof secret) && !anywhere(secret, sizeof secret));
  expect(!anywhere(scalar, sizeof scalar) && !on_stack(scalar, sizeof scalar));
}

// A point of order two on another curve: whoever multiplies it shares one of few x with the sender.
static void takes_no_point_off_the_curve(void) {
  uint8_t point[TEE_POINT] = {0};
  burn();
  for (unsigned parity = 2; parity < 4; parity++) {
    uint8_t shared[1 + TEE_POINT] = {4};
    const uint8_t scalar[32] = {[31] = (uint8_t)parity};
    br_ec_p256_m31.mul(shared, sizeof shared, scalar, sizeof scalar, BR_EC_secp256r1);
    seal(point, shared + 1);
    on_own_stack(decrypts, NULL);
    expect(error == TEE_FORGED);
  }
}

static const struct {
  const char *name;
  void (*run)(void);
  int code;          // with which it ends
  uint64_t endless;  // operations that do not come to an end
} cases[] = {
    {"the key stack is cleared", clears_the_key_stack, 0, 0},
    {"a key stack that is too small stops the run", overflows_the_key_stack, EXIT_CODE_STACK, 0},
    {"no key of private pages stays on the stack", keeps_no_key_of_pages, 0, 0},
    {"no key of paging stays on the stack", keeps_no_key_of_paging, 0, 0},
    {"no page goes out behind the last version", ends_with_the_last_version, 0, 0},
    {"an own page is not mapped outside", maps_no_own_page_outside, 0, 0},
    {"nothing is hashed after an alarm", hashes_nothing_after_an_alarm, 0, 0},
    {"the owner of a page is not known after an alarm", asks_in_vain_after_an_alarm, 3, 1},
    {"no key of the processor stays after a signature", keeps_no_key_of_the_processor, 0, 0},
    {"neither text nor key of a message stays", keeps_no_secret, 0, 0},
    {"a point that is not on the curve is refused", takes_no_point_off_the_curve, 0, 0},
};

int main(void) {
  unsigned failed = 0;
  counts = mmap(NULL, sizeof *counts, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  make_model();
  watch();
  for (unsigned i = 0; i < ARRAY_LENGTH(cases); i++) {
    *counts = (model_counts){0};
    fflush(stdout);
    const pid_t child = fork();
    int status = -1;
    if (!child) {
      if (cases[i].endless) dup2(STDERR_FILENO, STDOUT_FILENO);
      cases[i].run();
      fflush(stdout);
      _exit(0);
    }
    waitpid(child, &status, 0);
    const bool holds = WIFEXITED(status) && WEXITSTATUS(status) == cases[i].code && counts->endless == cases[i].endless;
    printf("%s %s\n", holds ? "ok" : "FAILED", cases[i].name);
    failed += !holds;
  }
  return failed > 0;
}
