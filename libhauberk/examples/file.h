// A whole file in memory, or NULL.
#ifndef LIBHAUBERK_FILE_H
#define LIBHAUBERK_FILE_H

#include <stdio.h>
#include <stdlib.h>

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

#endif
