// What a job and hauberk-job owe each other: memory that both see.
#ifndef LIBHAUBERK_JOB_H
#define LIBHAUBERK_JOB_H

#include <stdint.h>

#include "tee.h"

#define JOB_BYTES 256
typedef struct {
  char input[JOB_BYTES], answer[JOB_BYTES];
  uint8_t signature[TEE_SIGNATURE], key[TEE_POINT];
} job;

// tee_main of a job gives the bytes of its answer, an error of tee.h, or this: the input is not as it should be.
#define JOB_REFUSED (-200)

#endif
