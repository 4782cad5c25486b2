// hauberk-job PROGRAM INPUT: runs a job in a secure context, and prints its answer, with the processor's signature and
// key, in hexadecimal. Nothing here is trusted: who wants the answer checks it (scripts/hauberk-attest).
#include <stdio.h>
#include <string.h>

#include "image.h"
#include "job.h"

static void print_bytes(const char *what, const void *bytes, size_t count) {
  printf("hauberk-job: %s ", what);
  for (size_t i = 0; i < count; i++) printf("%02x", ((const uint8_t *)bytes)[i]);
  printf("\n");
}

static int fail(const char *sentence) {
  printf("hauberk-job: %s\n", sentence);
  return 1;
}

int main(int count, char *words[]) {
  static job shared;
  if (count != 3) return fail("give it a program, made with libhauberk's inside.ld, and an input");
  if (strlen(words[2]) >= sizeof shared.input) return fail("the input has more than 255 bytes");
  strcpy(shared.input, words[2]);
  const uint64_t arguments[6] = {(uint64_t)&shared};
  int64_t answered = 0;
  const char *refused = run_image(words[1], arguments, &answered);
  if (refused) return fail(refused);
  if (answered == TEE_NO_SECRET) return fail("the processor has no secret of its own to sign with");
  if (answered < 0 || answered > JOB_BYTES) return fail("the job refused its input");
  print_bytes("answer", shared.answer, (size_t)answered);
  print_bytes("signature", shared.signature, sizeof shared.signature);
  print_bytes("key", shared.key, sizeof shared.key);
  return 0;
}
