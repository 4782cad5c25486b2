// String search by the Boyer-Moore-Horspool algorithm in a text larger than the L1 data cache.
//
// Check: the matches are those of comparing the needle at every place, and include every place where it was planted.
#include "hauberk.h"

#define TEXT_BYTES (20 * 1024)
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

static unsigned planted_at(unsigned needle, unsigned copy) { return 1000 + copy * 2800 + needle * 1111; }

static void build_text(void) {
  for (unsigned i = 0; i < TEXT_BYTES; i += 8) {
    uint64_t random = mix64(i);
    for (unsigned k = 0; k < 8; k++, random >>= 8) text[i + k] = (char)('_' + (random & 31));
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

static void check_all(void) {
  unsigned matches[ARRAY_LENGTH(needles)] = {0}, planted[ARRAY_LENGTH(needles)] = {0};
  bool begins_needle[256] = {false};
  for (unsigned i = 0; i < ARRAY_LENGTH(needles); i++) begins_needle[(uint8_t)needles[i][0]] = true;
  for (unsigned at = 0; at < TEXT_BYTES; at++) {
    if (!begins_needle[(uint8_t)text[at]]) continue;
    for (unsigned i = 0; i < ARRAY_LENGTH(needles); i++) {
      if (text[at] != needles[i][0]) continue;
      unsigned length = length_of(needles[i]);
      if (at + length > TEXT_BYTES || memcmp(text + at, needles[i], length) != 0) continue;
      expect(matches[i] < found[i].count && found[i].places[matches[i]] == at, "no match is missed");
      matches[i]++;
      if (planted[i] < PLANTED && planted_at(i, planted[i]) == at) planted[i]++;
    }
  }
  for (unsigned i = 0; i < ARRAY_LENGTH(needles); i++) {
    expect(matches[i] == found[i].count, "no match is made up");
    expect(planted[i] == PLANTED, "each planted needle is found");
  }
}

int main(void) {
  build_text();
  kernel_begin();
  for (unsigned i = 0; i < ARRAY_LENGTH(needles); i++) search(i);
  kernel_end();
  check_all();
  return 0;
}
