// Poisson's equation on a square by red-black Gauss-Seidel on grids of four sizes (V-cycles of multigrid), the solver
// in SPLASH-2's Ocean. Each hart has a band of rows of each grid; all meet after each colour and each change of grid,
// and agree under a lock on the largest residual, which ends the solution.
//
// Check: the right side is made from a solution, which must come out. As the iteration repairs what it read too early,
// hart 0 then solves alone: the same points of one colour from the same points of the other must give the same bits.
#include "hauberk.h"

#define LEVELS 4
#define CELLS 32  // of the finest grid, across: inner points are in rows and columns 1 to CELLS - 1
#define POINTS(cells) (((cells) + 1) * ((cells) + 1))
#define ALL_POINTS (POINTS(CELLS) + POINTS(CELLS / 2) + POINTS(CELLS / 4) + POINTS(CELLS / 8))
#define BOTTOM_SWEEPS 8
#define MAX_CYCLES 8
#define SMALL_RESIDUAL 1e-4
#define TOLERANCE 1e-2  // on 32 cells, a point is wrong by at most 76 times the largest residual

// Of points (row, column) at row * (cells + 1) + column; the border is zero. 35 KiB together.
typedef struct {
  unsigned cells;
  double *solution, *source, *residual;
} grid;

static NOINIT double memory[3 * ALL_POINTS];
static NOINIT double kept_solution[POINTS(CELLS)];
static grid grids[LEVELS];
static barrier meeting;
static spin_lock lock;
static RESULTS volatile double residuals[MAX_CYCLES];  // the largest of each cycle, under the lock

// Multiples of 2^-16, so that the sums which give the source are exact
static double exact_solution(unsigned row, unsigned column) {
  if (row % CELLS == 0 || column % CELLS == 0) return 0;
  return (double)(int16_t)mix64(row * CELLS + column) * (1 / 65536.0);
}

static double sum_neighbours(const double *point, unsigned width) {
  return point[-(ptrdiff_t)width] + point[width] + point[-1] + point[1];
}

typedef struct {
  unsigned first, last;
} band;

static band rows_of(const grid *on, unsigned hart, unsigned harts) {
  return (band){1 + (on->cells - 1) * hart / harts, 1 + (on->cells - 1) * (hart + 1) / harts};
}

static void relax(const grid *on, unsigned sweeps, unsigned hart, unsigned harts) {
  unsigned width = on->cells + 1;
  band rows = rows_of(on, hart, harts);
  for (unsigned half_sweep = 0; half_sweep < 2 * sweeps; half_sweep++) {
    for (unsigned row = rows.first; row < rows.last; row++) {
      for (unsigned at = row * width + 1 + (row + half_sweep) % 2; at < row * width + on->cells; at += 2) {
        on->solution[at] = 0.25 * (on->source[at] + sum_neighbours(&on->solution[at], width));
      }
    }
    barrier_wait(&meeting, harts);
  }
}

// Returns the largest of this hart's.
static double find_residual(const grid *on, unsigned hart, unsigned harts) {
  unsigned width = on->cells + 1;
  band rows = rows_of(on, hart, harts);
  double largest = 0;
  for (unsigned row = rows.first; row < rows.last; row++) {
    for (unsigned at = row * width + 1; at < row * width + on->cells; at++) {
      double rest = on->source[at] - 4 * on->solution[at] + sum_neighbours(&on->solution[at], width);
      on->residual[at] = rest;
      if (rest < 0) rest = -rest;
      if (rest > largest) largest = rest;
    }
  }
  barrier_wait(&meeting, harts);
  return largest;
}

static double agree_on_largest(unsigned cycle, double mine, unsigned harts) {
  spin_acquire(&lock);
  if (mine > residuals[cycle]) residuals[cycle] = mine;
  spin_release(&lock);
  barrier_wait(&meeting, harts);
  return residuals[cycle];
}

