// hauberk-together PROGRAMS ROUNDS PAGES COMMAND...: runs PROGRAMS of a command at once, ROUNDS times. Every 5 ms it
// takes up to PAGES pages of contexts out. Its exit code is 0 if all commands ended with 0.
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>

#include "start.h"

#define DEVICE "/sys/bus/platform/drivers/hauberk-secure-contexts/10060000.secure-contexts/"

static int fail(const char *sentence) {
  printf("hauberk-together: %s\n", sentence);
  return 1;
}

static void take_out(const char *pages) {
  FILE *file = fopen(DEVICE "page_out", "w");
  if (!file) exit(fail("no page can go out: this takes root, and a SoC with secure contexts"));
  // No page may be able to go out at the moment.
  if ((fputs(pages, file) < 0 || fflush(file)) && errno != EAGAIN) exit(fail("the driver takes no page out"));
  fclose(file);
}

static void show_statistics(void) {
  char line[128];
  FILE *file = fopen(DEVICE "statistics", "r");
  while (file && fgets(line, sizeof line, file)) fputs(line, stdout);
  if (file) fclose(file);
}

// Whether all went well that were started
static bool await(unsigned left, const char *pages) {
  const struct timespec pause = {0, 5000000};
  bool is_well = true;
  while (left) {
    int status;
    const pid_t ended = waitpid(-1, &status, WNOHANG);
    if (ended < 0) return false;
    if (ended) {
      left--;
      is_well &= !status;
    } else {
      nanosleep(&pause, NULL);
      if (atoi(pages)) take_out(pages);
    }
  }
  return is_well;
}

int main(int count, char *words[]) {
  if (count < 5) return fail("give it how many at once, how many times, how many pages, and a command");
  const unsigned programs = (unsigned)atoi(words[1]);
  bool is_well = true;
  for (int round = atoi(words[2]); round > 0; round--) {
    for (unsigned i = 0; i < programs; i++) start(words + 4);
    is_well &= await(programs, words[3]);
  }
  show_statistics();
  return is_well ? 0 : 1;
}
