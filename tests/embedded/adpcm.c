// IMA ADPCM: a signal of 16-bit samples to four bits each, and back (after MiBench's adpcm).
//
// Check: the hash of the codes, which Python's audioop makes of the same samples; and each decoded sample is near the
// original.
#include "hauberk.h"
#include "input.h"
#include "signal.h"

#define LARGEST 5000
#define STEPS 89
#define NEAR 4000  // the largest error is that of the start, where the step is small

static const unsigned lengths[] = {500, LARGEST};
static const uint64_t known[] = {0xc3c0972b147ae6d8, 0x18358081f1394084};

static const int8_t index_changes[8] = {-1, -1, -1, -1, 2, 4, 6, 8};
static const uint16_t steps[STEPS] = {
    7,    8,     9,     10,    11,    12,    13,    14,    16,    17,    19,    21,    23,    25,   28,
    31,   34,    37,    41,    45,    50,    55,    60,    66,    73,    80,    88,    97,    107,  118,
    130,  143,   157,   173,   190,   209,   230,   253,   279,   307,   337,   371,   408,   449,  494,
    544,  598,   658,   724,   796,   876,   963,   1060,  1166,  1282,  1411,  1552,  1707,  1878, 2066,
    2272, 2499,  2749,  3024,  3327,  3660,  4026,  4428,  4871,  5358,  5894,  6484,  7132,  7845, 8630,
    9493, 10442, 11487, 12635, 13899, 15289, 16818, 18500, 20350, 22385, 24623, 27086, 29794, 32767};

typedef struct {
  int32_t predicted, index;
} coder;

static NOINIT int16_t samples[LARGEST], decoded[LARGEST];
static NOINIT uint8_t codes[LARGEST / 2];
static RESULTS uint64_t result[2];

static int32_t clamp(int32_t value, int32_t low, int32_t high) {
  return value < low ? low : value > high ? high : value;
}

// Encoder and decoder update their state by each code. The difference is (magnitude + 1/2) * step / 4, by shifts as the
// standard has it.
static inline void follow(coder *state, unsigned code) {
  int32_t step = steps[state->index], difference = step >> 3;
  if (code & 4) difference += step;
  if (code & 2) difference += step >> 1;
  if (code & 1) difference += step >> 2;
  state->predicted = clamp(state->predicted + (code & 8 ? -difference : difference), -32768, 32767);
  state->index = clamp(state->index + index_changes[code & 7], 0, STEPS - 1);
}

static unsigned encode_sample(coder *state, int32_t sample) {
  int32_t difference = sample - state->predicted, step = steps[state->index];
  unsigned code = difference < 0 ? 8 : 0;
  if (difference < 0) difference = -difference;
  for (unsigned bit = 4; bit; bit >>= 1, step >>= 1) {
    if (difference < step) continue;
    code |= bit;
    difference -= step;
  }
  follow(state, code);
  return code;
}

static void __attribute__((noinline)) encode(const int16_t *from, uint8_t *to, unsigned length) {
  coder state = {0, 0};
  for (unsigned i = 0; i < length; i += 2) {
    unsigned first = encode_sample(&state, from[i]);
    *to++ = (uint8_t)(first << 4 | encode_sample(&state, from[i + 1]));
  }
}

static void __attribute__((noinline)) decode(const uint8_t *from, int16_t *to, unsigned length) {
  coder state = {0, 0};
  for (unsigned i = 0; i < length; i++) {
    follow(&state, i & 1 ? from[i / 2] & 15 : from[i / 2] >> 4);
    to[i] = (int16_t)state.predicted;
  }
}

int main(void) {
  const unsigned length = lengths[input];
  for (unsigned i = 0; i < length; i++) samples[i] = signal_sample(i);

  kernel_begin();
  encode(samples, codes, length);
  decode(codes, decoded, length);
  kernel_end();

  result[0] = fnv1a(FNV_OFFSET, codes, length / 2);
  result[1] = fnv1a(FNV_OFFSET, decoded, length * sizeof *decoded);
  expect(result[0] == known[input], "the codes are those of audioop");
  for (unsigned i = 30; i < length; i++) {
    int32_t error = decoded[i] - samples[i];
    expect(error < NEAR && -error < NEAR, "a decoded sample is near the original");
  }
  return 0;
}
