// What a program and an operating system owe the microcode: the instructions of secure contexts, their arguments and
// errors (docs/contexts.md).
#ifndef HAUBERK_TEE_H
#define HAUBERK_TEE_H

// Instructions: custom-0 without registers, by number. Arguments are in a0 and a1.
#define TEE_INSTRUCTION(number) (0x0b | (number) << 25)
#define TEE_ENTER 0   // a0: address of a tee_program, a1: of the gate
#define TEE_EXIT 1    // a0, a1: what enter_tee gives
#define TEE_RESUME 2  // s1: SPID of the context

// Where a program goes on, in bytes behind its gate: after a call that is served, and after the end of its context
#define TEE_GATE_RESULT 4
#define TEE_GATE_END 8

// Calls of the operating system: an SBI extension in the space of firmware's own
#define TEE_SBI 0x0a484155
#define TEE_SBI_ENABLE 0  // programs may enter contexts from now on
#define TEE_SBI_KILL 1    // a0: SPID of a context
#define TEE_SBI_HASH 2    // a0: SPID of a context, a1: number of a word of its H(Prog), 0 to 3

// Errors, in a0 of enter_tee and of the calls
#define TEE_INVALID (-1L)     // the tee_program is not as it should be
#define TEE_UNMAPPED (-2L)    // a page is not there, or the program may not write it
#define TEE_TAKEN (-3L)       // a page is not DRAM's, or is in a context; twice in this one, too
#define TEE_FULL (-4L)        // there are as many contexts as there can be
#define TEE_STATE (-5L)       // there is no such context, or it runs
#define TEE_FEW_TABLES (-6L)  // too few pages for page tables
#define TEE_MEMORY (-7L)      // memory failed

// Segments of a program: they lie one behind the other from its start on.
#define TEE_CODE 1    // in the hash of the program; may be executed and read
#define TEE_DATA 2    // in the hash; may be read and written
#define TEE_ZERO 3    // cleared, and not in the hash; may be read and written
#define TEE_TABLES 4  // of the microcode, for page tables: exactly one segment
#define TEE_SEGMENTS 8
#define TEE_MOST_TABLES 16

#define TEE_PAGE 4096
#define TEE_ALIGNMENT (1UL << 21)  // no other memory is seen within so much that has pages of the program

#ifndef __ASSEMBLER__
#include <stdint.h>

typedef struct {
  uint64_t start, segments;
  struct {
    uint64_t kind, pages;
  } segment[TEE_SEGMENTS];
} tee_program;
#endif

#endif
