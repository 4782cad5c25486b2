// Compresses a picture and decompresses it again, in memory, by libjpeg-turbo (after MiBench's jpeg).
//
// Check: the hash of the compressed picture, which is also that of libjpeg-turbo on x86-64; and the picture that comes
// back is near the original.
#include <stdio.h>
#include <stdlib.h>

#include <jpeglib.h>

#include "hauberk.h"
#include "input.h"

#define LARGEST_WIDTH 56
#define LARGEST_HEIGHT 40
#define QUALITY 75
#define NEAR 12  // of 255, root of the mean square

static const unsigned widths[] = {24, LARGEST_WIDTH}, heights[] = {24, LARGEST_HEIGHT};
static const uint64_t known[] = {0x8b078722c855e6f8, 0x7eb751d404e0d5ea};

typedef struct {
  JSAMPLE red, green, blue;
} pixel;

static NOINIT pixel picture[LARGEST_HEIGHT][LARGEST_WIDTH], back[LARGEST_HEIGHT][LARGEST_WIDTH];
static RESULTS uint64_t result[2];

// Slopes of colour, and a disc that is a little rough
static void build_picture(unsigned width, unsigned height) {
  for (unsigned y = 0; y < height; y++) {
    for (unsigned x = 0; x < width; x++) {
      int from_x = 2 * (int)x - (int)width, from_y = 2 * (int)y - (int)height;
      bool inside = (unsigned)(from_x * from_x + from_y * from_y) < height * height / 2;
      unsigned rough = mix64(y * width + x) & 7;
      picture[y][x] = (pixel){(JSAMPLE)(x * 200 / width + (inside ? 40 : 0) + rough),
                              (JSAMPLE)(y * 200 / height + (inside ? 30 : 0) + rough),
                              (JSAMPLE)(inside ? 160 + rough : 60 + rough)};
    }
  }
}

static void __attribute__((noinline))
compress(struct jpeg_error_mgr *errors, unsigned char **to, unsigned long *size, unsigned width, unsigned height) {
  struct jpeg_compress_struct encoder;
  encoder.err = errors;
  jpeg_create_compress(&encoder);
  jpeg_mem_dest(&encoder, to, size);
  encoder.image_width = width;
  encoder.image_height = height;
  encoder.input_components = 3;
  encoder.in_color_space = JCS_RGB;
  jpeg_set_defaults(&encoder);
  jpeg_set_quality(&encoder, QUALITY, TRUE);
  jpeg_start_compress(&encoder, TRUE);
  while (encoder.next_scanline < height) {
    JSAMPROW row = (JSAMPROW)picture[encoder.next_scanline];
    jpeg_write_scanlines(&encoder, &row, 1);
  }
  jpeg_finish_compress(&encoder);
  jpeg_destroy_compress(&encoder);
}

static void __attribute__((noinline)) decompress(struct jpeg_error_mgr *errors, const unsigned char *from,
                                                 unsigned long size, unsigned width, unsigned height) {
  struct jpeg_decompress_struct decoder;
  decoder.err = errors;
  jpeg_create_decompress(&decoder);
  jpeg_mem_src(&decoder, from, size);
  jpeg_read_header(&decoder, TRUE);
  jpeg_start_decompress(&decoder);
  expect(decoder.output_width == width && decoder.output_height == height && decoder.output_components == 3,
         "the compressed picture has the size of the original");
  while (decoder.output_scanline < height) {
    JSAMPROW row = (JSAMPROW)back[decoder.output_scanline];
    jpeg_read_scanlines(&decoder, &row, 1);
  }
  jpeg_finish_decompress(&decoder);
  jpeg_destroy_decompress(&decoder);
}

static unsigned square(JSAMPLE left, JSAMPLE right) { return (unsigned)((left - right) * (left - right)); }

int main(void) {
  const unsigned width = widths[input], height = heights[input];
  struct jpeg_error_mgr errors;
  unsigned char *compressed = NULL;
  unsigned long size = 0;
  build_picture(width, height);
  jpeg_std_error(&errors);

  kernel_begin();
  compress(&errors, &compressed, &size, width, height);
  decompress(&errors, compressed, size, width, height);
  kernel_end();

  result[0] = fnv1a(FNV_OFFSET, compressed, size);
  result[1] = size;
  expect(result[0] == known[input], "the compressed picture is the known one");
  uint64_t squares = 0;
  for (unsigned i = 0; i < width * height; i++) {
    pixel first = picture[i / width][i % width], second = back[i / width][i % width];
    squares += square(first.red, second.red) + square(first.green, second.green) + square(first.blue, second.blue);
  }
  expect(squares < NEAR * NEAR * 3 * width * height, "the picture that comes back is near the original");
  free(compressed);
  return 0;
}
