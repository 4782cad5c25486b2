// Running another program.
#include "hauberk.h"
#include "system.h"

static void become(char *words[]) {
  char path[64] = "/bin/";
  size_t used = words[0][0] == '/' ? 0 : 5;
  for (const char *at = words[0]; *at && used < sizeof path - 1; at++) path[used++] = *at;
  path[used] = 0;
  execute(path, words);
  print("there is no program %s\n", path);
  exit_program(127);
}

unsigned run(char *words[]) {
  flush_output();
  const long child = fork_process();
  if (child == 0) become(words);
  int status = -1;
  if (child < 0 || wait_for(child, &status) != child) return 127;
  return status & 0x7f ? 128 + (unsigned)(status & 0x7f) : (unsigned)(status >> 8 & 0xff);
}
