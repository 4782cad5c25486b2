// Shortest paths from node 0 by Dijkstra's algorithm with a binary heap, on a random graph larger than the L1 data
// cache.
//
// Check: a certificate that proves the distances, found without running the algorithm: no edge can shorten a distance,
// and each node but the source has an edge that attains its distance (weights are positive).
#include "hauberk.h"

#define NODES 768
#define DEGREE 6
#define EDGES (NODES * DEGREE)  // 36 KiB
#define UNREACHED UINT32_MAX

typedef struct {
  uint32_t to, weight;
} edge;

typedef struct {
  uint32_t distance, node;
} entry;

static NOINIT edge edges[EDGES];
static NOINIT entry heap[EDGES + 1];
static RESULTS uint32_t distances[NODES];
static unsigned heap_size;

// The first edge of each node leads to the next node, so that all are reached; the others lead anywhere.
static void build_graph(void) {
  edge *at = edges;
  for (unsigned node = 0; node < NODES; node++) {
    for (unsigned i = 0; i < DEGREE; i++, at++) {
      uint64_t random = mix64((uint64_t)(at - edges));
      at->to = i == 0 ? (node + 1) % NODES : (uint32_t)((random >> 32) * NODES >> 32);
      at->weight = 1 + (random & 1023);
    }
  }
}

static void push(entry item) {
  unsigned hole = heap_size++;
  while (hole > 0 && heap[(hole - 1) / 2].distance > item.distance) {
    heap[hole] = heap[(hole - 1) / 2];
    hole = (hole - 1) / 2;
  }
  heap[hole] = item;
}

static entry pop(void) {
  entry least = heap[0], last = heap[--heap_size];
  unsigned hole = 0;
  for (unsigned child = 1; child < heap_size; child = 2 * hole + 1) {
    if (child + 1 < heap_size && heap[child + 1].distance < heap[child].distance) child++;
    if (heap[child].distance >= last.distance) break;
    heap[hole] = heap[child];
    hole = child;
  }
  heap[hole] = last;
  return least;
}

static void __attribute__((noinline)) find_distances(void) {
  for (unsigned node = 0; node < NODES; node++) distances[node] = UNREACHED;
  distances[0] = 0;
  push((entry){0, 0});
  while (heap_size) {
    entry nearest = pop();
    if (nearest.distance > distances[nearest.node]) continue;  // a shorter way was found after this entry was pushed
    for (unsigned i = nearest.node * DEGREE; i < (nearest.node + 1) * DEGREE; i++) {
      uint32_t distance = nearest.distance + edges[i].weight;
      if (distance < distances[edges[i].to]) {
        distances[edges[i].to] = distance;
        push((entry){distance, edges[i].to});
      }
    }
  }
}

int main(void) {
  static bool attained[NODES];
  build_graph();

  kernel_begin();
  find_distances();
  kernel_end();

  expect(distances[0] == 0, "the source is at distance 0");
  attained[0] = true;
  for (unsigned node = 0; node < NODES; node++) {
    expect(distances[node] != UNREACHED, "each node is reached");
    for (const edge *at = &edges[node * DEGREE]; at < &edges[(node + 1) * DEGREE]; at++) {
      uint32_t by_edge = distances[node] + at->weight;
      expect(distances[at->to] <= by_edge, "no edge shortens a distance");
      if (distances[at->to] == by_edge) attained[at->to] = true;
    }
  }
  for (unsigned node = 0; node < NODES; node++) expect(attained[node], "a path attains each distance");
  return 0;
}
