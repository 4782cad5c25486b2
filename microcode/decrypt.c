// decrypt_msg (AEGIS, 3.3.2): a secret for one program on this processor. Who sends it makes a key pair, and of its
// shared point with the processor's key a key and a counter for AES-GCM, which H(Prog) goes into: ECIES, with
// HMAC-SHA256.
#include "identity.h"

#define MAGIC "Haubmsg1"
#define KEY_BYTES 16
#define COUNTER_BYTES 12

typedef struct {
  uint8_t digest[8 * DIGEST_WORDS];  // H(Prog)
  uint8_t point[1 + TEE_POINT];      // the sender's, and the shared one
  uint8_t text[TEE_MOST_SECRET], tag[TEE_TAG];
  uint64_t bytes;  // of the text
  bool is_right;
} decrypt_task;

static void decrypt(void *argument) {
  decrypt_task *task = argument;
  processor_key key;
  uint8_t sent[TEE_POINT], keys[br_sha256_SIZE];
  make_key(&key);
  memcpy(sent, task->point + 1, TEE_POINT);
  task->point[0] = 4;
  if (!br_ec_p256_m31.mul(task->point, sizeof task->point, key.scalar, sizeof key.scalar, BR_EC_secp256r1)) return;
  br_hmac_key_context mac_key;
  br_hmac_context mac;
  br_hmac_key_init(&mac_key, &br_sha256_vtable, MAGIC, sizeof MAGIC - 1);
  br_hmac_init(&mac, &mac_key, 0);
  br_hmac_update(&mac, sent, TEE_POINT);
  br_hmac_update(&mac, task->point + 1, TEE_POINT / 2);
  br_hmac_out(&mac, keys);
  br_aes_ct64_ctr_keys cipher;
  br_gcm_context gcm;
  br_aes_ct64_ctr_init(&cipher, keys, KEY_BYTES);
  br_gcm_init(&gcm, &cipher.vtable, br_ghash_ctmul64);
  br_gcm_reset(&gcm, keys + KEY_BYTES, COUNTER_BYTES);
  br_gcm_aad_inject(&gcm, task->digest, sizeof task->digest);
  br_gcm_flip(&gcm);
  br_gcm_run(&gcm, 0, task->text, task->bytes);
  task->is_right = br_gcm_check_tag(&gcm, task->tag);
}

static bool take(void *to, uint64_t from, uint64_t bytes) {
  return !copy_in(to, (const void *)from, bytes, STATUS_MPRV);
}

int64_t decrypt_message(context *context, const trap_frame *frame) {
  const uint64_t message = frame->x[A0], bytes = frame->x[A1], to = frame->x[A2];
  if (bytes > TEE_MOST_SECRET || !is_own(context, message, TEE_POINT + bytes + TEE_TAG)) return TEE_INVALID;
  int64_t error = check_result(context, to, bytes);
  if (error) return error;
  decrypt_task task = {.bytes = bytes};
  const uint64_t text = message + TEE_POINT;
  memcpy(task.digest, context->digest, sizeof task.digest);
  if (!take(task.point + 1, message, TEE_POINT) || !take(task.text, text, bytes) ||
      !take(task.tag, text + bytes, TEE_TAG))
    return TEE_UNMAPPED;
  work_unseen(decrypt, &task);
  if (!task.is_right)
    error = TEE_FORGED;
  else if (copy_out((void *)to, task.text, bytes, STATUS_MPRV))
    error = TEE_UNMAPPED;
  memset(&task, 0, sizeof task);
  return error;
}
