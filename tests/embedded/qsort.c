// Sorts strings and points in space, by their distance from the origin, by the C library's qsort (after MiBench's
// qsort).
//
// Check: the hashes of the sorted arrays, which Python's sorted() has for the same elements.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "hauberk.h"
#include "input.h"

#define LARGEST 1000
#define LETTERS 15

static const unsigned lengths[] = {120, LARGEST};
static const uint64_t known[][2] = {{0x1b7515e2268e44ce, 0xdfe500629aa25e35}, {0xfeefb531d4b55552, 0xd9a06718172036e9}};

typedef struct {
  char letters[LETTERS + 1];
} text;

typedef struct {
  int32_t x, y, z;
  uint32_t number;
  double distance;
} point;

static NOINIT text texts[LARGEST];
static NOINIT point points[LARGEST];
static RESULTS uint64_t hashes[2];

static void build(unsigned length) {
  for (unsigned i = 0; i < length; i++) {
    uint64_t random = mix64(i);
    for (unsigned k = 0; k < LETTERS; k++, random >>= 4) texts[i].letters[k] = (char)('a' + (random & 15));
    texts[i].letters[LETTERS] = 0;
    random = mix64(LARGEST + i);
    points[i] = (point){(int32_t)(random & 0xfffff), (int32_t)(random >> 20 & 0xfffff),
                        (int32_t)(random >> 40 & 0xfffff), i, 0};
  }
}

static int by_letters(const void *left, const void *right) {
  return strcmp(((const text *)left)->letters, ((const text *)right)->letters);
}

static int by_distance(const void *left, const void *right) {
  double first = ((const point *)left)->distance, second = ((const point *)right)->distance;
  return (first > second) - (first < second);
}

static void __attribute__((noinline)) measure_points(unsigned length) {
  for (point *at = points; at < points + length; at++) {
    double x = at->x, y = at->y, z = at->z;
    at->distance = sqrt(x * x + y * y + z * z);
  }
}

int main(void) {
  const unsigned length = lengths[input];
  build(length);

  kernel_begin();
  qsort(texts, length, sizeof *texts, by_letters);
  measure_points(length);
  qsort(points, length, sizeof *points, by_distance);
  kernel_end();

  hashes[0] = fnv1a(FNV_OFFSET, texts, length * sizeof *texts);
  hashes[1] = FNV_OFFSET;
  for (unsigned i = 0; i < length; i++) hashes[1] = fnv1a(hashes[1], &points[i].number, sizeof points[i].number);
  expect(hashes[0] == known[input][0], "the strings are in Python's order");
  expect(hashes[1] == known[input][1], "the points are in Python's order");
  return 0;
}
