// Processes: their memory, and their way to the next trap.
#include "kernel.h"

#define SV39 (8UL << 60)
#define VALID 1UL
#define GIBIBYTE (1UL << 30)
#define POOL_PAGES 1800
#define MOST_PROCESSES 96
#define BEFORE 0xbef0

static uint8_t pool[POOL_PAGES][TEE_PAGE] __attribute__((section(".noinit"), aligned(TEE_PAGE)));
static unsigned used;
static process processes[MOST_PROCESSES];
static unsigned made;

extern const uint8_t outside[], outside_gate[], outside_stray[], outside_end[], program_code[], program_end[];

uint64_t new_page(void) {
  expect(used < POOL_PAGES);
  return (uint64_t)(uintptr_t)pool[used++];
}

static uint64_t new_table(void) {
  const uint64_t page = new_page();
  memset((void *)page, 0, TEE_PAGE);
  return page;
}

// At a level: 0 for pages of 4 KiB
static uint64_t *entry_of(process *process, uint64_t address, unsigned at) {
  uint64_t *table = (uint64_t *)(process->root << 20 >> 8);
  for (unsigned level = 2; level > at; level--) {
    uint64_t *entry = table + (address >> (12 + 9 * level) & 511);
    if (!*entry) *entry = new_table() >> 2 | VALID;
    table = (uint64_t *)(*entry << 10 >> 20 << 12);
  }
  return table + (address >> (12 + 9 * at) & 511);
}

void map(process *process, uint64_t address, uint64_t page, uint64_t bits) {
  *entry_of(process, address, 0) = page >> 2 | bits | VALID;
}

void unmap(process *process, uint64_t address) { *entry_of(process, address, 0) = 0; }

void set_table(process *process, uint64_t address, uint64_t page) {
  *entry_of(process, address, 1) = page >> 2 | VALID;
}

void map_large(process *process, uint64_t address, uint64_t page) {
  *entry_of(process, address, 1) = page >> 2 | USER_DATA | VALID;
}

// Of the memory behind all that is loaded
uint64_t new_large_page(void) { return 0x80c00000; }

uint64_t gate(void) { return OUTSIDE + (uint64_t)(outside_gate - outside); }

uint64_t stray(void) { return OUTSIDE + (uint64_t)(outside_stray - outside); }

static void copy(uint64_t page, const uint8_t *from, const uint8_t *end) {
  memcpy((void *)page, from, (size_t)(end - from));
}

// Behind the code
tee_program *program_of(process *process) { return (tee_program *)(process->outside + TEE_PAGE / 2); }

void add_segment(process *process, uint64_t kind, const uint64_t *pages, unsigned count) {
  tee_program *program = program_of(process);
  uint64_t address = program->start;
  for (unsigned i = 0; i < program->segments; i++) address += program->segment[i].pages * TEE_PAGE;
  program->segment[program->segments].kind = kind;
  program->segment[program->segments++].pages = count;
  for (unsigned i = 0; i < count; i++) map(process, address + i * TEE_PAGE, pages[i], USER_DATA);
}

// Its memory and registers, with nothing of what was there before
void begin_anew(process *process, uint64_t work) {
  for (unsigned i = 0; i < OWN_PAGES; i++)
    map(process, OWN + i * TEE_PAGE, process->own[i], USER_DATA | (i < CODE_PAGES ? EXECUTE : 0));
  copy(process->own[0], program_code, program_code + TEE_PAGE);
  memset((void *)process->own[CODE_PAGES], 0, TEE_PAGE);
  copy(process->own[CODE_PAGES], program_code + TEE_PAGE, program_end);
  // The microcode clears it
  *(uint64_t *)process->own[CODE_PAGES + DATA_PAGES] = ~0UL;
  copy(process->outside, outside, outside_end);
  map(process, OUTSIDE, process->outside, READ | EXECUTE | USER | ACCESSED);
  for (unsigned i = 0; i < SHARED_PAGES; i++) {
    map(process, SHARED + i * TEE_PAGE, process->shared[i], USER_DATA);
    *(uint64_t *)process->shared[i] = 0;
  }
  *program_of(process) = (tee_program){
      OWN, 4, {{TEE_CODE, CODE_PAGES}, {TEE_DATA, DATA_PAGES}, {TEE_ZERO, ZERO_PAGES}, {TEE_TABLES, TABLE_PAGES}}};
  __asm__ volatile("fence.i" ::: "memory");
  process->user = (user){.pc = OUTSIDE};
  for (unsigned i = 1; i < 32; i++) process->user.x[i] = BEFORE + i;
  process->user.x[SP] = SHARED;
  process->user.x[A0] = OUTSIDE + TEE_PAGE / 2;
  process->user.x[A1] = gate();
  process->user.x[A2] = work;
}

