// Five-point stencil, several steps over a square grid with a border of zeros; each hart has its band of rows, and all
// meet after each step.
//
// Check: every point, without any grid. The initial value is a product f(row) g(column), and summing the neighbours
// above and below (operator V) commutes with summing those left and right (operator H), so (CENTRE + V + H)^STEPS
// expands by the multinomial theorem into products of V^i f and H^j g, which are lines, not grids.
#include "hauberk.h"

#define SIZE 48
#define STEPS 4  // even, so that the last step ends in grids[0]
#define CENTRE 3

// Values are in rows and columns 1 to SIZE. 20 KiB each.
static NOINIT uint64_t grids[2][SIZE + 2][SIZE + 2];
static barrier meeting;
static RESULTS uint64_t row_hashes[SIZE];

static uint64_t row_factor(unsigned row) { return mix64(row) >> 16; }
static uint64_t column_factor(unsigned column) { return mix64(column + SIZE) >> 16; }

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

// powers[i] is the line summed i times with its neighbours: V^i f or H^i g.
typedef uint64_t powers[STEPS + 1][SIZE + 2];

static void sum_neighbours(powers lines) {
  for (unsigned i = 0; i < STEPS; i++) {
    for (unsigned at = 1; at <= SIZE; at++) lines[i + 1][at] = lines[i][at - 1] + lines[i][at + 1];
  }
}

static uint64_t choose(unsigned n, unsigned k) { return k == 0 ? 1 : choose(n - 1, k - 1) * n / k; }

static uint64_t power_of_centre(unsigned exponent) {
  return exponent == 0 ? 1 : CENTRE * power_of_centre(exponent - 1);
}

// coefficients[j] is what multiplies H^j g in a row: the sum over i of the coefficient of V^i H^j, times V^i f in that
// row.
static void find_coefficients(uint64_t coefficients[STEPS + 1], const powers rows, unsigned row) {
  for (unsigned j = 0; j <= STEPS; j++) {
    coefficients[j] = 0;
    for (unsigned i = 0; i + j <= STEPS; i++) {
      coefficients[j] += choose(STEPS, i) * choose(STEPS - i, j) * power_of_centre(STEPS - i - j) * rows[i][row];
    }
  }
}

static void check_row(const uint64_t coefficients[STEPS + 1], const powers columns, unsigned row) {
  for (unsigned column = 1; column <= SIZE; column++) {
    uint64_t value = 0;
    for (unsigned j = 0; j <= STEPS; j++) value += coefficients[j] * columns[j][column];
    expect(grids[0][row][column] == value, "a point has the value the initial values give it");
  }
}

int main(void) {
  static powers rows, columns;
  for (unsigned i = 1; i <= SIZE; i++) {
    rows[0][i] = row_factor(i);
    columns[0][i] = column_factor(i);
  }
  memset(grids, 0, sizeof grids);
  for (unsigned row = 1; row <= SIZE; row++) {
    for (unsigned column = 1; column <= SIZE; column++) grids[0][row][column] = rows[0][row] * columns[0][column];
  }

  kernel_begin();
  on_every_hart(step_share);
  kernel_end();

  sum_neighbours(rows);
  sum_neighbours(columns);
  for (unsigned row = 1; row <= SIZE; row++) {
    uint64_t coefficients[STEPS + 1];
    find_coefficients(coefficients, rows, row);
    check_row(coefficients, columns, row);
    row_hashes[row - 1] = FNV_OFFSET;
    for (unsigned column = 1; column <= SIZE; column++) {
      row_hashes[row - 1] = (row_hashes[row - 1] ^ grids[0][row][column]) * FNV_PRIME;
    }
  }
  return 0;
}
