// Programs in secure contexts, from outside: loads one into this process, and runs it. docs/contexts.md, "A program of
// your own".
#ifndef LIBHAUBERK_HAUBERK_H
#define LIBHAUBERK_HAUBERK_H

#include <stddef.h>
#include <stdint.h>

#include "tee.h"

typedef struct {
  int file;
  uint64_t bytes;  // of its pages and page tables
  tee_program program;
} hauberk_program;

// Errors beside those of tee.h
#define HAUBERK_NO_IMAGE (-101)   // the image is no ELF file that inside.ld laid out
#define HAUBERK_NO_DRIVER (-102)  // there is no /dev/hauberk-contexts: no driver, or no secure contexts
#define HAUBERK_NO_MEMORY (-103)  // the program's addresses are in use, or it gets no pages
const char *hauberk_error(int64_t error);

// Maps the program that is in an image, where it was linked to. It does not run yet. 0 or an error.
int hauberk_load(hauberk_program *program, const void *image, size_t bytes);
// Runs it in a context to its end, once: 0, and what tee_main gave in *result; or an error. Pointers among the
// arguments are to memory of this process, which the program shares with it.
int64_t hauberk_run(const hauberk_program *program, const uint64_t arguments[6], int64_t *result);
// Ends its context if it has one, and unmaps it.
void hauberk_unload(const hauberk_program *program);

#endif
