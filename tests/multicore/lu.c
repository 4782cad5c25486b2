// LU factorisation of a dense matrix without pivoting, as SPLASH-2's LU with contiguous blocks has it: the matrix is
// kept block by block, and the blocks are dealt to the harts in two dimensions. In each step the owner of the block on
// the diagonal factors it, the owners of the blocks below it and right of it divide by it, and all update the rest of
// their blocks, with blocks that other harts have just written.
//
// Check: the factors multiplied back, L (U x) for a random vector x, are A x, with the elements of A from the
// generator. Were an element of the product wrong, x would have to be chosen to hide it.
#include "hauberk.h"

#define BLOCK 8
#define BLOCKS 8
#define SIZE (BLOCK * BLOCKS)  // 32 KiB
#define TOLERANCE 1e-9

typedef double block[BLOCK][BLOCK];

static NOINIT block blocks[BLOCKS][BLOCKS];  // in the end U, and below the diagonal L, whose diagonal is all ones
static barrier meeting;
static RESULTS double pivots[SIZE];

// Between -1 and 1
static double random_value(unsigned i) { return (double)(int32_t)(mix64(i) >> 32) * (1 / 2147483648.0); }

// On the diagonal so large that no pivot is small
static double element(unsigned row, unsigned column) {
  double value = random_value(row * SIZE + column);
  return row == column ? value + SIZE : value;
}

static double *place(unsigned row, unsigned column) {
  return &blocks[row / BLOCK][column / BLOCK][row % BLOCK][column % BLOCK];
}

// Two harts share each row of blocks, and four each square of two by two.
static bool is_mine(unsigned row, unsigned column, unsigned hart, unsigned harts) {
  return (harts == 4 ? row % 2 * 2 + column % 2 : column % harts) == hart;
}

// target -= left right
static void subtract_product(block target, const block left, const block right) {
  for (unsigned i = 0; i < BLOCK; i++) {
    for (unsigned k = 0; k < BLOCK; k++) {
      double factor = left[i][k];
      for (unsigned j = 0; j < BLOCK; j++) target[i][j] -= factor * right[k][j];
    }
  }
}

static void factor_diagonal(block target) {
  for (unsigned k = 0; k < BLOCK; k++) {
    for (unsigned i = k + 1; i < BLOCK; i++) {
      target[i][k] /= target[k][k];
      for (unsigned j = k + 1; j < BLOCK; j++) target[i][j] -= target[i][k] * target[k][j];
    }
  }
}

// target U^-1, of a block below the diagonal's
static void divide_below(block target, const block diagonal) {
  for (unsigned i = 0; i < BLOCK; i++) {
    for (unsigned k = 0; k < BLOCK; k++) {
      target[i][k] /= diagonal[k][k];
      for (unsigned j = k + 1; j < BLOCK; j++) target[i][j] -= target[i][k] * diagonal[k][j];
    }
  }
}

// L^-1 target, of a block right of the diagonal's
static void divide_right(block target, const block diagonal) {
  for (unsigned k = 0; k < BLOCK; k++) {
    for (unsigned i = k + 1; i < BLOCK; i++) {
      for (unsigned j = 0; j < BLOCK; j++) target[i][j] -= diagonal[i][k] * target[k][j];
    }
  }
}

// A step's blocks on and beside the diagonal are not written in later steps, and the others only by their owner: so no
// meeting is needed between the end of a step and the next.
static void factor_share(unsigned hart, unsigned harts) {
  for (unsigned k = 0; k < BLOCKS; k++) {
    if (is_mine(k, k, hart, harts)) factor_diagonal(blocks[k][k]);
    barrier_wait(&meeting, harts);
    for (unsigned i = k + 1; i < BLOCKS; i++) {
      if (is_mine(i, k, hart, harts)) divide_below(blocks[i][k], blocks[k][k]);
      if (is_mine(k, i, hart, harts)) divide_right(blocks[k][i], blocks[k][k]);
    }
    barrier_wait(&meeting, harts);
    for (unsigned i = k + 1; i < BLOCKS; i++) {
      for (unsigned j = k + 1; j < BLOCKS; j++) {
        if (is_mine(i, j, hart, harts)) subtract_product(blocks[i][j], blocks[i][k], blocks[k][j]);
      }
    }
  }
}

static void check_factors(void) {
  double multipliers[SIZE], upper[SIZE];
  for (unsigned i = 0; i < SIZE; i++) multipliers[i] = random_value(SIZE * SIZE + i);
  for (unsigned row = 0; row < SIZE; row++) {
    upper[row] = 0;
    for (unsigned column = row; column < SIZE; column++) upper[row] += *place(row, column) * multipliers[column];
  }
  for (unsigned row = 0; row < SIZE; row++) {
    double error = upper[row];
    for (unsigned k = 0; k < row; k++) error += *place(row, k) * upper[k];
    for (unsigned column = 0; column < SIZE; column++) error -= element(row, column) * multipliers[column];
    expect(error < TOLERANCE && -error < TOLERANCE, "the product of the factors is the matrix");
  }
}

int main(void) {
  for (unsigned row = 0; row < SIZE; row++) {
    for (unsigned column = 0; column < SIZE; column++) *place(row, column) = element(row, column);
  }

  kernel_begin();
  on_every_hart(factor_share);
  kernel_end();

  check_factors();
  for (unsigned row = 0; row < SIZE; row++) pivots[row] = *place(row, row);
  return 0;
}
