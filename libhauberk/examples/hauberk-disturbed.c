// hauberk-disturbed KILLS COMMAND...: an untrusted operating system's way with a command whose program is in a secure
// context. Kills it so many times, later each time; then lets it end, and moves it from hart to hart meanwhile. Its
// exit code is 0 if each was killed, and the last was moved and ended with 0.
#define _GNU_SOURCE
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>

#include "start.h"

#define MILLISECOND 1000000L
#define HARTS 2

static void pause_for(long milliseconds) {
  const struct timespec pause = {milliseconds / 1000, milliseconds % 1000 * MILLISECOND};
  nanosleep(&pause, NULL);
}

static bool is_killed(char *command[], long milliseconds) {
  const pid_t child = start(command);
  pause_for(milliseconds);
  int status;
  return !kill(child, SIGKILL) && waitpid(child, &status, 0) == child && WIFSIGNALED(status);
}

// Lets it run on this hart only. Linux has moved it when this is done.
static bool is_moved(pid_t process, unsigned hart) {
  cpu_set_t there;
  CPU_ZERO(&there);
  CPU_SET(hart, &there);
  return !sched_setaffinity(process, sizeof there, &there);
}

int main(int count, char *words[]) {
  if (count < 3) return printf("hauberk-disturbed: give it how many times to kill, and a command\n"), 1;
  const long kills = atol(words[1]);
  long killed = 0;
  for (long i = 0; i < kills; i++) killed += is_killed(words + 2, 10 * (i + 1));
  printf("hauberk-disturbed: killed %ld\n", killed);
  const pid_t child = start(words + 2);
  unsigned moves = 0;
  int status;
  while (!waitpid(child, &status, WNOHANG)) {
    moves += is_moved(child, moves % HARTS);
    pause_for(5);
  }
  printf("hauberk-disturbed: moved %u\n", moves);
  return killed == kills && !status && moves > HARTS ? 0 : 1;
}
