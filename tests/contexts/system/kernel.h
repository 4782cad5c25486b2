// The kernel of this test: processes with page tables, and what it asks of the microcode.
#ifndef HAUBERK_CONTEXT_TEST_KERNEL_H
#define HAUBERK_CONTEXT_TEST_KERNEL_H

#include "hauberk.h"
#include "supervisor.h"
#include "user.h"

// Ends the run, and says in which line, unless it holds.
void check(bool holds, const char *file, unsigned line);
#define expect(holds) check(holds, __FILE__, __LINE__)

// sbi.c
void enable_contexts(void);
long kill_context(uint64_t spid);
// A permit to enter in these pages, by the satp of the address space; or an error
uint64_t allow(uint64_t root, uint64_t start, uint64_t pages);
long end_permit(uint64_t permit);
// Pages to where the kernel likes, and back
long page_out(uint64_t permit, uint64_t address, uint8_t *tag);
long page_in(uint64_t permit, uint64_t address, uint64_t page, const uint8_t *tag);
// Accesses that were denied
uint64_t denials(void);
// A word of H(Prog)
uint64_t hash_of(uint64_t spid, unsigned word);
void end_run(void);
// Takes the supervisor's interrupt after so many ticks; 0 never
void set_timer(uint64_t ticks);
void fence_harts(void);
void wait(uint64_t ticks);
void start_other_hart(void);

// Registers of a program, and where it goes on
typedef struct {
  uint64_t x[32], pc;
  uint64_t left, trapped;  // cycles when the kernel went there, and came back
} user;
enum { SP = 2, T0 = 5, S1 = 9, A0 = 10, A1, A2, A3, A4, A5, A6, A7 };
void run_user(user *user);
unsigned floats_in_use(void);
void open_floats(void);
// The cause of the trap that an access of the kernel takes, or 0
uint64_t cause_of_load(uint64_t address);
uint64_t cause_of_store(uint64_t address);
uint64_t cause_of_fetch(uint64_t address);
uint64_t cause_of_entry(void);
void use_floats(void);
#define MOST_CONTEXTS 8

// More than the program has
#define PERMITTED_PAGES 64
#define MOST_PERMITS 64
#define OWN_PAGES ((OWN_END - OWN) / TEE_PAGE)
#define FAR_PAGES TABLE_PAGES
typedef struct process {
  user user;
  uint64_t root;  // satp
  uint64_t permit;
  uint64_t own[OWN_PAGES], outside, shared[SHARED_PAGES], private[2];
  uint64_t cause, value;  // of its last trap
} process;

// process.c
#define READ 2UL
#define WRITE 4UL
#define EXECUTE 8UL
#define USER 16UL
#define ACCESSED 64UL
#define DIRTY 128UL
#define USER_DATA (READ | WRITE | USER | ACCESSED | DIRTY)
// A page that nothing has yet
uint64_t new_page(void);
// A process that does this work in a context, and has not begun
process *new_process(uint64_t work);
// As if it were new. None of its pages may be a context's.
void begin_anew(process *process, uint64_t work);
tee_program *program_of(process *process);
// One more segment of this kind, of these pages, behind all others
void add_segment(process *process, uint64_t kind, const uint64_t *pages, unsigned count);
void map(process *process, uint64_t address, uint64_t page, uint64_t bits);
void unmap(process *process, uint64_t address);
// The table for the 2 MiB of an address is this page.
void set_table(process *process, uint64_t address, uint64_t page);
// A page of 2 MiB
void map_large(process *process, uint64_t address, uint64_t page);
uint64_t new_large_page(void);
// To its next trap, whose cause it gives
uint64_t run(process *process);
// The same, in the address space in which the hart is, without a fence
uint64_t run_at_once(process *process);
// Its registers are as the kernel made them, but for the results.
bool is_as_before(const process *process);
// To its last call, and through those that it makes before; what the context gave
uint64_t finish(process *process);
#define CALL_RESULT 0x1234
// Nothing of a context's registers shows but the arguments of a call.
bool shows_nothing(const process *process, bool is_call);
uint64_t gate(void);
static inline volatile uint64_t *words_of(uint64_t page) { return (volatile uint64_t *)page; }
// The page at an address of the program's own
static inline uint64_t *own_at(process *process, uint64_t address) { return &process->own[(address - OWN) / TEE_PAGE]; }
// Its own pages are cleared, and nobody's.
bool is_cleared(const process *process);
// The sum that WORK_ADD gives of it
uint64_t fill_shared(const process *process);
// Runs a process until its context is interrupted; false if it calls instead.
bool is_in_context(process *process);
// A new one, whose context is interrupted
process *interrupted(uint64_t work);
// WORK_SPIN comes to its end: what the context gave
uint64_t released(process *process);
// What enter_tee refuses, and leaves as it was; the process is to do WORK_ADD then.
void refuse(process *process, int64_t error);
// Kills the context of a process, which is gone then.
void is_killed(process *process);
// Instructions of contexts elsewhere: to resume, those of a context, and one that there is not
#define STRAYS 8
uint64_t stray(void);

// harts.c: the other hart does this, once it was started. One work at a time
void on_other_hart(void (*work)(process *), process *process);
void await_other(void);

// The hash of a program on the console, by this name
void show_hash(const char *name, const process *process);

// Tests: alone.c, memory.c, refused.c, large.c, harts.c, paging.c
void is_off(void);
void computes(void);
void is_interrupted(void);
void begins_with_nothing(void);
void is_measured(void);
void calls(void);
void has_no_secret(void);
void keeps_private(void);
void keeps_private_rights(void);
void is_stopped(void);
void resumes(void);
void is_mapped_twice(void);
void sees_much(void);
void sees_as_mapped(void);
void is_refused(void);
void are_large(void);
void needs_permit(void);
void ends(void);
void are_many(void);
void moves(void);
void share(void);
void is_closed(void);
void pages_out(void);
void comes_back(void);
void serves_later(void);
void keeps_rights(void);
void encrypts_anew(void);
// messages.c
void vouches(void);
void tells_its_key(void);
void gets_secrets(void);

// A test, and its name on the console
#define RUN(test) (print(#test "\n"), test())

#define INTERRUPT (1UL << 63)
enum {
  FETCH_ACCESS = 1,
  ILLEGAL_INSTRUCTION = 2,
  LOAD_ACCESS = 5,
  STORE_ACCESS = 7,
  USER_CALL = 8,
  FETCH_PAGE = 12,
  LOAD_PAGE,
  STORE_PAGE = 15
};
#define TIMER (INTERRUPT | 5)

#endif
