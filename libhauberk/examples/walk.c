// A job that takes long in little memory: in a secure context, walks so many times over a table of eight pages. It
// signs nothing, so it needs no secret of the processor.
#include "inside.h"
#include "job.h"
#include "text.h"

#define MOST_ROUNDS 1000000
#define WORDS 4096

static uint64_t table[WORDS];

static uint64_t walk(uint64_t rounds) {
  uint64_t sum = 0;
  for (uint64_t round = 0; round < rounds; round++)
    for (uint64_t i = 0; i < WORDS; i++) sum += table[i] += i ^ round;
  return sum;
}

// The input is a number in decimal.
int64_t tee_main(uint64_t at, uint64_t a1, uint64_t a2, uint64_t a3, uint64_t a4, uint64_t a5) {
  (void)a1, (void)a2, (void)a3, (void)a4, (void)a5;
  volatile job *shared = (volatile job *)at;
  if (!tee_is_outside(at, sizeof *shared)) return JOB_REFUSED;
  uint64_t rounds;
  if (!take_number(shared->input, JOB_BYTES, MOST_ROUNDS, &rounds)) return JOB_REFUSED;
  char answer[24];
  const size_t bytes = (size_t)(add_number(answer, walk(rounds)) - answer);
  for (size_t i = 0; i < bytes; i++) shared->answer[i] = answer[i];
  return (int64_t)bytes;
}
