// Quicksort of 64-bit keys in place: median of three, insertion sort for short ranges.
//
// Check: the keys are in order, and their sum, exclusive-or and sum of squares are those of the keys generated.
#include "hauberk.h"

#define KEYS 4096  // 32 KiB
#define SHORT_RANGE 12

static NOINIT uint64_t keys[KEYS];
static RESULTS uint64_t samples[64];

typedef struct {
  uint64_t sum, parity, squares;
} fingerprint;

static void add_key(fingerprint *print, uint64_t key) {
  print->sum += key;
  print->parity ^= key;
  print->squares += key * key;
}

static void sort_short(uint64_t *first, uint64_t *last) {
  for (uint64_t *at = first + 1; at <= last; at++) {
    uint64_t key = *at, *hole = at;
    for (; hole > first && hole[-1] > key; hole--) *hole = hole[-1];
    *hole = key;
  }
}

static inline void order(uint64_t *low, uint64_t *high) {
  if (*low > *high) {
    uint64_t kept = *low;
    *low = *high;
    *high = kept;
  }
}

// Recurses into the smaller part only, so the stack stays logarithmic.
static void sort(uint64_t *first, uint64_t *last) {
  while (last - first >= SHORT_RANGE) {
    uint64_t *middle = first + (last - first) / 2;
    order(first, middle);
    order(middle, last);
    order(first, middle);
    uint64_t pivot = *middle;
    uint64_t *low = first, *high = last;
    while (low <= high) {
      while (*low < pivot) low++;
      while (*high > pivot) high--;
      if (low <= high) {
        uint64_t kept = *low;
        *low++ = *high;
        *high-- = kept;
      }
    }
    if (high - first < last - low) {
      sort(first, high);
      first = low;
    } else {
      sort(low, last);
      last = high;
    }
  }
  sort_short(first, last);
}

int main(void) {
  fingerprint before = {0}, after = {0};
  for (unsigned i = 0; i < KEYS; i++) {
    keys[i] = mix64(i);
    add_key(&before, keys[i]);
  }

  kernel_begin();
  sort(keys, keys + KEYS - 1);
  kernel_end();

  for (unsigned i = 0; i < KEYS; i++) {
    expect(i == 0 || keys[i - 1] <= keys[i], "the keys are in order");
    add_key(&after, keys[i]);
    if (i % (KEYS / ARRAY_LENGTH(samples)) == 0) samples[i / (KEYS / ARRAY_LENGTH(samples))] = keys[i];
  }
  expect(before.sum == after.sum && before.parity == after.parity && before.squares == after.squares,
         "the keys are those generated");
  return 0;
}
