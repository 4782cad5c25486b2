// Encodes a signal as MP3, in memory, by LAME (after MiBench's lame).
//
// Check: the hash of the frames, which is also that of LAME on x86-64; and each frame begins with its header. Of
// twelve frames, mpg123 decodes the signal with 26 dB.
#include <lame.h>

#include "hauberk.h"
#include "input.h"
#include "signal.h"

#define RATE 16000
#define BIT_RATE 32
#define FRAME 576  // samples, at this rate
#define FRAME_BYTES (72 * BIT_RATE * 1000 / RATE)
#define LARGEST 4  // frames, of which the last stays in the encoder
#define QUALITY 7

static const unsigned frames[] = {2, LARGEST};
static const uint64_t known[] = {0x54bcb2675b5e43e1, 0x22e3052f2c5003fa};

static NOINIT short samples[LARGEST * FRAME];
static NOINIT unsigned char encoded[16384];
static RESULTS uint64_t result[2];

static lame_t prepared(void) {
  lame_t encoder = lame_init();
  expect(encoder != NULL, "LAME starts");
  lame_set_num_channels(encoder, 1);
  lame_set_in_samplerate(encoder, RATE);
  lame_set_out_samplerate(encoder, RATE);
  lame_set_mode(encoder, MONO);
  lame_set_brate(encoder, BIT_RATE);
  lame_set_quality(encoder, QUALITY);
  lame_set_bWriteVbrTag(encoder, 0);
  lame_set_write_id3tag_automatic(encoder, 0);
  expect(lame_init_params(encoder) == 0, "LAME takes the parameters");
  return encoder;
}

int main(void) {
  const unsigned length = frames[input] * FRAME;
  for (unsigned i = 0; i < length; i++) samples[i] = signal_sample(i);
  lame_t encoder = prepared();

  kernel_begin();
  int size = lame_encode_buffer(encoder, samples, samples, (int)length, encoded, sizeof encoded);
  if (size >= 0) size += lame_encode_flush_nogap(encoder, encoded + size, (int)sizeof encoded - size);
  kernel_end();

  expect(size > 0 && size % FRAME_BYTES == 0, "LAME gives whole frames");
  for (int i = 0; i < size; i += FRAME_BYTES) {
    expect(encoded[i] == 0xff && encoded[i + 1] == 0xf3, "a frame of MPEG-2, layer III, has its header");
  }
  result[0] = fnv1a(FNV_OFFSET, encoded, (size_t)size);
  result[1] = (uint64_t)size;
  expect(result[0] == known[input], "the frames are the known ones");
  lame_close(encoder);
  return 0;
}
