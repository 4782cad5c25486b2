// Sound for the coders: two triangular waves and some noise, by integers alone, so that a test can make the same.
#ifndef HAUBERK_SIGNAL_H
#define HAUBERK_SIGNAL_H

#include "hauberk.h"

// From -16384 to 16384, with a period of 65536
static inline int32_t triangle(uint32_t phase) {
  int32_t from_middle = (int32_t)(phase & 65535) - 32768;
  return (from_middle < 0 ? -from_middle : from_middle) - 16384;
}

static inline int16_t signal_sample(uint32_t i) {
  int32_t noise = (int32_t)(mix64(i) & 255) - 128;
  return (int16_t)((3 * triangle(i * 653) >> 2) + (triangle(i * 5003) >> 2) + noise);
}

#endif
