// Starting a command, for the examples.
#ifndef LIBHAUBERK_START_H
#define LIBHAUBERK_START_H

#include <stdio.h>
#include <unistd.h>

// Its process; nothing that was printed before is printed twice.
static inline pid_t start(char *command[]) {
  fflush(stdout);
  const pid_t child = fork();
  if (child) return child;
  execv(command[0], command);
  _exit(127);
}

#endif
