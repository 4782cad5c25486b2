// hauberk-player PROGRAM CHOICE: runs a player in a secure context, which asks and is answered on the console.
#include <stdio.h>
#include <stdlib.h>

#include "file.h"
#include "hauberk.h"
#include "player.h"

static int fail(const char *sentence) {
  printf("hauberk-player: %s\n", sentence);
  return 1;
}

int main(int count, char *words[]) {
  static player_shared shared;
  if (count != 3) return fail("give it a program, made with libhauberk's inside.ld, and the number of a choice");
  size_t bytes;
  const void *image = read_file(words[1], &bytes);
  if (!image) return fail("the program cannot be read");
  hauberk_program program;
  const int refused = hauberk_load(&program, image, bytes);
  if (refused) return fail(hauberk_error(refused));
  const uint64_t arguments[6] = {(uint64_t)&shared, strtoul(words[2], NULL, 10)};
  int64_t played = 0;
  const int64_t error = hauberk_run(&program, arguments, &played);
  hauberk_unload(&program);
  if (error) return fail(hauberk_error(error));
  if (played < 0) return fail("the player could not ask: has the processor a secret of its own?");
  printf("hauberk-player: played %ld times\n", (long)played);
  return 0;
}
