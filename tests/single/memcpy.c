// Block copies of many sizes and alignments, within a working set larger than the L1 data cache.
//
// Check: source bytes are a function of their place, so each copied byte is recomputed, and the bytes around each copy
// must still hold the filling.
#include "hauberk.h"

#define AREA (24 * 1024)
#define FILLING 0xa5
#define ROUNDS 4

static NOINIT uint8_t source[AREA];
static NOINIT uint8_t target[AREA];

typedef struct {
  unsigned from, to, size;
} block;

// In order of `to` and without overlap. Where `from` and `to` differ in their last three bits the copy goes byte by
// byte.
static const block blocks[] = {{0, 0, 64},        {4096, 256, 1},      {17, 513, 255},      {512, 1024, 512},
                               {1031, 2050, 500}, {8192, 4096, 4096},  {20480, 8448, 2048}, {12288, 12288, 8192},
                               {3, 20739, 2000},  {22001, 22801, 700}, {12345, 23553, 900}};

static RESULTS uint64_t block_hashes[ARRAY_LENGTH(blocks)];

static inline uint8_t byte_at(unsigned place) { return (uint8_t)(place + (place >> 8) * 5); }

static void __attribute__((noinline)) copy_blocks(void) {
  for (unsigned i = 0; i < ARRAY_LENGTH(blocks); i++) {
    memcpy(target + blocks[i].to, source + blocks[i].from, blocks[i].size);
  }
}

static bool is_filling(unsigned from, unsigned to) {
  while (from < to && target[from] == FILLING) from++;
  return from == to;
}

int main(void) {
  for (unsigned i = 0; i < AREA; i++) source[i] = byte_at(i);
  memset(target, FILLING, AREA);

  kernel_begin();
  for (unsigned round = 0; round < ROUNDS; round++) copy_blocks();
  kernel_end();

  unsigned end = 0;
  for (unsigned i = 0; i < ARRAY_LENGTH(blocks); i++) {
    const block *b = &blocks[i];
    expect(is_filling(end, b->to), "bytes between two copies are untouched");
    uint64_t hash = 0;
    bool same = true;
    for (unsigned k = 0; k < b->size; k++) {
      uint8_t byte = target[b->to + k];
      same &= byte == byte_at(b->from + k);
      hash = (hash << 5 | hash >> 59) ^ byte;
    }
    expect(same, "each copied byte is the source's");
    block_hashes[i] = hash;
    end = b->to + b->size;
  }
  expect(is_filling(end, AREA), "bytes after the last copy are untouched");
  return 0;
}
