// A job for certified execution: in a secure context, counts the primes below a number, and signs what it found.
#include "inside.h"
#include "job.h"
#include "text.h"

#define MOST 20000
#define TEXT_BYTES 64
#ifndef FIRST
#define FIRST 2
#endif

static uint8_t is_composite[MOST];

static uint64_t count_primes(uint64_t below) {
  uint64_t found = 0;
  for (uint64_t number = FIRST; number < below; number++) {
    if (is_composite[number]) continue;
    found++;
    for (uint64_t multiple = number * number; multiple < below; multiple += number) is_composite[multiple] = 1;
  }
  return found;
}

// The input is a number in decimal. What is signed names it, or another input's answer could be shown.
int64_t tee_main(uint64_t at, uint64_t a1, uint64_t a2, uint64_t a3, uint64_t a4, uint64_t a5) {
  (void)a1, (void)a2, (void)a3, (void)a4, (void)a5;
  volatile job *shared = (volatile job *)at;
  if (!tee_is_outside(at, sizeof *shared)) return JOB_REFUSED;
  uint64_t below;
  if (!take_number(shared->input, JOB_BYTES, MOST, &below)) return JOB_REFUSED;
  char answer[TEXT_BYTES];
  char *end = add_text(answer, "primes below ");
  end = add_number(end, below);
  end = add_number(add_text(end, ": "), count_primes(below));
  uint8_t signature[TEE_SIGNATURE], key[TEE_POINT];
  const size_t bytes = (size_t)(end - answer);
  int64_t error = tee_sign(answer, bytes, signature);
  if (!error) error = tee_key(key);
  if (error) return error;
  for (size_t i = 0; i < bytes; i++) shared->answer[i] = answer[i];
  for (unsigned i = 0; i < TEE_SIGNATURE; i++) shared->signature[i] = signature[i];
  for (unsigned i = 0; i < TEE_POINT; i++) shared->key[i] = key[i];
  return (int64_t)bytes;
}
