// What makes this processor itself: its key, which is made of its secret, and random words.
#include "identity.h"

#define SEED_MAGIC "Haubkey1"
#define MAGIC_BYTES 8
#define SECRET_WORDS 4

static uint64_t at(uintptr_t offset) { return mmio_read64(CONTEXTS_BASE + offset); }

void make_key(processor_key *key) {
  uint8_t seed[MAGIC_BYTES + 8 * SECRET_WORDS];
  memcpy(seed, SEED_MAGIC, MAGIC_BYTES);
  for (unsigned i = 0; i < SECRET_WORDS; i++) {
    const uint64_t word = at(CONTEXTS_SECRET_0 + 8 * (SECRET_WORDS - 1 - i));
    for (unsigned byte = 0; byte < 8; byte++) seed[MAGIC_BYTES + 8 * i + byte] = (uint8_t)(word >> (56 - 8 * byte));
  }
  br_hmac_drbg_context random;
  br_hmac_drbg_init(&random, &br_sha256_vtable, seed, sizeof seed);
  br_ec_keygen(&random.vtable, &br_ec_p256_m31, &key->key, key->scalar, BR_EC_secp256r1);
}

// On the chip: what is in memory others could change, a return address too. Only who is exclusive uses it. It is
// cleared at the start, for a reset may have come while it was in use.
static uint64_t key_stack[TEE_PAGE / 8] __attribute__((aligned(16)));

void work_unseen(void (*work)(void *argument), void *argument) {
  volatile uint64_t *const last = key_stack;
  *last = 0;
  call_on_stack((uint64_t)(key_stack + ARRAY_LENGTH(key_stack)), work, argument);
  // Behind it is the table of contexts, or another stack
  if (*last) end_run(FINISHER_FAIL | EXIT_CODE_STACK << 16);
  memset(key_stack, 0, sizeof key_stack);
}

bool is_own(const context *context, uint64_t address, uint64_t bytes) {
  return address >= context->start && address <= context->end && bytes <= context->end - address;
}

int64_t check_result(const context *context, uint64_t to, uint64_t bytes) {
  uint8_t there;
  if (!is_own(context, to, bytes)) return TEE_INVALID;
  for (uint64_t i = 0; i < bytes; i++)
    if (copy_in(&there, (const void *)(to + i), 1, STATUS_MPRV) || copy_out((void *)(to + i), &there, 1, STATUS_MPRV))
      return TEE_UNMAPPED;
  return at(CONTEXTS_IDENTITY) & CONTEXTS_IDENTITY_HAS_SECRET ? 0 : TEE_NO_SECRET;
}

static void compute_public(void *point) {
  processor_key key;
  make_key(&key);
  br_ec_compute_pub(&br_ec_p256_m31, NULL, point, &key.key);
}

int64_t tell_key(context *context, const trap_frame *frame) {
  const uint64_t to = frame->x[A0];
  const int64_t error = check_result(context, to, TEE_POINT);
  if (error) return error;
  uint8_t point[1 + TEE_POINT];
  work_unseen(compute_public, point);
  return copy_out((void *)to, point + 1, TEE_POINT, STATUS_MPRV) ? TEE_UNMAPPED : 0;
}

int64_t draw_random(context *context, const trap_frame *frame) {
  (void)context, (void)frame;
  return (int64_t)at(CONTEXTS_RANDOM);
}
