// Where print of a program without a C library goes, to standard output, a line at a time; and its end.
#include "hauberk.h"
#include "internal.h"
#include "system.h"

static char line[120];
static size_t used;

void flush_output(void) {
  for (size_t written = 0; written < used;) {
    const long count = write_file(1, line + written, used - written);
    if (count <= 0) break;
    written += (size_t)count;
  }
  used = 0;
}

void print_character(char character) {
  line[used++] = character;
  if (character == '\n' || used == sizeof line) flush_output();
}

void exit_program(unsigned code) {
  flush_output();
  for (;;) end_process((int)code);
}
