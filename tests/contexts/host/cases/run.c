// Runs all cases, or those whose names have a word, and says which ones fail.
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cases.h"

#define EXIT_SEEN 4  // by a case that fails
#define SECONDS 20   // of a case, or it hangs

extern const test_case __start_cases[], __stop_cases[];

void expect_that(bool holds, const char *file, unsigned line) {
  if (holds) return;
  printf("  %s:%u\n", file, line);
  fflush(stdout);
  _exit(EXIT_SEEN);
}

static bool holds(const test_case *of) {
  int status = -1;
  *counts = (model_counts){0};
  fflush(stdout);
  const pid_t child = fork();
  if (!child) {
    alarm(SECONDS);
    // A case that stops the run says so by its code
    model.is_honest = !of->code;
    if (of->endless) dup2(STDERR_FILENO, STDOUT_FILENO);
    of->run();
    fflush(stdout);
    _exit(0);
  }
  waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == of->code && counts->endless == of->endless;
}

int main(int count, char **arguments) {
  unsigned failed = 0;
  counts = mmap(NULL, sizeof *counts, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  make_model();
  watch();
  for (const test_case *of = __start_cases; of < __stop_cases; of++) {
    if (count > 1 && !strstr(of->name, arguments[1])) continue;
    const bool is_good = holds(of);
    printf("%s %s\n", is_good ? "ok" : "FAILED", of->name);
    failed += !is_good;
  }
  return failed > 0;
}
