// Complex FFT and its inverse in double precision, of a sum of waves, with factors from the C library (after MiBench's
// FFT).
//
// Check: the waves have known places and heights in the spectrum, and there is nothing beside them; the inverse gives
// the signal back.
#include <math.h>

#include "hauberk.h"
#include "input.h"

#define LARGEST_LOG2 10
#define LARGEST (1 << LARGEST_LOG2)
#define TOLERANCE 1e-9
#define PI 3.14159265358979323846

typedef struct {
  double re, im;
} complex_number;

typedef struct {
  unsigned frequency;
  double height;
} wave;

static const unsigned log2_lengths[] = {7, LARGEST_LOG2};
static const wave waves[] = {{1, 3}, {5, 0.5}, {11, 2}, {30, 1.25}};
static NOINIT complex_number data[LARGEST], signal[LARGEST];
static RESULTS int64_t spectrum[LARGEST];  // in millionths, so that it does not depend on the rounding

static complex_number times(complex_number x, complex_number y) {
  return (complex_number){x.re * y.re - x.im * y.im, x.re * y.im + x.im * y.re};
}

// The waves turn by products: a cosine for each point would cost more than the transform.
static void build_signal(unsigned length) {
  for (unsigned i = 0; i < length; i++) signal[i] = (complex_number){0, 0};
  for (const wave *at = waves; at < waves + ARRAY_LENGTH(waves); at++) {
    double angle = 2 * PI * at->frequency / length;
    complex_number turn = {cos(angle), sin(angle)}, value = {at->height, 0};
    for (unsigned i = 0; i < length; i++, value = times(value, turn)) signal[i].re += value.re;
  }
}

static unsigned reversed(unsigned index, unsigned bits) {
  unsigned result = 0;
  for (; bits; bits--, index >>= 1) result = result << 1 | (index & 1);
  return result;
}

// Forward for sign -1, inverse (not scaled) for sign 1; out of place, as MiBench's is.
static void __attribute__((noinline))
transform(complex_number *to, const complex_number *from, unsigned bits, double sign) {
  const unsigned length = 1u << bits;
  for (unsigned i = 0; i < length; i++) to[reversed(i, bits)] = from[i];
  for (unsigned half = 1; half < length; half *= 2) {
    double angle = sign * PI / half;
    complex_number turn = {cos(angle), sin(angle)}, factor = {1, 0};
    for (unsigned k = 0; k < half; k++, factor = times(factor, turn)) {
      for (unsigned start = k; start < length; start += 2 * half) {
        complex_number upper = to[start], lower = times(factor, to[start + half]);
        to[start] = (complex_number){upper.re + lower.re, upper.im + lower.im};
        to[start + half] = (complex_number){upper.re - lower.re, upper.im - lower.im};
      }
    }
  }
}

// A real wave has half of its height at its frequency and half at the negative one.
static double known(unsigned bin, unsigned length) {
  unsigned frequency = bin < length / 2 ? bin : length - bin;
  for (const wave *at = waves; at < waves + ARRAY_LENGTH(waves); at++) {
    if (at->frequency == frequency) return at->height / 2;
  }
  return 0;
}

int main(void) {
  static NOINIT complex_number back[LARGEST];
  const unsigned bits = log2_lengths[input], length = 1u << bits;
  build_signal(length);

  kernel_begin();
  transform(data, signal, bits, -1);
  transform(back, data, bits, 1);
  kernel_end();

  for (unsigned i = 0; i < length; i++) {
    spectrum[i] = llround(data[i].re / length * 1e6);
    expect(fabs(data[i].re / length - known(i, length)) < TOLERANCE && fabs(data[i].im / length) < TOLERANCE,
           "the spectrum is that of the waves");
    expect(fabs(back[i].re / length - signal[i].re) < TOLERANCE && fabs(back[i].im / length) < TOLERANCE,
           "the inverse gives the signal back");
  }
  return 0;
}
