// Complex FFT in double precision by six steps, as SPLASH-2's FFT has it: the points are a square matrix of which each
// hart has a band of rows, and three transpositions, in which every hart reads the bands of all others, turn one long
// transform into short ones within a row. Forward and back.
//
// Check: the points are powers of one number z, so every bin is known without a transform, by the sum of a geometric
// series; and the inverse gives the points back.
#include "hauberk.h"

#define LOG2_SIDE 5
#define SIDE (1 << LOG2_SIDE)
#define POINTS (SIDE * SIDE)  // 16 KiB, as much to transpose to, and as much of roots of unity
#define LINE_POINTS (CACHE_LINE / 16)
#define TOLERANCE 1e-9

typedef struct {
  double re, im;
} complex_number;

typedef complex_number matrix[SIDE][SIDE];

// exp(-2 pi i / POINTS)
static const complex_number first_root = {0.9999811752826011, -0.006135884649154475};
// Of absolute value just below 1: the last point is two thirds of the first.
static const complex_number z = {0.6, 0.7995};

static NOINIT matrix points, transposed;
static NOINIT complex_number roots[POINTS];  // roots[k] = first_root^k
static barrier meeting;
static RESULTS complex_number bins[SIDE];

static complex_number times(complex_number x, complex_number y) {
  return (complex_number){x.re * y.re - x.im * y.im, x.re * y.im + x.im * y.re};
}

static bool near(complex_number x, complex_number y) {
  double re = x.re - y.re, im = x.im - y.im;
  return re * re + im * im < TOLERANCE * TOLERANCE;
}

// Each root is the product of few, so that errors do not build up.
static void build_roots(void) {
  complex_number root = first_root;
  roots[0] = (complex_number){1, 0};
  for (unsigned known = 1; known < POINTS; known *= 2) {
    for (unsigned k = 0; k < known; k++) roots[k + known] = times(roots[k], root);
    root = times(root, root);
  }
}

// For sign 1 the root, for sign -1 its inverse.
static complex_number root_to(unsigned power, double sign) {
  return (complex_number){roots[power].re, sign * roots[power].im};
}

// Rows first to last of `to`, from all rows of `from`: from each hart's in turn, beginning behind one's own so that not
// all read the same band, and a line at a time so that it is read once.
static void transpose_rows(const matrix from, matrix to, unsigned first, unsigned last) {
  for (unsigned row = first; row < last; row += LINE_POINTS) {
    for (unsigned i = 0; i < SIDE; i++) {
      unsigned column = (last + i) % SIDE;
      for (unsigned j = 0; j < LINE_POINTS; j++) to[row + j][column] = from[column][row + j];
    }
  }
}

static void reverse_bits(complex_number row[SIDE]) {
  for (unsigned i = 0, j = 0; i < SIDE; i++) {
    if (i < j) {
      complex_number kept = row[i];
      row[i] = row[j];
      row[j] = kept;
    }
    unsigned bit = SIDE >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j |= bit;
  }
}

static void transform_row(complex_number row[SIDE], double sign) {
  reverse_bits(row);
  for (unsigned half = 1; half < SIDE; half *= 2) {
    for (unsigned k = 0; k < half; k++) {
      complex_number factor = root_to(k * (POINTS / 2 / half), sign);
      for (unsigned start = 0; start < SIDE; start += 2 * half) {
        complex_number upper = row[start + k], lower = times(factor, row[start + k + half]);
        row[start + k] = (complex_number){upper.re + lower.re, upper.im + lower.im};
        row[start + k + half] = (complex_number){upper.re - lower.re, upper.im - lower.im};
      }
    }
  }
}

// From `from` to `to`, of both of which it leaves nothing else. Forward for sign 1, inverse (not scaled) for sign -1.
static void transform(matrix from, matrix to, double sign, unsigned hart, unsigned harts) {
  unsigned first = SIDE * hart / harts, last = SIDE * (hart + 1) / harts;
  transpose_rows(from, to, first, last);
  for (unsigned row = first; row < last; row++) {
    transform_row(to[row], sign);
    for (unsigned k = 0; k < SIDE; k++) to[row][k] = times(to[row][k], root_to(row * k, sign));
  }
  barrier_wait(&meeting, harts);
  transpose_rows(to, from, first, last);
  for (unsigned row = first; row < last; row++) transform_row(from[row], sign);
  barrier_wait(&meeting, harts);
  transpose_rows(from, to, first, last);
}

static void transform_forward(unsigned hart, unsigned harts) { transform(points, transposed, 1, hart, harts); }
static void transform_back(unsigned hart, unsigned harts) { transform(transposed, points, -1, hart, harts); }

// The sum over n of z^n root^n, times (1 - z root), is 1 - z^POINTS, for each root of unity.
static void check_bins(complex_number last_power) {
  complex_number expected = {1 - last_power.re, -last_power.im}, root = {1, 0};
  for (unsigned k = 0; k < POINTS; k++) {
    complex_number bin = transposed[k / SIDE][k % SIDE], shifted = times(z, root);
    expect(near(times(bin, (complex_number){1 - shifted.re, -shifted.im}), expected), "a bin is the series' sum");
    root = times(root, first_root);
  }
  expect(near(root, (complex_number){1, 0}), "the roots are of unity");
}

int main(void) {
  build_roots();
  complex_number power = {1, 0};
  for (unsigned n = 0; n < POINTS; n++) {
    points[n / SIDE][n % SIDE] = power;
    power = times(power, z);
  }

  kernel_begin();
  on_every_hart(transform_forward);
  kernel_end();
  for (unsigned i = 0; i < SIDE; i++) bins[i] = transposed[i][i];
  check_bins(power);

  kernel_begin();
  on_every_hart(transform_back);
  kernel_end();
  power = (complex_number){1, 0};
  for (unsigned n = 0; n < POINTS; n++) {
    complex_number point = points[n / SIDE][n % SIDE];
    expect(near((complex_number){point.re / POINTS, point.im / POINTS}, power), "the inverse gives the points back");
    power = times(power, z);
  }
  return 0;
}
