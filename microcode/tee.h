// What a program and an operating system owe the microcode: the instructions of secure contexts, their arguments and
// errors (docs/contexts.md).
#ifndef HAUBERK_TEE_H
#define HAUBERK_TEE_H

// Instructions: custom-0 without registers, by number. Arguments are in a0 and a1.
#define TEE_INSTRUCTION(number) (0x0b | (number) << 25)
#define TEE_ENTER 0    // a0: address of a tee_program, a1: of the gate
#define TEE_EXIT 1     // a0, a1: what enter_tee gives
#define TEE_RESUME 2   // s1: SPID of the context
#define TEE_SIGN 3     // a0: address of a message, a1: its bytes, a2: where its signature goes
#define TEE_KEY 4      // a0: where the processor's public key goes
#define TEE_RANDOM 5   // gives a random word in a0, or 0 if there is none yet
#define TEE_DECRYPT 6  // a0: address of an encrypted message, a1: bytes of its text, a2: where the text goes
#define TEE_SET_KEY 7  // a0: address of the key that decrypts the program's private pages, a1: of its SHA-256

// A signature is r and s, a public key is x and y: 32 bytes each, the first one most significant
#define TEE_SIGNATURE 64
#define TEE_POINT 64
#define TEE_MOST_MESSAGE 65536
// An encrypted message is the sender's public key, the text, and a tag
#define TEE_TAG 16
#define TEE_MOST_SECRET 256
#define TEE_PAGE_TAG 32   // of a page that is out
#define TEE_DIGEST 32     // of SHA-256
#define TEE_KEY_BYTES 16  // of a program's private pages, for AES

// Where a program goes on, in bytes behind its gate: after a call that is served, and after the end of its context
#define TEE_GATE_RESULT 4
#define TEE_GATE_END 8

// Calls of the operating system: an SBI extension in the space of firmware's own
#define TEE_SBI 0x0a484155
#define TEE_SBI_ENABLE 0  // programs may enter contexts from now on
#define TEE_SBI_KILL 1    // a0: SPID of a context
#define TEE_SBI_HASH 2    // a0: SPID of a context, a1: number of a word of its H(Prog), 0 to 3
#define TEE_SBI_ALLOW \
  3  // a0: page number of a root table, a1: address, a2: pages: programs may enter there; gives a permit
#define TEE_SBI_END 4  // a0: permit: ends all contexts that entered by it, and takes it back
// a0: permit, a1: address of a page of a context that entered by it, a2: where a tag goes: the page is encrypted where
// it is, and then nobody's. With 0 for a2 nothing happens: the error says whether there is such a context, and whether
// it runs
#define TEE_SBI_PAGE_OUT 5
// a0: permit, a1: address of a page that is out, a2: the physical page with what came out, a3: its tag: it is the
// context's once more
#define TEE_SBI_PAGE_IN 6
#define TEE_SBI_DENIALS 7  // gives how many accesses were denied since reset

// Errors, in a0 of the instructions and of the calls
#define TEE_INVALID (-1L)     // the tee_program is not as it should be; what is named is not the context's own
#define TEE_UNMAPPED (-2L)    // a page is not there, or the program may not write it
#define TEE_TAKEN (-3L)       // a page is not DRAM's, or is in a context; twice in this one, too
#define TEE_FULL (-4L)        // there are as many contexts as there can be; no random words yet for a page's keys
#define TEE_STATE (-5L)       // there is no such context, or one runs; no private page waits for its key
#define TEE_FEW_TABLES (-6L)  // too few pages for page tables
#define TEE_MEMORY (-7L)      // memory failed
#define TEE_FORGED \
  (-9L)  // the message is not for this program on this processor, or was changed; so were a page, a key
#define TEE_NO_SECRET (-8L)     // the processor has no secret of which its key could be made
#define TEE_NOT_ALLOWED (-10L)  // the supervisor has given no permit for the program's pages

// Segments of a program: they lie one behind the other from its start on.
#define TEE_CODE 1    // in the hash of the program; may be executed and read
#define TEE_DATA 2    // in the hash; may be read and written
#define TEE_ZERO 3    // cleared, and not in the hash; may be read and written
#define TEE_TABLES 4  // of the microcode, for page tables: exactly one segment
// Private: in the hash as they are encrypted; as code and data from TEE_SET_KEY on, and nobody's to access before
#define TEE_PRIVATE_CODE 5
#define TEE_PRIVATE_DATA 6
#define TEE_SEGMENTS 8
#define TEE_MOST_TABLES 16

#define TEE_PAGE 4096
#define TEE_ALIGNMENT (1UL << 21)  // no other memory is seen within so much that has pages of the program

#ifndef __ASSEMBLER__
#ifdef __KERNEL__
#include <linux/types.h>
#else
#include <stdint.h>
#endif

typedef struct {
  uint64_t start, segments;
  struct {
    uint64_t kind, pages;
  } segment[TEE_SEGMENTS];
} tee_program;

// An instruction that the processor serves for a context, in that; its result
#define TEE_SERVICE(number, first, second, third)                                                                     \
  ({                                                                                                                  \
    register int64_t first_ __asm__("a0") = (int64_t)(first);                                                         \
    register uint64_t second_ __asm__("a1") = (uint64_t)(second);                                                     \
    register uint64_t third_ __asm__("a2") = (uint64_t)(third);                                                       \
    __asm__ volatile(".word %3" : "+r"(first_) : "r"(second_), "r"(third_), "i"(TEE_INSTRUCTION(number)) : "memory"); \
    first_;                                                                                                           \
  })
#endif

#endif
