// An operating system for the microcode on this machine, with processes whose pages may become contexts'.
#ifndef HAUBERK_CONTEXT_SYSTEM_H
#define HAUBERK_CONTEXT_SYSTEM_H

#include "model.h"

#define SHARED 0x80000000UL  // outside a context, in its address space
#define SHARED_PAGES 4
#define PROGRAM_AT SHARED
#define TAG_AT 0x3000UL  // of the supervisor
#define GATE 0x10000UL
#define MOST_OWN_PAGES 48

typedef struct {
  uint64_t satp, permit;
  uint64_t tables[6];  // root; two for a GiB; two for the program, one for what is shared
  tee_program program;
  uint64_t own[MOST_OWN_PAGES], count;  // its pages
  uint64_t key[2];
  uint64_t out;  // the number of the page that went out last
  uint8_t tag[TEE_PAGE_TAG];
} process;

// Processes with their programs, and permits to enter
void begin_system(void);
// The one whose context the hart is, or another
process *process_on_hart(void);
void permit(process *process);
// The hart has written to all pages that it may access.
void fill_caches(void);
// The hart, outside a context or in one, makes this instruction; false if it is illegal.
bool instruction(process *process, unsigned number);
// The hart's context takes a trap that is the supervisor's.
void trap(uint64_t cause, uint64_t value);
// A page goes out, or that one comes back.
bool goes_out(process *process);
bool comes_back(process *process);
// The supervisor maps a page of the program's once more, where it shares pages.
void map_own_outside(process *process);
// The supervisor changes its page tables.
void spoil(process *process);

#endif
