// Directed cases, one a process: rules of docs/contexts.md, each alone. Numbers are of the document, not of the
// microcode's headers.
#ifndef HAUBERK_CONTEXT_CASES_H
#define HAUBERK_CONTEXT_CASES_H

#include "identity.h"
#include "model.h"

typedef struct {
  const char *name;
  void (*run)(void);
  int code;               // with which it ends
  unsigned long endless;  // operations that do not come to an end
} test_case;
#define CASE_THAT_ENDS(function, text, code, endless)                                        \
  static void function(void);                                                                \
  static const test_case function##_case                                                     \
      __attribute__((section("cases"), used, aligned(8))) = {text, function, code, endless}; \
  static void function(void)
#define CASE(function, text) CASE_THAT_ENDS(function, text, 0, 0)

void expect_that(bool holds, const char *file, unsigned line);
#define expect(holds) expect_that(holds, __FILE__, __LINE__)

enum { ENTER, EXIT, RESUME, SIGN, KEY, RANDOM, DECRYPT, SET_KEY };
enum { ENABLE, KILL, HASH, ALLOW, END, PAGE_OUT, PAGE_IN, DENIALS };
enum {
  INVALID = -1,
  UNMAPPED = -2,
  TAKEN = -3,
  FULL = -4,
  STATE = -5,
  FEW_TABLES = -6,
  MEMORY = -7,
  NO_SECRET = -8,
  FORGED = -9,
  NOT_ALLOWED = -10
};
enum { CODE = 1, DATA, ZERO, TABLES, PRIVATE_CODE, PRIVATE_DATA };
// Bits of entries of page tables
enum { V = 1, R = 2, W = 4, X = 8, U = 16, A = 64, D = 128 };
#define LEAF (V | R | W | U | A | D)
// Causes of traps
enum { ILLEGAL = 2, USER_CALL = 8, SUPERVISOR_CALL, FETCH = 12, LOAD, STORE = 15 };

// An address space with a program that may enter: code, private code and data, to the end of 2 MiB; behind them tables,
// zeros, private data, data
typedef struct {
  uint64_t satp;
  tee_program program;
} space;
#define MIB_2 0x200000UL
#define START 0x401fc000UL
#define SEALED_CODE 0x401fe000UL
#define WORDS 0x401ff000UL
#define TABLES_AT 0x40200000UL
#define FIRST_TABLES 8
#define ZEROS 0x40208000UL
#define SEALED_DATA 0x4020a000UL
#define MORE_WORDS 0x4020b000UL
#define PROGRAM_END 0x4020c000UL
#define PROGRAM_PAGES 16
#define GATE 0x10000UL
#define SHARED 0x80000000UL  // pages of nobody's; the first has the program's description
#define SHARED_PAGES 8
#define TAG 0x3000UL  // a page of the supervisor's
#define STVEC 0xffff0000UL

uint64_t new_page(void);
// Without a permit; segments of kind and pages
space *space_of(const unsigned (*segments)[2], unsigned count);
space *new_space(void);
// Of a program of a few pages, of which many contexts fit
#define SMALL_PAGES 8
space *small_space(void);
void map_at(space *space, uint64_t address, uint64_t page, uint64_t bits);
// The leaf of an address, and the page that it names
uint64_t *leaf_at(uint64_t satp, uint64_t address);
uint64_t page_at(uint64_t satp, uint64_t address);
uint64_t allow_all(space *space);
uint64_t digest_words(const space *space, uint64_t pc, uint64_t *digest);

extern uint8_t __stacks[];
trap_frame *serve_trap(trap_frame *frame);
// The hart takes a trap from user mode, or from the supervisor, and goes on with model.frame
void take_trap(uint64_t cause, uint64_t value, uint64_t status);
// The program of an address space, or the context of the hart, executes an instruction; false if it is illegal
bool execute(space *space, unsigned number, uint64_t pc, uint64_t a0, uint64_t a1, uint64_t a2);
bool enter_at(space *space, uint64_t pc, uint64_t gate);
// The program of a small space once more, in new pages
bool enter_anew(space *space);
// The same of what is as it should be: it has entered
space *entered(void);
bool resume_at(space *space, uint64_t pc, uint64_t spid);
// The supervisor's call: its error, and value in `value`
extern uint64_t value;
int64_t call(unsigned function, uint64_t a0, uint64_t a1, uint64_t a2, uint64_t a3);
// In the address space of a process
int64_t call_of(space *space, unsigned function, uint64_t a0, uint64_t a1, uint64_t a2, uint64_t a3);
model_csrs *csrs(void);
unsigned pages_of(unsigned spid);
bool is_clear(uint64_t page);
// Nothing of a context is left
void expect_nothing_left(void);

// Bytes that are kept masked, so that they are not found by themselves
#define STACK (1 << 16)
void mask(uint8_t *to, const void *from, unsigned count);
bool on_stack(const uint8_t *masked, unsigned count);
// Among all variables of the microcode, but for the table of contexts
bool anywhere(const uint8_t *masked, unsigned count);
// On a stack that can be looked at
void on_own_stack(void (*work)(void *argument), void *argument);

#endif
