// Text without a C library, for the examples: each writes behind what is there, and gives the end.
#ifndef LIBHAUBERK_TEXT_H
#define LIBHAUBERK_TEXT_H

#include <stddef.h>
#include <stdint.h>

static inline char *add_text(char *to, const char *text) {
  while (*text) *to++ = *text++;
  return to;
}

static inline char *add_number(char *to, uint64_t number) {
  char digits[20];
  unsigned count = 0;
  do digits[count++] = (char)('0' + number % 10);
  while (number /= 10);
  while (count) *to++ = digits[--count];
  return to;
}

static inline char *add_hex(char *to, const uint8_t *bytes, size_t count) {
  static const char digits[] = "0123456789abcdef";
  for (size_t i = 0; i < count; i++) {
    *to++ = digits[bytes[i] >> 4];
    *to++ = digits[bytes[i] & 15];
  }
  return to;
}

#endif
