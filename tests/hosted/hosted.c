// The runtime for programs under an operating system, where harts are threads: as many as there are processors, or as
// HARTS says.
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "hosted.h"

static unsigned harts = 1;

void print(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vprintf(format, arguments);
  va_end(arguments);
}

void exit_program(unsigned code) {
  fflush(stdout);
  _exit((int)code);
}

unsigned hart_count(void) { return harts; }

// Each on a processor of its own, if there are so many: what migrates measures something else.
static void pin(unsigned hart) {
  cpu_set_t processors;
  CPU_ZERO(&processors);
  CPU_SET(hart % (unsigned)sysconf(_SC_NPROCESSORS_ONLN), &processors);
  sched_setaffinity(0, sizeof processors, &processors);
}

static void (*work_of_all)(unsigned hart, unsigned harts);

static void *work_of_one(void *argument) {
  const unsigned hart = (unsigned)(uintptr_t)argument;
  pin(hart);
  work_of_all(hart, harts);
  return NULL;
}

void on_every_hart(void (*work)(unsigned hart, unsigned harts)) {
  pthread_t others[MAX_HARTS];
  work_of_all = work;
  for (unsigned hart = 1; hart < harts; hart++) {
    const int error = pthread_create(&others[hart], NULL, work_of_one, (void *)(uintptr_t)hart);
    expect(error == 0, "the operating system gives a thread to every hart");
  }
  work(0, harts);
  for (unsigned hart = 1; hart < harts; hart++) pthread_join(others[hart], NULL);
}

void let_others_run(void) { sched_yield(); }

static unsigned chosen_harts(void) {
  const char *wanted = getenv("HARTS");
  const long found = wanted ? strtol(wanted, NULL, 10) : sysconf(_SC_NPROCESSORS_ONLN);
  if (wanted && (found < 1 || found > MAX_HARTS)) {
    print("HARTS is %s: use 1 to %u\n", wanted, MAX_HARTS);
    exit_program(2);
  }
  return found > MAX_HARTS ? MAX_HARTS : (unsigned)found;
}

int main(void) {
  harts = chosen_harts();
  pin(0);
  exit_program(run_program());
}