// The coarser grid's source is the finer's residual, averaged over nine points, times four as cells are twice as wide.
static void coarsen(const grid *fine, const grid *coarse, unsigned hart, unsigned harts) {
  unsigned width = coarse->cells + 1, fine_width = fine->cells + 1;
  band rows = rows_of(coarse, hart, harts);
  for (unsigned row = rows.first; row < rows.last; row++) {
    for (unsigned column = 1; column < coarse->cells; column++) {
      const double *centre = &fine->residual[2 * row * fine_width + 2 * column];
      double corners = centre[-(ptrdiff_t)fine_width - 1] + centre[-(ptrdiff_t)fine_width + 1] +
                       centre[fine_width - 1] + centre[fine_width + 1];
      coarse->source[row * width + column] = *centre + 0.5 * sum_neighbours(centre, fine_width) + 0.25 * corners;
      coarse->solution[row * width + column] = 0;
    }
  }
  barrier_wait(&meeting, harts);
}

// Adds the coarser grid's solution to the finer's, at points between points their mean.
static void correct(const grid *fine, const grid *coarse, unsigned hart, unsigned harts) {
  unsigned width = coarse->cells + 1, fine_width = fine->cells + 1;
  band rows = rows_of(fine, hart, harts);
  for (unsigned row = rows.first; row < rows.last; row++) {
    const double *above = &coarse->solution[row / 2 * width], *below = &coarse->solution[(row + 1) / 2 * width];
    for (unsigned column = 1; column < fine->cells; column++) {
      unsigned left = column / 2, right = (column + 1) / 2;
      fine->solution[row * fine_width + column] += 0.25 * (above[left] + above[right] + below[left] + below[right]);
    }
  }
  barrier_wait(&meeting, harts);
}

static void solve_share(unsigned hart, unsigned harts) {
  for (unsigned cycle = 0; cycle < MAX_CYCLES; cycle++) {
    for (unsigned level = 0; level + 1 < LEVELS; level++) {
      relax(&grids[level], 1, hart, harts);
      double largest = find_residual(&grids[level], hart, harts);
      if (level == 0 && agree_on_largest(cycle, largest, harts) < SMALL_RESIDUAL) return;
      coarsen(&grids[level], &grids[level + 1], hart, harts);
    }
    relax(&grids[LEVELS - 1], BOTTOM_SWEEPS, hart, harts);
    for (unsigned level = LEVELS - 1; level-- > 0;) {
      correct(&grids[level], &grids[level + 1], hart, harts);
      relax(&grids[level], 1, hart, harts);
    }
  }
}

static void prepare(void) {
  memset(memory, 0, sizeof memory);
  for (unsigned cycle = 0; cycle < MAX_CYCLES; cycle++) residuals[cycle] = 0;
  for (unsigned row = 1; row < CELLS; row++) {
    for (unsigned column = 1; column < CELLS; column++) {
      grids[0].source[row * (CELLS + 1) + column] = 4 * exact_solution(row, column) - exact_solution(row - 1, column) -
                                                    exact_solution(row + 1, column) - exact_solution(row, column - 1) -
                                                    exact_solution(row, column + 1);
    }
  }
}

int main(void) {
  double *free_memory = memory, kept_residuals[MAX_CYCLES];
  for (unsigned level = 0; level < LEVELS; level++) {
    unsigned points = POINTS(CELLS >> level);
    grids[level] = (grid){CELLS >> level, free_memory, free_memory + points, free_memory + 2 * points};
    free_memory += 3 * points;
  }
  prepare();

  kernel_begin();
  on_every_hart(solve_share);
  kernel_end();

  for (unsigned at = 0; at < POINTS(CELLS); at++) {
    double error = grids[0].solution[at] - exact_solution(at / (CELLS + 1), at % (CELLS + 1));
    expect(error < TOLERANCE && -error < TOLERANCE, "a point has the value the right side was made from");
    kept_solution[at] = grids[0].solution[at];
  }
  for (unsigned cycle = 0; cycle < MAX_CYCLES; cycle++) kept_residuals[cycle] = residuals[cycle];
  prepare();
  solve_share(0, 1);
  expect(memcmp(kept_solution, grids[0].solution, sizeof kept_solution) == 0, "one hart alone finds the same solution");
  for (unsigned cycle = 0; cycle < MAX_CYCLES; cycle++) {
    expect(kept_residuals[cycle] == residuals[cycle], "one hart alone meets the same residuals");
  }
  return 0;
}
