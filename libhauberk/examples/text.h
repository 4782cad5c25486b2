// Text without a C library, for the examples: each add writes behind what is there, and gives the end.
#ifndef LIBHAUBERK_TEXT_H
#define LIBHAUBERK_TEXT_H

#include <stdbool.h>
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

// A number in decimal, which ends behind its digits or the text; false if it is more than this
static inline bool take_number(const volatile char *text, size_t bytes, uint64_t most, uint64_t *number) {
  *number = 0;
  for (size_t i = 0; i < bytes; i++) {
    const char digit = text[i];
    if (digit < '0' || digit > '9') break;
    *number = 10 * *number + (uint64_t)(digit - '0');
    if (*number > most) return false;
  }
  return true;
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
