// String search by the Boyer-Moore-Horspool algorithm in a text larger than the L1 data cache.
//
// Check: the matches are those of comparing the needle at every place, and include every place where it was planted.
#include "hauberk.h"

#define TEXT_BYTES (20 * 1024)
#define PLANTED 6  // of each needle
#define MAX_MATCHES 32

static NOINIT char text[TEXT_BYTES];

static const char *const needles[] = {"mail", "hauberk", "one-time pad", "The armourer rivets every ring."};
static const uint8_t lengths[] = {4, 7, 12, 31};

static RESULTS struct {
  uint64_t count;
  uint32_t places[MAX_MATCHES];
} found[ARRAY_LENGTH(needles)];

static unsigned planted_at(unsigned needle, unsigned copy) { return 1000 + copy * 2800 + needle * 1111; }

// Eight characters at a time, each one of 32 from '_' on, which include the small letters.
static void build_text(void) {
  uint64_t *words = (uint64_t *)text;
  for (unsigned i = 0; i < TEXT_BYTES / 8; i++) {
    words[i] = (mix64(i) & 0x1f1f1f1f1f1f1f1fUL) + 0x5f5f5f5f5f5f5f5fUL;
  }
  for (unsigned needle = 0; needle < ARRAY_LENGTH(needles); needle++) {
    for (unsigned copy = 0; copy < PLANTED; copy++) {
      memcpy(text + planted_at(needle, copy), needles[needle], lengths[needle]);
    }
  }
}

static void __attribute__((noinline)) search(unsigned index) {
  const char *needle = needles[index];
  unsigned length = lengths[index], count = 0;
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

// No two needles begin with the same character, so each place is compared with one at most.
static void check_all(void) {
  unsigned matches[ARRAY_LENGTH(needles)] = {0}, planted[ARRAY_LENGTH(needles)] = {0};
  uint8_t beginning[256] = {0};  // the needle's number from 1, or 0
  for (unsigned i = 0; i < ARRAY_LENGTH(needles); i++) beginning[(uint8_t)needles[i][0]] = (uint8_t)(i + 1);
  for (unsigned at = 0; at < TEXT_BYTES; at++) {
    if (!beginning[(uint8_t)text[at]]) continue;
    unsigned i = beginning[(uint8_t)text[at]] - 1u, length = lengths[i];
    if (at + length > TEXT_BYTES || memcmp(text + at, needles[i], length) != 0) continue;
    expect(matches[i] < found[i].count && found[i].places[matches[i]] == at, "no match is missed");
    matches[i]++;
    if (planted[i] < PLANTED && planted_at(i, planted[i]) == at) planted[i]++;
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
