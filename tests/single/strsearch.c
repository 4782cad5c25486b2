// String search by the Boyer-Moore-Horspool algorithm in a text larger than the L1 data cache.
// Check: the matches are those of comparing the needle at every place, and include every place where it was planted.
#include "hauberk.h"

#define TEXT_BYTES (32 * 1024)
#define PLANTED 6  // of each needle
#define MAX_MATCHES 32

static NOINIT char text[TEXT_BYTES];

static const char *const needles[] = {"mail", "hauberk", "one-time pad", "The armourer rivets every ring."};

static RESULTS struct {
  uint64_t count;
  uint32_t places[MAX_MATCHES];
} found[ARRAY_LENGTH(needles)];

static unsigned length_of(const char *string) {
  unsigned length = 0;
  while (string[length]) length++;
  return length;
}

static unsigned planted_at(unsigned needle, unsigned copy) { return 1000 + copy * 5000 + needle * 1111; }

static void build_text(void) {
  for (unsigned i = 0; i < TEXT_BYTES; i += 8) {
    uint64_t random = mix64(i);
    for (unsigned k = 0; k < 8; k++, random >>= 8) text[i + k] = (char)('a' + (random & 15));
  }
  for (unsigned needle = 0; needle < ARRAY_LENGTH(needles); needle++) {
    for (unsigned copy = 0; copy < PLANTED; copy++) {
      memcpy(text + planted_at(needle, copy), needles[needle], length_of(needles[needle]));
    }
  }
}

static void __attribute__((noinline)) search(unsigned index) {
  const char *needle = needles[index];
  unsigned length = length_of(needle), count = 0;
  uint8_t shifts[256];
  memset(shifts, (int)length, sizeof shifts);
  for (unsigned i = 0; i + 1 < length; i++) shifts[(uint8_t)needle[i]] = (uint8_t)(length - 1 - i);
  for (unsigned at = 0; at + length <= TEXT_BYTES; at += shifts[(uint8_t)text[at + length - 1]]) {
    unsigned k = length;
    while (k > 0 && text[at + k - 1] == needle[k - 1]) k--;
    if (k == 0 && count < MAX_MATCHES) found[index].places[count++] = at;
  }
  found[index].count = count;
}

static void check(unsigned index) {
  const char *needle = needles[index];
  unsigned length = length_of(needle), matches = 0, planted = 0;
  for (unsigned at = 0; at + length <= TEXT_BYTES; at++) {
    if (text[at] != needle[0] || memcmp(text + at, needle, length) != 0) continue;
    expect(matches < found[index].count && found[index].places[matches] == at, "no match is missed");
    matches++;
    if (planted < PLANTED && planted_at(index, planted) == at) planted++;
  }
  expect(matches == found[index].count, "no match is made up");
  expect(planted == PLANTED, "each planted needle is found");
}

int main(void) {
  build_text();
  kernel_begin();
  for (unsigned i = 0; i < ARRAY_LENGTH(needles); i++) search(i);
  kernel_end();
  for (unsigned i = 0; i < ARRAY_LENGTH(needles); i++) check(i);
  return 0;
}
