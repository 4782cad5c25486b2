// What the kernel of this test and its programs owe each other.
#ifndef HAUBERK_CONTEXT_TEST_H
#define HAUBERK_CONTEXT_TEST_H

#include "tee.h"

// The program's own pages, segment by segment
#define OWN 0x40000000UL
#define CODE_PAGES 1
#define DATA_PAGES 1
#define ZERO_PAGES 1
#define TABLE_PAGES 7
#define OWN_ENTRY (OWN + 16)  // the second instruction that enters
#define OWN_DATA (OWN + CODE_PAGES * TEE_PAGE)
#define OWN_ZERO (OWN_DATA + DATA_PAGES * TEE_PAGE)
#define OWN_TABLES (OWN_ZERO + ZERO_PAGES * TEE_PAGE)
#define OWN_END (OWN_TABLES + TABLE_PAGES * TEE_PAGE)

// Outside: code with the gate, a stack, and pages that program and kernel share
#define OUTSIDE 0x40400000UL
#define SHARED (OUTSIDE + TEE_PAGE)
#define SHARED_PAGES 2
#define FAR 0x7f000000UL  // in a table of its own

// What the program does, in a2 when it is entered
#define WORK_ADD 1       // reads words of SHARED, and gives their sum
#define WORK_SPIN 2      // keeps all registers, until a word of SHARED is set
#define WORK_CALL 3      // makes a call with its registers full, and gives its result
#define WORK_KEEP 4      // writes what is its own, calls, and looks whether it is still there
#define WORK_WRITE 5     // writes its code
#define WORK_RUN 6       // runs what is outside
#define WORK_FAR 7       // accesses pages of many tables
#define WORK_ABOVE 8     // reads behind its pages, in the same 2 MiB
#define WORK_STRADDLE 9  // loads from two pages at once
#define WORK_SECOND 10   // enters once more
#define WORK_RESUME 11   // resumes itself
#define WORK_STORE 12    // loads a word of SHARED, and stores it behind itself plus one
#define WORK_TIME 13     // makes calls, until one gives 0; their arguments are cycles before them, and behind the last
#define WORK_SIGN 14     // asks for a signature of MESSAGE, wrongly first; how often that was taken, or the error
#define WORK_KEY 15      // asks for the processor's key
#define WORK_DECRYPT 16  // decrypts what is in SHARED + 8, gives the error, and shows the text there
#define WORK_ASK 17      // asks the processor for what SHARED says, and tells the answer in a call; until it is 0 there
#define WORK_COUNT 18    // counts in its memory, with a call for each until one gives 0; what it finds wrong
#define WORK_PRIVATE 19  // runs and reads private pages, under the key in SHARED + 8; the error, or what they give
#define WORK_BUSY 20     // computes without a call; its cycles, the second time
#define WORK_BEGIN 21    // gives the bits of all registers that it begins with, but its arguments
#define WORK_LARGE \
  22  // writes all words of LARGE_PAGES pages behind its own, then follows pointers there, a line each; cycles of both

#define MESSAGE "a message of a context, 59 bytes: not a multiple of eight.."
// Where they leave the signature, the key, and the cycles that it took
#define SIGNED SHARED
#ifndef __ASSEMBLER__
static inline uint64_t cycle(void) {
  uint64_t cycles;
  __asm__ volatile("rdcycle %0" : "=r"(cycles)::"memory");
  return cycles;
}

typedef struct {
  uint8_t key[TEE_SIGNATURE], signature[TEE_SIGNATURE];
  uint64_t cycles;
} signed_message;
#endif

#define TEXT "a secret of 33 bytes, for one pro"
#define ENCRYPTED_BYTES (TEE_POINT + sizeof TEXT - 1 + TEE_TAG)

// Private pages behind its own, as message.py makes them: code that gives PRIVATE_RESULT, and words. Of the key in
// SHARED, the word behind says what to do that is wrong
#define PRIVATE_CODE OWN_END
#define PRIVATE_DATA (OWN_END + TEE_PAGE)
#define PRIVATE_RESULT 0x7b5
#define PRIVATE_WORD(number) (0x9e3779b97f4a7c15UL * ((number) + 1))
#define PRIVATE_NONE 1       // there are no such pages
#define PRIVATE_WRITES 2     // writes the code
#define PRIVATE_RUNS_DATA 3  // runs the words

// Four times a data cache
#define LARGE_PAGES 16
// The program of held.c: a word of its own random secret at OWN_ZERO, pages of its own behind its tables, and the line
// of code that it uses when its call has its result
#define HELD_LINE (OWN + 128)
#define HELD_PAGES 11

#define SECRET 0x5ec2f7  // of the program's data: as an entry of a page table, one for programs
#define CALL_NUMBER 77
#define ASKED_NUMBER 79  // the call of WORK_ASK: a0 is 0 if the answer was an error and changed nothing
#define SPIN_FLAG SHARED
#define SUM_WORDS 1024
#define DONE 78  // the call that the program makes when it is outside once more
#define STACK 8192

#endif
