// In the kernel's place: messages of contexts, on a processor with a secret. A key is made for each, which takes long.
#include "kernel.h"

static void print_bytes(const char *what, const uint8_t *bytes, unsigned size) {
  print("%s ", what);
  for (unsigned i = 0; i < size; i++) print("%02x", bytes[i]);
  print("\n");
}

// The processor's signature, which the test checks
void vouches(void) {
  process *process = new_process(WORK_SIGN);
  expect(finish(process) == 0);
  const signed_message *shown = (signed_message *)process->shared[0];
  print_bytes("signature", shown->signature, sizeof shown->signature);
  print("TEE_SIGN: %lu cycles\n", shown->cycles);
}

// The same of its public key
void tells_its_key(void) {
  process *process = new_process(WORK_KEY);
  expect(finish(process) == 0);
  const signed_message *shown = (signed_message *)process->shared[0];
  print_bytes("key", shown->key, sizeof shown->key);
  print("TEE_KEY: %lu cycles\n", shown->cycles);
}

// The error that a program gets, whose memory is as it was then
static int64_t decrypted_by(process *process, const uint8_t *message, unsigned changed) {
  _Static_assert(ENCRYPTED_BYTES == 113, "user.S has so many bytes of each message");
  uint8_t *shown = (uint8_t *)process->shared[0] + 8, sent[ENCRYPTED_BYTES];
  memcpy(sent, message, sizeof sent);
  if (changed < 8 * sizeof sent) sent[changed / 8] ^= (uint8_t)(1 << changed % 8);
  memcpy(shown, sent, sizeof sent);
  const int64_t error = (int64_t)finish(process);
  if (error)
    expect(!memcmp(shown, sent, sizeof sent));
  else
    expect(!memcmp(shown + TEE_POINT, TEXT, sizeof TEXT - 1));
  return error;
}

static int64_t decrypted(const uint8_t *message, unsigned changed) {
  return decrypted_by(new_process(WORK_DECRYPT), message, changed);
}

// A secret comes to the program that it is for, and as it was sent
void gets_secrets(void) {
  extern const uint8_t message[], message_for_another[];
  static const unsigned unchanged = 8 * ENCRYPTED_BYTES;
  expect(decrypted(message, unchanged) == 0);
  expect(decrypted(message_for_another, unchanged) == TEE_FORGED);
  expect(decrypted(message, 0) == TEE_FORGED);
  expect(decrypted(message, unchanged - 1) == TEE_FORGED);
  // A program of which the kernel changed a bit, in its last word, and one that is entered elsewhere, ask for it
  process *process = new_process(WORK_DECRYPT);
  words_of(process->own[CODE_PAGES])[TEE_PAGE / 8 - 1] ^= 1;
  expect(decrypted_by(process, message, unchanged) == TEE_FORGED);
  process = new_process(WORK_DECRYPT);
  process->user.pc = OWN_ENTRY;
  expect(decrypted_by(process, message, unchanged) == TEE_FORGED);
}

void boot(void) {
  open_floats();
  enable_contexts();
  RUN(vouches);
  RUN(tells_its_key);
  RUN(gets_secrets);
  end_run();
}
