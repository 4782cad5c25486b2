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

// So many bytes of two hexadecimal digits each, at most, from a place in the text, which moves; how many there were
static inline size_t take_hex(const volatile char *text, size_t bytes, size_t *at, uint8_t *to, size_t most) {
  size_t count = 0;
  for (; count < most; count++) {
    unsigned value = 0;
    for (unsigned i = 0; i < 2; i++) {
      const char digit = *at < bytes ? text[*at] : 0;
      const bool is_number = digit >= '0' && digit <= '9', is_letter = digit >= 'a' && digit <= 'f';
      if (!is_number && !is_letter) return count;
      value = 16 * value + (unsigned)(is_number ? digit - '0' : digit - 'a' + 10);
      ++*at;
    }
    to[count] = (uint8_t)value;
  }
  return count;
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
