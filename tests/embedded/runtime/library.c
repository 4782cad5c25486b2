// Functions and a stream that the C library expects of the platform: exit, and error messages.
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "hauberk.h"

void _exit(int code) { exit_program((unsigned)code); }

static int put(char character, FILE *stream) {
  (void)stream;
  print("%c", character);
  return (unsigned char)character;
}

static FILE console = FDEV_SETUP_STREAM(put, NULL, NULL, _FDEV_SETUP_WRITE);
FILE *const stderr = &console;