process *new_process(uint64_t work) {
  expect(made < MOST_PROCESSES);
  process *new = &processes[made++];
  new->root = SV39 | new_table() >> 12;
  uint64_t *root = (uint64_t *)(new->root << 20 >> 8);
  // The kernel sees devices and memory where they are
  root[0] = READ | WRITE | ACCESSED | DIRTY | VALID;
  root[2] = 2 * GIBIBYTE >> 2 | READ | WRITE | EXECUTE | ACCESSED | DIRTY | VALID;
  for (unsigned i = 0; i < OWN_PAGES; i++) new->own[i] = new_page();
  new->outside = new_page();
  for (unsigned i = 0; i < SHARED_PAGES; i++) new->shared[i] = new_page();
  new->permit = allow(new->root, OWN, PERMITTED_PAGES);
  expect((int64_t) new->permit >= 0);
  begin_anew(new, work);
  return new;
}

uint64_t run(process *process) {
  __asm__ volatile("fence rw, rw\ncsrw satp, %0\nsfence.vma" ::"r"(process->root) : "memory");
  return run_at_once(process);
}

uint64_t run_at_once(process *process) {
  run_user(&process->user);
  __asm__ volatile("csrr %0, scause" : "=r"(process->cause));
  __asm__ volatile("csrr %0, stval" : "=r"(process->value));
  return process->cause;
}

uint64_t finish(process *process) {
  for (;;) {
    expect(run(process) == USER_CALL);
    if (process->user.x[A7] == DONE) return process->user.x[A0];
    expect(process->user.x[A7] == CALL_NUMBER);
    process->user.x[A0] = CALL_RESULT;
    process->user.pc += 4;
  }
}

bool is_as_before(const process *process) {
  for (unsigned i = 1; i < 32; i++)
    if (i != SP && i != T0 && (i < A0 || i > A2) && i != A7 && process->user.x[i] != BEFORE + i) return false;
  return process->user.x[SP] == SHARED && floats_in_use() == 0;
}

bool shows_nothing(const process *process, bool is_call) {
  const user *shown = &process->user;
  for (unsigned i = 1; i < 32; i++) {
    const bool is_argument = is_call && i >= A0 && i <= A7;
    if (i != SP && i != S1 && !is_argument && shown->x[i]) return false;
  }
  return shown->x[SP] == SHARED && shown->pc == gate() && floats_in_use() == 0;
}

// All but tables for what is outside
bool is_cleared(const process *process) {
  for (unsigned i = 0; i < (OWN_TABLES - OWN) / TEE_PAGE + 3; i++)
    for (unsigned word = 0; word < TEE_PAGE / 8; word++)
      if (words_of(process->own[i])[word]) return false;
  return true;
}

uint64_t fill_shared(const process *process) {
  uint64_t sum = SECRET;
  for (unsigned i = 0; i < SUM_WORDS; i++) {
    words_of(process->shared[i / (TEE_PAGE / 8)])[i % (TEE_PAGE / 8)] = 3 * i;
    sum += 3 * i;
  }
  return sum;
}

bool is_in_context(process *process) {
  do {
    set_timer(100);
    run(process);
  } while (process->cause == TIMER && process->user.pc != gate());
  set_timer(0);
  return process->cause == TIMER;
}

process *interrupted(uint64_t work) {
  process *process = new_process(work);
  expect(is_in_context(process));
  return process;
}

uint64_t released(process *process) {
  words_of(process->shared[0])[0] = 1;
  return finish(process);
}

void is_killed(process *process) {
  const uint64_t spid = process->user.x[S1];
  expect(kill_context(spid) == 0 && is_cleared(process));
  expect(kill_context(spid) == TEE_STATE);
  expect(run(process) == ILLEGAL_INSTRUCTION);
}
