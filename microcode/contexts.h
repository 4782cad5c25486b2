// Secure contexts (AEGIS, section 3): what the parts of their microcode owe each other.
#ifndef HAUBERK_CONTEXTS_H
#define HAUBERK_CONTEXTS_H

#include "machine.h"
#include "tee.h"

#define MOST_CONTEXTS 8
#define DIGEST_WORDS 4
#define PAGE_BITS 12
#define USER_BITS 38  // a program's addresses have so many

// Registers of floating point, and their control register: floats.S
typedef struct {
  uint64_t f[32], control;
} float_registers;
void save_floats(float_registers *to);
void load_floats(const float_registers *from);
void zero_floats(void);
// If they are on
void clear_floats(void);

// Where a program waits for its context, and what it had in its registers when it entered
typedef struct {
  uint64_t gate, x[32];
} outer_registers;

// Of a context's pages that are out, once there are any
typedef struct {
  uint64_t cipher[2], mac[4];
} page_keys;

// A row of the table of secure contexts. Its number in the table is its SPID, less one.
typedef struct {
  enum { FREE, RUNNING, SUSPENDED } state;
  bool in_call;  // suspended in an ecall, whose result it waits for
  bool has_floats;
  unsigned permit;                // by which it entered
  uint64_t outside;               // satp of who entered it
  uint64_t start, end;            // virtual addresses that are its own
  uint64_t digest[DIGEST_WORDS];  // H(Prog)
  // Pages of its page tables, the root first; which addresses each maps, by place_of; and which entry of which table
  // names it. The fixed ones map its own pages, those behind, as far as used, what is nobody's. Those behind the
  // written ones are as the program left them.
  uint64_t table[TEE_MOST_TABLES], place[TEE_MOST_TABLES];
  uint16_t slot[TEE_MOST_TABLES];
  unsigned tables, fixed, used, written;
  uint64_t pages;  // that it owns, those of its tables among them
  trap_frame frame;
  uint64_t pc;
  float_registers floats;
  outer_registers outer;
  page_keys page_keys;
  uint64_t version;  // the last of its pages that were out
} context;

// switch.c
extern context contexts[MOST_CONTEXTS];
unsigned context_count(void);
// The row of an SPID, or NULL if there is none
context *context_of(uint64_t spid);
// The same, if it has been put away
context *suspended(uint64_t spid);
// Of this hart, or NULL
context *running(void);
void set_running(context *running);
unsigned spid_of(const context *context);
// The hart makes its accesses for this context from now on, or for no context if NULL, with nothing of what it was
// before in its caches. satp is that of its address space.
void become(const context *next, uint64_t satp);
// The registers at the gate of a context that has come to its end, and go on behind it.
void go_on_outside(const outer_registers *outer, int64_t result, uint64_t value);

// owners.c
bool is_dram(uint64_t page);
// A context gets a page; false if it does not exist, or has an owner already.
bool give_page(context *context, uint64_t page);
// A page of a context becomes nobody's; false if it is not the context's.
bool release_page(context *context, uint64_t page);
// The page is the context's. All that memory says of pages must be asked before machine mode uses it.
bool has_page(const context *context, uint64_t page);
// The hasher goes on meanwhile.
void clear_page(uint64_t page);

// hasher.c
// Adds eight bytes to the message, the first one least significant. No page may wait or be read.
void hash_word(uint64_t word);
// Adds a page, which may wait for those before it: somebody must call hash_on until the hasher has it. False if there
// are too many
bool hash_later(uint64_t page);
// It reads pages.
bool is_hashing(void);
void hash_on(void);
// No page waits, or is read; false if a read failed, which has ended the message.
bool hash_wait(void);
// Adds a page, and waits for it
bool hash_page(uint64_t page);
void hash_abort(void);
// Ends the message with so many bytes, less than eight; false if there is none.
bool hash_end(uint64_t tail, unsigned bytes, uint64_t *digest);
// In a time that does not depend on them
bool is_same_digest(const uint64_t *left, const uint64_t *right);

