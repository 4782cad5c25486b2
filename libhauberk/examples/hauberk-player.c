// hauberk-player PROGRAM CHOICE: runs a player in a secure context, which asks and is answered on the console.
#include <stdio.h>
#include <stdlib.h>

#include "image.h"
#include "player.h"

static int fail(const char *sentence) {
  printf("hauberk-player: %s\n", sentence);
  return 1;
}

int main(int count, char *words[]) {
  static player_shared shared;
  if (count != 3) return fail("give it a program, made with libhauberk's inside.ld, and the number of a choice");
  const uint64_t arguments[6] = {(uint64_t)&shared, strtoul(words[2], NULL, 10)};
  int64_t played = 0;
  const char *refused = run_image(words[1], arguments, &played);
  if (refused) return fail(refused);
  if (played < 0) return fail("the player could not ask: has the processor a secret of its own?");
  printf("hauberk-player: played %ld times\n", (long)played);
  return 0;
}
