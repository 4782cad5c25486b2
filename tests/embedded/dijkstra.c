// Shortest paths over a matrix of distances, with a queue whose entries the C library allocates (after MiBench's
// dijkstra: a node returns to the queue when its distance shrinks).
//
// Check: each distance against a known sum, which Python has by a binary heap; and the path found is that long.
#include <stdlib.h>

#include "hauberk.h"
#include "input.h"

#define NODES 40
#define LARGEST 8
#define UNREACHED UINT32_MAX

static const unsigned pairs[] = {1, LARGEST};
static const uint64_t known[] = {0x3a, 0xfd4};

typedef struct entry {
  unsigned node;
  uint32_t distance;
  struct entry *next;
} entry;

static NOINIT uint32_t lengths[NODES][NODES];
static uint32_t distances[NODES];
static unsigned previous[NODES];
static entry *first, **end = &first;
static RESULTS uint32_t found[LARGEST];

static void build_matrix(void) {
  for (unsigned i = 0; i < NODES * NODES; i++) lengths[i / NODES][i % NODES] = 1 + mix64(i) % 1000;
}

static void append(unsigned node, uint32_t distance) {
  entry *made = malloc(sizeof *made);
  expect(made != NULL, "there is memory for an entry of the queue");
  *made = (entry){node, distance, NULL};
  *end = made;
  end = &made->next;
}

static entry take(void) {
  entry *taken = first, copy = *taken;
  first = taken->next;
  if (first == NULL) end = &first;
  free(taken);
  return copy;
}

static uint32_t __attribute__((noinline)) find_distance(unsigned from, unsigned to) {
  for (unsigned node = 0; node < NODES; node++) distances[node] = UNREACHED;
  distances[from] = 0;
  append(from, 0);
  while (first) {
    const entry at = take();
    if (at.distance > distances[at.node]) continue;
    for (unsigned node = 0; node < NODES; node++) {
      uint32_t distance = at.distance + lengths[at.node][node];
      if (distance >= distances[node]) continue;
      distances[node] = distance;
      previous[node] = at.node;
      append(node, distance);
    }
  }
  return distances[to];
}

// Backwards along the nodes from which each was reached
static uint32_t path_length(unsigned from, unsigned to) {
  uint32_t length = 0;
  for (; to != from; to = previous[to]) length += lengths[previous[to]][to];
  return length;
}

int main(void) {
  const unsigned count = pairs[input];
  uint64_t sum = 0;
  build_matrix();

  for (unsigned i = 0; i < count; i++) {
    const unsigned from = i, to = (i + NODES / 2) % NODES;
    kernel_begin();
    found[i] = find_distance(from, to);
    kernel_end();
    expect(found[i] == path_length(from, to), "the path is as long as its distance");
    sum += found[i] * (i + 1);
  }
  expect(sum == known[input], "the distances are the shortest");
  return 0;
}
