// The microcode's messages on this machine, for random tests: the registers of the guard are memory, the hasher is
// BearSSL's, and the context's memory is a buffer. Reads lines:
//   key SECRET
//   sign SECRET HASH MESSAGE
//   decrypt SECRET HASH ENCRYPTED BYTES
// and answers each with what comes of it in hexadecimal, or with an error's number. An empty message is -.
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "identity.h"

#define SPACE (1 << 17)
#define STACK (1 << 12)

static uint8_t memory[SPACE] __attribute__((aligned(TEE_PAGE)));
static br_sha256_context hash = {0};
static bool hashes;

void hash_word(uint64_t word) {
  if (!hashes) br_sha256_init(&hash);
  hashes = true;
  br_sha256_update(&hash, &word, sizeof word);
}

bool hash_end(uint64_t tail, unsigned bytes, uint64_t *digest) {
  br_sha256_update(&hash, &tail, bytes);
  br_sha256_out(&hash, digest);
  hashes = false;
  return true;
}

void hash_abort(void) { hashes = false; }

uint64_t copy_in(void *to, const void *from, uint64_t size, uint64_t status) {
  (void)status;
  memcpy(to, from, size);
  return 0;
}

uint64_t copy_out(void *to, const void *from, uint64_t size, uint64_t status) {
  return copy_in(to, from, size, status);
}

void call_on_stack(uint64_t end, void (*work)(void *argument), void *argument) {
  (void)end;
  work(argument);
}

void clear_page(uint64_t page) { memset((void *)page, 0, TEE_PAGE); }
void end_run(uint32_t value) { exit((int)(value >> 16)); }

static uint64_t read_bytes(const char *text, uint8_t *to) {
  uint64_t count = 0;
  for (; text[0] && text[0] != '-'; text += 2) {
    const char digits[] = {text[0], text[1], 0};
    to[count++] = (uint8_t)strtoul(digits, NULL, 16);
  }
  return count;
}

static void burn(const char *secret) {
  uint8_t bytes[32];
  uint64_t *registers = (uint64_t *)(CONTEXTS_BASE + CONTEXTS_SECRET_0);
  read_bytes(secret, bytes);
  for (unsigned word = 0; word < 4; word++) {
    registers[3 - word] = 0;
    for (unsigned i = 0; i < 8; i++) registers[3 - word] = registers[3 - word] << 8 | bytes[8 * word + i];
  }
  *(uint64_t *)(CONTEXTS_BASE + CONTEXTS_IDENTITY) = CONTEXTS_IDENTITY_HAS_SECRET;
}

static void answer(int64_t error, const uint8_t *bytes, uint64_t count) {
  if (error) printf("%ld", (long)error);
  for (uint64_t i = 0; !error && i < count; i++) printf("%02x", bytes[i]);
  printf("\n");
  fflush(stdout);
}

int main(void) {
  static char what[16], secret[80], digest[80], message[2 * SPACE];
  static uint8_t result[SPACE];
  unsigned long bytes;
  context of = {.start = (uint64_t)memory, .end = (uint64_t)memory + sizeof memory, .tables = 1};
  static uint8_t table[TEE_PAGE] __attribute__((aligned(TEE_PAGE)));
  of.table[0] = (uint64_t)table;
  if (mmap((void *)CONTEXTS_BASE, STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1,
           0) == MAP_FAILED)
    return 1;
  while (scanf("%15s %79s", what, secret) == 2) {
    trap_frame frame = {0};
    uint8_t *const to = memory + SPACE / 2;
    burn(secret);
    if (what[0] == 'k') {
      frame.x[A0] = (uint64_t)to;
      answer(tell_key(&of, &frame), to, TEE_POINT);
      continue;
    }
    if (scanf("%79s %262143s", digest, message) != 2) return 1;
    read_bytes(digest, (uint8_t *)of.digest);
    frame.x[A0] = (uint64_t)memory;
    frame.x[A1] = read_bytes(message, memory);
    frame.x[A2] = (uint64_t)to;
    if (what[0] == 's') {
      answer(sign_message(&of, &frame), to, TEE_SIGNATURE);
      continue;
    }
    if (scanf("%lu", &bytes) != 1) return 1;
    frame.x[A1] = bytes;
    memset(to, 0xee, TEE_MOST_SECRET);
    const int64_t error = decrypt_message(&of, &frame);
    for (unsigned i = 0; error && i < TEE_MOST_SECRET; i++)
      if (to[i] != 0xee) return 2;
    memcpy(result, to, bytes);
    answer(error, result, bytes);
  }
  return 0;
}
