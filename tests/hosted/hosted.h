// What the two runtimes for programs under an operating system have in common, the one on a C library (hosted.c) and
// the one without (linux/user).
#ifndef HAUBERK_HOSTED_H
#define HAUBERK_HOSTED_H

#include "hauberk.h"

// Of each runtime. What is waited for may not be running, so whoever waits lets others run.
void let_others_run(void);

// program.c: runs the program, whose main is called program_main, and has it say of itself what it says without an
// operating system; its exit code.
unsigned run_program(void);

#endif
