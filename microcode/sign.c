// sign_msg (AEGIS, 3.2.2): the processor says of a message which program gave it, by ECDSA with SHA-256.
#include "identity.h"

#define MAGIC 0x3167697362756148UL  // "Haubsig1"

typedef struct {
  uint64_t digest[DIGEST_WORDS];  // of what is signed
  uint8_t signature[TEE_SIGNATURE];
} sign_task;

static void sign(void *argument) {
  sign_task *task = argument;
  processor_key key;
  make_key(&key);
  br_ecdsa_i31_sign_raw(&br_ec_p256_m31, &br_sha256_vtable, task->digest, &key.key, task->signature);
}

// Of H(Prog) and the message
static int64_t hash_statement(const context *context, uint64_t message, uint64_t bytes, uint64_t *digest) {
  hash_word(MAGIC);
  for (unsigned i = 0; i < DIGEST_WORDS; i++) hash_word(context->digest[i]);
  for (;; message += 8, bytes -= 8) {
    uint64_t word = 0;
    const uint64_t size = bytes < sizeof word ? bytes : sizeof word;
    if (copy_in(&word, (const void *)message, size, STATUS_MPRV)) {
      hash_abort();
      return TEE_UNMAPPED;
    }
    if (size < sizeof word) {
      return hash_end(word, (unsigned)size, digest) ? 0 : TEE_MEMORY;
    }
    hash_word(word);
  }
}

int64_t sign_message(context *context, const trap_frame *frame) {
  const uint64_t message = frame->x[A0], bytes = frame->x[A1], to = frame->x[A2];
  if (bytes > TEE_MOST_MESSAGE || !is_own(context, message, bytes)) return TEE_INVALID;
  sign_task task;
  int64_t error = check_result(context, to, TEE_SIGNATURE);
  if (!error) error = hash_statement(context, message, bytes, task.digest);
  if (error) return error;
  work_unseen(sign, &task);
  return copy_out((void *)to, task.signature, TEE_SIGNATURE, STATUS_MPRV) ? TEE_UNMAPPED : 0;
}
