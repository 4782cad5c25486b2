// Searches for words in sentences by Boyer-Moore's bad characters, with a table built for each word (after MiBench's
// stringsearch).
//
// Check: the hash of all places, which Python's str.find has for the same words and sentences.
#include <string.h>

#include "hauberk.h"
#include "input.h"

#define SENTENCES 24
#define WORDS 14  // in a sentence
#define LARGEST_SEARCHES 400
#define NOWHERE UINT16_MAX

static const unsigned searches[] = {40, LARGEST_SEARCHES};
static const uint64_t known[] = {0xfa48d42c6c8442b3, 0x63ff31b42771dc18};

static const char *const vocabulary[] = {
    "memory", "counter", "block",     "line",     "cipher",  "register", "address", "pad",
    "the",    "a",       "each",      "of",       "reads",   "writes",   "keeps",   "expects",
    "before", "after",   "under",     "with",     "program", "compiler", "engine",  "cache",
    "stored", "loaded",  "increment", "function", "value",   "slowly",   "again",   "hint",
};

static char sentences[SENTENCES][16 * WORDS];
static uint16_t places[LARGEST_SEARCHES];
static RESULTS uint64_t result;

static const char *word(uint64_t random) { return vocabulary[random % ARRAY_LENGTH(vocabulary)]; }

static void build_sentences(void) {
  for (unsigned i = 0; i < SENTENCES; i++) {
    for (unsigned k = 0; k < WORDS; k++) {
      if (k) strcat(sentences[i], " ");
      strcat(sentences[i], word(mix64(i * WORDS + k)));
    }
  }
}

// For each character, how far the word may move when it stands under the word's last place
static void __attribute__((noinline)) build_table(size_t table[256], const char *word, size_t length) {
  for (unsigned i = 0; i < 256; i++) table[i] = length;
  for (size_t i = 0; i + 1 < length; i++) table[(uint8_t)word[i]] = length - 1 - i;
}

static unsigned __attribute__((noinline)) find(const char *text, const char *word) {
  static size_t table[256];
  const size_t length = strlen(word), size = strlen(text);
  build_table(table, word, length);
  for (size_t at = 0; at + length <= size;) {
    const char last = text[at + length - 1];
    if (last == word[length - 1] && strncmp(text + at, word, length) == 0) return (unsigned)at;
    at += table[(uint8_t)last];
  }
  return NOWHERE;
}

int main(void) {
  build_sentences();

  kernel_begin();
  for (unsigned i = 0; i < searches[input]; i++) {
    places[i] = (uint16_t)find(sentences[i % SENTENCES], word(mix64(1000 + i)));
  }
  kernel_end();

  result = fnv1a(FNV_OFFSET, places, searches[input] * sizeof *places);
  expect(result == known[input], "the places are those of str.find");
  return 0;
}
