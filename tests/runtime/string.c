#include "hauberk.h"

// Whole words when both ends are aligned alike, 32 bytes at a time: what a small C library does on a core without
// vectors.
void *memcpy(void *restrict to, const void *restrict from, size_t size) {
  uint8_t *target = to;
  const uint8_t *source = from;
  if ((((uintptr_t)target ^ (uintptr_t)source) & 7) == 0) {
    while (size && ((uintptr_t)target & 7)) *target++ = *source++, size--;
    for (; size >= 32; size -= 32, target += 32, source += 32) {
      const uint64_t *words = (const uint64_t *)source;
      uint64_t first = words[0], second = words[1], third = words[2], fourth = words[3];
      uint64_t *place = (uint64_t *)target;
      place[0] = first, place[1] = second, place[2] = third, place[3] = fourth;
    }
    for (; size >= 8; size -= 8, target += 8, source += 8) *(uint64_t *)target = *(const uint64_t *)source;
  }
  while (size--) *target++ = *source++;
  return to;
}

void *memmove(void *to, const void *from, size_t size) {
  uint8_t *target = to;
  const uint8_t *source = from;
  if (target < source)
    for (size_t i = 0; i < size; i++) target[i] = source[i];
  else
    while (size--) target[size] = source[size];
  return to;
}

void *memset(void *to, int value, size_t size) {
  uint8_t *target = to;
  uint64_t pattern = 0x0101010101010101UL * (uint8_t)value;
  while (size && ((uintptr_t)target & 7)) *target++ = (uint8_t)value, size--;
  for (; size >= 8; size -= 8, target += 8) *(uint64_t *)target = pattern;
  while (size--) *target++ = (uint8_t)value;
  return to;
}

int memcmp(const void *left, const void *right, size_t size) {
  const uint8_t *first = left, *second = right;
  for (; size; size--, first++, second++) {
    if (*first != *second) return *first < *second ? -1 : 1;
  }
  return 0;
}
