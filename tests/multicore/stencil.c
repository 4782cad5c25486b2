// Five-point stencil, several steps over a square grid with a border of zeros; each hart its band of rows, all meeting
// after each step. Check: points spread over the grid, each computed from the initial values alone by the method of
// images: on an endless plane whose initial values are mirrored with the opposite sign at the border, the border stays
// zero by itself, and a value after several steps is one sum with the coefficients of the stencil's power.
#include "hauberk.h"

#define SIZE 64
#define STEPS 4  // even, so that the last step ends in grids[0]
#define CENTRE 3
#define REACH (2 * STEPS + 1)
#define CHECK_EVERY 61  // points; prime to SIZE, so that points of all columns are checked

// Values are in rows and columns 1 to SIZE. 34 KiB each.
static NOINIT uint64_t grids[2][SIZE + 2][SIZE + 2];
static barrier meeting;
static RESULTS uint64_t row_hashes[SIZE];

static inline uint64_t initial(unsigned row, unsigned column) {
  return (row * SIZE + column) * 0x9e3779b97f4a7c15UL >> 32;
}

static void step_rows(const uint64_t (*from)[SIZE + 2], uint64_t (*to)[SIZE + 2], unsigned first, unsigned last) {
  for (unsigned row = first; row < last; row++) {
    for (unsigned column = 1; column <= SIZE; column++) {
      to[row][column] = CENTRE * from[row][column] + from[row - 1][column] + from[row + 1][column] +
                        from[row][column - 1] + from[row][column + 1];
    }
  }
}

static void step_share(unsigned hart, unsigned harts) {
  unsigned first = 1 + SIZE * hart / harts, last = 1 + SIZE * (hart + 1) / harts;
  for (unsigned step = 0; step < STEPS; step++) {
    step_rows(grids[step % 2], grids[1 - step % 2], first, last);
    barrier_wait(&meeting, harts);
  }
}

// The coefficient of x^(i - STEPS) y^(j - STEPS) in (CENTRE + x + 1/x + y + 1/y)^STEPS
static uint64_t power[REACH][REACH];

static void build_power(void) {
  static uint64_t next[REACH][REACH];
  power[STEPS][STEPS] = 1;
  for (unsigned step = 0; step < STEPS; step++) {
    for (unsigned i = 0; i < REACH; i++) {
      for (unsigned j = 0; j < REACH; j++) {
        next[i][j] = CENTRE * power[i][j] + (i ? power[i - 1][j] : 0) + (i + 1 < REACH ? power[i + 1][j] : 0) +
                     (j ? power[i][j - 1] : 0) + (j + 1 < REACH ? power[i][j + 1] : 0);
      }
    }
    memcpy(power, next, sizeof power);
  }
}

// Folds a coordinate back into 0 .. SIZE + 1 and says by `sign` whether it was mirrored.
static unsigned fold(int coordinate, int *sign) {
  bool below = coordinate<0, above = coordinate> SIZE + 1;
  if (below || above) *sign = -*sign;
  return (unsigned)(below ? -coordinate : above ? 2 * (SIZE + 1) - coordinate : coordinate);
}

static uint64_t initial_on_plane(int row, int column) {
  int sign = 1;
  unsigned folded_row = fold(row, &sign), folded_column = fold(column, &sign);
  if (folded_row % (SIZE + 1) == 0 || folded_column % (SIZE + 1) == 0) return 0;
  return (uint64_t)sign * initial(folded_row, folded_column);
}

static uint64_t value_by_images(unsigned row, unsigned column) {
  uint64_t sum = 0;
  for (int i = -STEPS; i <= STEPS; i++) {
    for (int j = -STEPS; j <= STEPS; j++) {
      uint64_t coefficient = power[i + STEPS][j + STEPS];
      if (coefficient) sum += coefficient * initial_on_plane((int)row + i, (int)column + j);
    }
  }
  return sum;
}

int main(void) {
  memset(grids, 0, sizeof grids);
  for (unsigned row = 1; row <= SIZE; row++) {
    for (unsigned column = 1; column <= SIZE; column++) grids[0][row][column] = initial(row, column);
  }

  kernel_begin();
  on_every_hart(step_share);
  kernel_end();

  build_power();
  for (unsigned point = 0; point < SIZE * SIZE; point += CHECK_EVERY) {
    unsigned row = 1 + point / SIZE, column = 1 + point % SIZE;
    expect(grids[0][row][column] == value_by_images(row, column), "a point has the value the initial values give it");
  }
  for (unsigned row = 0; row < SIZE; row++) {
    row_hashes[row] = FNV_OFFSET;
    for (unsigned column = 1; column <= SIZE; column++) {
      row_hashes[row] = (row_hashes[row] ^ grids[0][row + 1][column]) * FNV_PRIME;
    }
  }
  return 0;
}
