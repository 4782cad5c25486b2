// Running a program of a file, for the examples.
#ifndef LIBHAUBERK_IMAGE_H
#define LIBHAUBERK_IMAGE_H

#include <stdio.h>
#include <stdlib.h>

#include "hauberk.h"

// The whole file, or NULL
static inline void *read_file(const char *path, size_t *bytes) {
  FILE *file = fopen(path, "rb");
  if (!file) return NULL;
  fseek(file, 0, SEEK_END);
  const long size = ftell(file);
  rewind(file);
  void *contents = size > 0 ? malloc((size_t)size) : NULL;
  if (contents && fread(contents, 1, (size_t)size, file) != (size_t)size) {
    free(contents);
    contents = NULL;
  }
  fclose(file);
  *bytes = (size_t)size;
  return contents;
}

// Loads the program and runs it to its end: NULL, and what it gave; or why it did not.
static inline const char *run_image(const char *path, const uint64_t arguments[6], int64_t *result) {
  size_t bytes;
  const void *image = read_file(path, &bytes);
  if (!image) return "the program cannot be read";
  hauberk_program program;
  int64_t error = hauberk_load(&program, image, bytes);
  if (!error) {
    error = hauberk_run(&program, arguments, result);
    hauberk_unload(&program);
  }
  return error ? hauberk_error(error) : NULL;
}

#endif
