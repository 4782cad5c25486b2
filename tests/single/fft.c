// Complex FFT in double precision, radix 2 in place, forward and back, with data and factors larger than the L1 data
// cache.
//
// Check: the inverse gives the input back, Parseval's sum holds, and some bins agree with the Fourier sum done
// directly.
#include "hauberk.h"

#define LOG2_LENGTH 10
#define LENGTH (1 << LOG2_LENGTH)  // 16 KiB of data, 8 KiB of factors
#define TOLERANCE 1e-9

typedef struct {
  double re, im;
} complex_number;

static NOINIT complex_number data[LENGTH];
static NOINIT complex_number factors[LENGTH / 2];
static RESULTS complex_number bins[32];

static complex_number times(complex_number x, complex_number y) {
  return (complex_number){x.re * y.re - x.im * y.im, x.re * y.im + x.im * y.re};
}

static double distance(double x, double y) { return x < y ? y - x : x - y; }

// Between -1 and 1: a chirp, whose spectrum is broad
static double sample(unsigned i) {
  return (double)(int32_t)((uint64_t)i * (i + 7) * 0x9e3779b97f4a7c15UL >> 32) * (1 / 2147483648.0);
}

// exp(-2 pi i / 2^level): -1, then square roots by halving the angle.
static complex_number root_of_unity(unsigned level) {
  complex_number root = {-1, 0};
  for (unsigned i = 1; i < level; i++) {
    double re = 0, square = (1 + root.re) / 2;
    __asm__("fsqrt.d %0, %1" : "=f"(re) : "f"(square));
    double im = i == 1 ? -1 : root.im / (2 * re);
    root = (complex_number){re, im};
  }
  return root;
}

// factors[k] = exp(-2 pi i k / LENGTH), each the product of at most LOG2_LENGTH roots, so that errors do not build up.
static void build_factors(void) {
  factors[0] = (complex_number){1, 0};
  for (unsigned bit = 0; bit + 1 < LOG2_LENGTH; bit++) {
    complex_number root = root_of_unity(LOG2_LENGTH - bit);
    for (unsigned k = 0; k < 1u << bit; k++) factors[k + (1u << bit)] = times(factors[k], root);
  }
}

static void reverse_bits(void) {
  for (unsigned i = 0, j = 0; i < LENGTH; i++) {
    if (i < j) {
      complex_number kept = data[i];
      data[i] = data[j];
      data[j] = kept;
    }
    unsigned bit = LENGTH >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j |= bit;
  }
}

// Forward for sign 1, inverse (not scaled) for sign -1.
static void __attribute__((noinline)) transform(double sign) {
  reverse_bits();
  for (unsigned half = 1; half < LENGTH; half *= 2) {
    unsigned stride = LENGTH / 2 / half;
    for (unsigned start = 0; start < LENGTH; start += 2 * half) {
      for (unsigned k = 0; k < half; k++) {
        complex_number factor = factors[k * stride], upper = data[start + k];
        factor.im *= sign;
        complex_number lower = times(factor, data[start + k + half]);
        data[start + k] = (complex_number){upper.re + lower.re, upper.im + lower.im};
        data[start + k + half] = (complex_number){upper.re - lower.re, upper.im - lower.im};
      }
    }
  }
}

// Horner's rule in z = exp(-2 pi i bin / LENGTH)
static complex_number fourier_sum(unsigned bin) {
  complex_number root = root_of_unity(LOG2_LENGTH), z = {1, 0}, sum = {0, 0};
  for (unsigned i = 0; i < bin; i++) z = times(z, root);
  for (unsigned i = LENGTH; i-- > 0;) {
    sum = times(sum, z);
    sum.re += sample(2 * i);
    sum.im += sample(2 * i + 1);
  }
  return sum;
}

static double energy(void) {
  double sum = 0;
  for (unsigned i = 0; i < LENGTH; i++) sum += data[i].re * data[i].re + data[i].im * data[i].im;
  return sum;
}

int main(void) {
  for (unsigned i = 0; i < LENGTH; i++) data[i] = (complex_number){sample(2 * i), sample(2 * i + 1)};
  double energy_before = energy();

  kernel_begin();
  build_factors();
  transform(1);
  kernel_end();
  for (unsigned i = 0; i < ARRAY_LENGTH(bins); i++) bins[i] = data[i * (LENGTH / ARRAY_LENGTH(bins)) + i];
  expect(distance(energy() / LENGTH, energy_before) < TOLERANCE * LENGTH, "Parseval's sum holds");
  for (unsigned i = 5; i < ARRAY_LENGTH(bins); i += 20) {
    complex_number sum = fourier_sum(i * (LENGTH / ARRAY_LENGTH(bins)) + i);
    expect(distance(sum.re, bins[i].re) < TOLERANCE && distance(sum.im, bins[i].im) < TOLERANCE,
           "a bin is the Fourier sum");
  }

  kernel_begin();
  transform(-1);
  kernel_end();
  for (unsigned i = 0; i < LENGTH; i++) {
    bool same = distance(data[i].re / LENGTH, sample(2 * i)) < TOLERANCE &&
                distance(data[i].im / LENGTH, sample(2 * i + 1)) < TOLERANCE;
    expect(same, "the inverse gives the input back");
  }
  return 0;
}