// take.c
// A page of a program, in segment and number
typedef struct {
  const tee_program *program;
  unsigned segment;
  uint64_t number, address;
} program_page;
// All pages become the context's. The first go to the hasher: those before to_hash. After an error, the row has what
// end_context must free.
int64_t take_pages(context *context, program_page *to_hash);
// From here on, what is to be clear; false if memory named a page that is not the context's
bool clear_pages(context *context, program_page at);
// The hash of those from to_hash on, and of the program; false if memory failed
bool measure_pages(context *context, program_page *to_hash);

// tables.c
// The page number of the root table in satp
static inline uint64_t root_of(uint64_t satp) { return satp << 20 >> 20; }
#define SV39 8UL  // in the highest bits of satp
#define ENTRY_VALID 1UL
#define ENTRY_READ 2UL
#define ENTRY_WRITE 4UL
#define ENTRY_EXECUTE 8UL
#define ENTRY_USER 16UL
#define ENTRY_ACCESSED 64UL
#define ENTRY_DIRTY 128UL
// The leaf of a page in Sv39 page tables, with its page number as that of a page of 4 KiB; 0 if there is none, or if
// what should be a table is the hidden context's own: nobody learns what its secrets are as tables.
uint64_t leaf_of(uint64_t satp, uint64_t address, context *hidden);
static inline uint64_t page_of(uint64_t entry) { return entry << 10 >> 20 << PAGE_BITS; }
static inline uint64_t entry_of(uint64_t page, uint64_t bits) { return page >> 2 | bits; }
// The root of a new context's tables is there, and maps nothing.
void make_root(context *context);
// The entry of a page in the context's own tables; NULL if the table is not there
uint64_t *entry_at(context *context, uint64_t address);
// What is there now, read once, or 0. Memory may have changed it: no page of it is the context's until that is asked.
uint64_t own_entry(context *context, uint64_t address);
// The page is the context's, and none of its tables.
bool has_data_page(const context *context, uint64_t page);
// The same as entry_at, with new tables where they are missing; NULL if they are too few
uint64_t *make_entry(context *context, uint64_t address);
// Maps what a context's access needs that is nobody's: false if the supervisor must see to that
bool map_outside(context *context, uint64_t cause, uint64_t address);
// Nothing of what is nobody's is mapped any longer.
void forget_outside(context *context);
#define CAUSE_FETCH_PAGE 12
#define CAUSE_LOAD_PAGE 13
#define CAUSE_STORE_PAGE 15

// identity.c, sign.c, decrypt.c, private.c: instructions of a context (tee.h); what they give it in a0, or that the
// instruction is made once more
#define MADE_ONCE_MORE 1
int64_t tell_key(context *context, const trap_frame *frame);
int64_t draw_random(context *context, const trap_frame *frame);
int64_t sign_message(context *context, const trap_frame *frame);
int64_t decrypt_message(context *context, const trap_frame *frame);
int64_t set_key(context *context, const trap_frame *frame);

// permits.c
// The permit for these addresses of an address space, if there is one
bool find_permit(uint64_t satp, uint64_t start, uint64_t end, unsigned *number);
// Its permit was not taken back since it entered.
bool is_permitted(const context *context);
// The supervisor's calls (tee.h)
sbi_result allow(uint64_t root, uint64_t start, uint64_t pages);
int64_t end_permit(uint64_t number);
// The context that entered by a permit and has this address, or NULL
context *context_at(uint64_t permit, uint64_t address);

// paging.c
// The entry of a context's own page that is out: it names no page.
bool is_out(uint64_t entry);
// The page with this address is the context's own, and out.
bool is_page_out(context *context, uint64_t address);
// The supervisor's calls (tee.h)
int64_t page_out(uint64_t permit, uint64_t address, uint64_t to);
int64_t page_in(uint64_t permit, uint64_t address, uint64_t page, uint64_t from);

// enter.c, leave.c
void enter_tee(trap_frame *frame);
void exit_tee(const trap_frame *frame);
int64_t kill_context(uint64_t spid);
// The same, of who is exclusive
int64_t kill_suspended(uint64_t spid);
// All pages of a context become nobody's, cleared if they are to be, and its row is as if it had never been. The hart
// is that context, and is none afterwards.
void end_context(context *ended, bool clears, uint64_t satp);

#endif
