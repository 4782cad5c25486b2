// Its processes, and what they and the supervisor do.
#include "system.h"

#include <string.h>

#define PROCESSES 4
#define START 0x401fc000UL  // the program has pages of two page tables
#define PAGE_TABLE (ENTRY_VALID)
#define USER_PAGE (ENTRY_VALID | ENTRY_READ | ENTRY_WRITE | ENTRY_USER | ENTRY_ACCESSED | ENTRY_DIRTY)
#define KEY_AT START
#define DIGEST_AT (START + TEE_PAGE - 8 * DIGEST_WORDS)

static process processes[PROCESSES];
static uint64_t next_page;

static uint64_t new_page(void) {
  const uint64_t page = next_page;
  next_page += TEE_PAGE;
  return page;
}

// What is a context's does not change by this.
static void put(uint64_t page, unsigned index, uint64_t word) {
  if (!model.owner[number_of(page)]) words_at(page)[index] = word;
}

static void map(process *process, uint64_t address, uint64_t page, uint64_t bits) {
  const unsigned table = address >= SHARED ? 5 : address >> 21 == START >> 21 ? 3 : 4;
  put(process->tables[table], address >> PAGE_BITS & 511, entry_of(page, bits));
}

static void map_all(process *process) {
  const uint64_t *tables = process->tables;
  put(tables[0], 1, entry_of(tables[1], PAGE_TABLE));
  put(tables[0], 2, entry_of(tables[2], PAGE_TABLE));
  put(tables[1], 0, entry_of(tables[3], PAGE_TABLE));
  put(tables[1], 1, entry_of(tables[4], PAGE_TABLE));
  put(tables[2], 0, entry_of(tables[5], PAGE_TABLE));
  for (unsigned i = 0; i < process->count; i++) map(process, START + i * TEE_PAGE, process->own[i], USER_PAGE);
  for (unsigned i = 0; i < SHARED_PAGES; i++) map(process, SHARED + i * TEE_PAGE, DRAM + (1 + i) * TEE_PAGE, USER_PAGE);
}

static void add_segment(process *process, uint64_t kind, uint64_t pages) {
  const uint64_t number = process->program.segments++;
  process->program.segment[number].kind = kind;
  process->program.segment[number].pages = pages;
  for (uint64_t i = 0; i < pages; i++) {
    const uint64_t page = new_page();
    process->own[process->count++] = page;
    for (unsigned word = 0; word < TEE_PAGE / 8; word += 5) put(page, word, random_word());
  }
}

void permit(process *process) {
  process->permit = context_call(TEE_SBI_ALLOW, (uint64_t[]){root_of(process->satp), START, process->count}).value;
}

static void begin(process *process) {
  memset(process, 0, sizeof *process);
  for (unsigned i = 0; i < ARRAY_LENGTH(process->tables); i++) process->tables[i] = new_page();
  for (unsigned i = 0; i < ARRAY_LENGTH(process->key); i++) process->key[i] = random_word();
  process->satp = SV39 << 60 | process->tables[0] >> PAGE_BITS;
  process->program.start = START;
  add_segment(process, TEE_CODE, 2);
  if (any_of(2)) add_segment(process, TEE_PRIVATE_CODE, 1);
  add_segment(process, TEE_DATA, any_of(4) ? 1 + any_of(3) : 20);
  add_segment(process, TEE_TABLES, 8 + any_of(3));
  add_segment(process, TEE_ZERO, 1 + any_of(3));
  add_segment(process, TEE_PRIVATE_DATA, 1);
  map_all(process);
  permit(process);
}

void fill_caches(void) {
  for (unsigned i = 0; i < DRAM_PAGES; i++)
    model.cached[i] = !model.owner[i] || model.owner[i] == model.active[model.hart] ? DIRTY : NONE;
}

bool instruction(process *process, unsigned number) {
  model_csrs *csrs = hart_csrs();
  trap_frame *frame = present_frame();
  csrs->mstatus = 0;
  csrs->mepc = START;
  if (!in_context()) {
    csrs->satp = process->satp;
    flush_tlb();
    if (number == TEE_RESUME) csrs->mepc = GATE + 4 * any_of(2);
    frame->x[S1] = 1 + any_of(3);
    for (unsigned i = 0; i < MOST_CONTEXTS; i++)
      if (contexts[i].state == SUSPENDED && root_of(contexts[i].outside) == root_of(process->satp))
        frame->x[S1] = i + 1;
  }
  frame->x[A0] = in_context() ? KEY_AT : PROGRAM_AT;
  frame->x[A1] = in_context() ? DIGEST_AT : GATE;
  return context_instruction(frame, TEE_INSTRUCTION(number));
}

void trap(uint64_t cause, uint64_t value) {
  uint64_t shown = value;
  hart_csrs()->mcause = cause;
  context_trap(cause, &shown);
}

bool goes_out(process *process) {
  const uint64_t number = any_of((unsigned)process->count);
  const uint64_t arguments[] = {process->permit, START + number * TEE_PAGE, TAG_AT};
  const bool is_done = !context_call(TEE_SBI_PAGE_OUT, arguments).error;
  if (is_done) process->out = number;
  return is_done;
}

bool comes_back(process *process) {
  const uint64_t page = any_of(8) ? process->own[process->out] : any_lie(0);
  const uint64_t arguments[] = {process->permit, START + process->out * TEE_PAGE, page, TAG_AT};
  return !context_call(TEE_SBI_PAGE_IN, arguments).error;
}

void map_own_outside(process *process) { map(process, SHARED, process->own[0], USER_PAGE); }

void spoil(process *process) {
  const uint64_t table = process->tables[any_of(ARRAY_LENGTH(process->tables))];
  map_all(process);
  const unsigned index = any_of(512);
  put(table, index, any_lie(words_at(table)[index]));
}

process *process_on_hart(void) {
  for (unsigned i = 0; in_context() && i < PROCESSES; i++)
    if (root_of(running()->outside) == root_of(processes[i].satp)) return &processes[i];
  return &processes[any_of(PROCESSES)];
}

static process *of_hart(void) {
  for (unsigned i = 0; i < PROCESSES; i++)
    if (root_of(hart_csrs()->satp) == root_of(processes[i].satp)) return &processes[i];
  return process_on_hart();
}

// At times, what is there is another, or nothing is.
static uint64_t copy_user(void *inside, uint64_t address, uint64_t size, bool is_out) {
  process *process = of_hart();
  uint64_t digest[DIGEST_WORDS];
  if (model.lies && !any_of(32)) {
    hart_csrs()->mcause = is_out ? CAUSE_STORE_PAGE : CAUSE_LOAD_PAGE;
    hart_csrs()->mtval = address;
    return hart_csrs()->mcause;
  }
  if (is_out) {
    if (address == TAG_AT) memcpy(process->tag, inside, sizeof process->tag);
    return 0;
  }
  digest_of(process->key, ARRAY_LENGTH(process->key), digest);
  const void *from = address == PROGRAM_AT ? (void *)&process->program
                     : address == TAG_AT   ? (void *)process->tag
                     : address == KEY_AT   ? (void *)process->key
                                           : digest;
  memcpy(inside, from, size < sizeof process->program ? size : sizeof process->program);
  if (model.lies && !any_of(4)) ((uint8_t *)inside)[any_of((unsigned)size)] ^= 1 << any_of(8);
  return 0;
}

void begin_system(void) {
  model.copy = copy_user;
  next_page = DRAM + 16 * TEE_PAGE;
  context_call(TEE_SBI_ENABLE, NULL);
  for (unsigned i = 0; i < PROCESSES; i++) begin(&processes[i]);
}
