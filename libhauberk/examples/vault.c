// A job whose work is private: it walks over a table that is encrypted in its file, by a function that is encrypted
// there, too, under the key in its input. In the clear nobody gives a key away so: a program asks for it by
// tee_decrypt.
#include "inside.h"
#include "job.h"
#include "text.h"

#define WORDS 512
#define ROUNDS 1000

// Its first and its last word tell whether all of it was decrypted
static TEE_PRIVATE uint64_t table[WORDS] = {[0] = 0x0123456789abcdef, [WORDS - 1] = 0xfedcba9876543210};

static TEE_PRIVATE_FUNCTION uint64_t walk(void) {
  uint64_t sum = 0;
  for (uint64_t round = 0; round < ROUNDS; round++)
    for (uint64_t i = 0; i < WORDS; i++) sum += table[i] += i ^ round;
  return sum;
}

// The input is a key in hexadecimal.
int64_t tee_main(uint64_t at, uint64_t a1, uint64_t a2, uint64_t a3, uint64_t a4, uint64_t a5) {
  (void)a1, (void)a2, (void)a3, (void)a4, (void)a5;
  volatile job *shared = (volatile job *)at;
  if (!tee_is_outside(at, sizeof *shared)) return JOB_REFUSED;
  uint8_t key[TEE_KEY_BYTES];
  size_t position = 0;
  if (take_hex(shared->input, JOB_BYTES, &position, key, sizeof key) != sizeof key) return JOB_REFUSED;
  const int64_t error = tee_set_key(key);
  if (error) return error;
  char answer[24];
  const size_t bytes = (size_t)(add_number(answer, walk()) - answer);
  for (size_t i = 0; i < bytes; i++) shared->answer[i] = answer[i];
  return (int64_t)bytes;
}
