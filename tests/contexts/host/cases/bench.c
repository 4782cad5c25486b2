// Address spaces, programs, and what a hart and the supervisor do.
#include <string.h>

#include "cases.h"

#define MOST_SPACES 4
#define FIRST_PAGE 16

uint64_t value;
static space spaces[MOST_SPACES];
static unsigned count;
static uint64_t next_page = DRAM + FIRST_PAGE * PAGE;

model_csrs *csrs(void) { return &model.csrs[model.hart]; }

// With contents of its own
uint64_t new_page(void) {
  const uint64_t page = next_page;
  next_page += PAGE;
  for (unsigned i = 0; i < PAGE / 8; i++) words_at(page)[i] = mix64(page + i);
  return page;
}

static uint64_t new_table(void) {
  const uint64_t page = new_page();
  memset(words_at(page), 0, PAGE);
  return page;
}

static uint64_t page_named_by(uint64_t entry) { return entry << 10 >> 20 << 12; }

// The entry of an address at a level of tables that are there
static uint64_t *entry_in(uint64_t satp, uint64_t address, unsigned level, bool makes) {
  uint64_t table = satp << 20 >> 8;
  for (unsigned at = 2;; at--) {
    uint64_t *entry = words_at(table) + (address >> (12 + 9 * at) & 511);
    if (at == level) return entry;
    if (!(*entry & V) && makes) *entry = new_table() >> 2 | V;
    if (!(*entry & V) || *entry & (R | W | X)) return NULL;
    table = page_named_by(*entry);
  }
}

uint64_t *leaf_at(uint64_t satp, uint64_t address) { return entry_in(satp, address, 0, false); }
uint64_t page_at(uint64_t satp, uint64_t address) { return page_named_by(*leaf_at(satp, address)); }
void map_at(space *space, uint64_t address, uint64_t page, uint64_t bits) {
  *entry_in(space->satp, address, 0, true) = page >> 2 | bits;
}

// As the hart's walk: whether this byte is there, and may be accessed
static bool translate(uint64_t address, bool is_out, uint64_t *at) {
  const uint64_t *leaf = address >> 38 ? NULL : leaf_at(csrs()->satp, address);
  const uint64_t entry = leaf ? *leaf : 0;
  const bool executes = model.status & 1UL << 19 && entry & X, is_user = !(csrs()->mstatus & 3 << 11);
  const uint64_t needed = V | A | (is_out ? R | W | D : executes ? X : R) | (is_user ? U : 0);
  *at = page_named_by(entry) + address % PAGE;
  return (entry & needed) == needed && is_in_dram(*at);
}

// What another has reads as ones, and takes no writes.
static uint64_t copy_user(void *inside, uint64_t address, uint64_t size, bool is_out) {
  if (!(model.status & 1UL << 17)) must_not("copies as itself, at", address, &counts->others);
  for (uint64_t i = 0; i < size; i++) {
    uint8_t *byte = (uint8_t *)inside + i;
    uint64_t at;
    if (!translate(address + i, is_out, &at)) {
      csrs()->mtval = address + i;
      return csrs()->mcause = is_out ? STORE : LOAD;
    }
    const unsigned owner = model.owner[number_of(at)];
    const bool is_denied = owner && owner != model.active[model.hart];
    if (is_out && !is_denied) {
      *(uint8_t *)at = *byte;
      model.cached[number_of(at)] = DIRTY;
    } else if (!is_out) {
      *byte = is_denied ? 0xff : *(uint8_t *)at;
    }
  }
  return 0;
}

space *space_of(const unsigned (*segments)[2], unsigned segments_count) {
  space *made = &spaces[count++];
  uint64_t address = START;
  model.copy = copy_user;
  made->satp = 8UL << 60 | new_table() >> 12;
  made->program.start = START;
  made->program.segments = segments_count;
  for (unsigned i = 0; i < segments_count; i++) {
    made->program.segment[i].kind = segments[i][0];
    made->program.segment[i].pages = segments[i][1];
    for (unsigned page = 0; page < segments[i][1]; page++, address += PAGE) map_at(made, address, new_page(), LEAF);
  }
  for (unsigned i = 0; i < SHARED_PAGES; i++) map_at(made, SHARED + i * PAGE, new_page(), LEAF);
  map_at(made, TAG, new_page(), LEAF & ~U);
  return made;
}

space *new_space(void) {
  static const unsigned segments[][2] = {{CODE, 2}, {PRIVATE_CODE, 1}, {DATA, 1}, {TABLES, FIRST_TABLES},
                                         {ZERO, 2}, {PRIVATE_DATA, 1}, {DATA, 1}};
  return space_of(segments, ARRAY_LENGTH(segments));
}

space *small_space(void) {
  static const unsigned segments[][2] = {{CODE, 1}, {TABLES, SMALL_PAGES - 1}};
  return space_of(segments, ARRAY_LENGTH(segments));
}

uint64_t allow_all(space *space) {
  uint64_t pages = 0;
  for (unsigned i = 0; i < space->program.segments; i++) pages += space->program.segment[i].pages;
  expect(!call(ALLOW, space->satp << 20 >> 20, space->program.start, pages, 0));
  return value;
}

void take_trap(uint64_t cause, uint64_t at, uint64_t status) {
  model_csrs *of = csrs();
  of->mcause = cause;
  of->mtval = at;
  // MPIE is on; registers of floating point are as they were
  of->mstatus = status | 0x80 | (of->mstatus & 3 << 13);
  of->stvec = STVEC;
  of->scause = ~0UL;
  model.accesses = 0;
  flush_tlb();
  model.is_shown = false;
  if (!__builtin_setjmp(leave)) model.frame = serve_trap(present_frame());
  check_caches();
}

static void schedule(space *space) {
  if (in_context()) return;
  csrs()->satp = space->satp;
  memcpy(words_at(page_at(space->satp, SHARED)), &space->program, sizeof space->program);
}

bool execute(space *space, unsigned number, uint64_t pc, uint64_t a0, uint64_t a1, uint64_t a2) {
  schedule(space);
  trap_frame *frame = present_frame();
  frame->x[10] = a0;
  frame->x[11] = a1;
  frame->x[12] = a2;
  csrs()->mepc = pc;
  take_trap(ILLEGAL, 0x0b | number << 25, 0);
  return csrs()->scause != ILLEGAL;
}

bool enter_at(space *space, uint64_t pc, uint64_t gate) {
  return execute(space, ENTER, pc, SHARED, gate, 0x1234) && in_context();
}

bool enter_anew(space *space) {
  for (unsigned page = 0; page < SMALL_PAGES; page++) map_at(space, START + page * PAGE, new_page(), LEAF);
  return enter_at(space, START, GATE);
}

space *entered(void) {
  space *space = new_space();
  call(ENABLE, 0, 0, 0, 0);
  allow_all(space);
  expect(enter_at(space, START, GATE));
  return space;
}

bool resume_at(space *space, uint64_t pc, uint64_t spid) {
  schedule(space);
  present_frame()->x[9] = spid;
  return execute(space, RESUME, pc, 0x77, 0, 0) && in_context();
}

int64_t call(unsigned function, uint64_t a0, uint64_t a1, uint64_t a2, uint64_t a3) {
  expect(!in_context());
  trap_frame *frame = own_frame();
  const uint64_t arguments[] = {a0, a1, a2, a3}, pc = csrs()->mepc = 0xffff8000;
  memcpy(&frame->x[10], arguments, sizeof arguments);
  frame->x[16] = function;
  frame->x[17] = 0x0a484155;
  take_trap(SUPERVISOR_CALL, 0, 1UL << 11);
  expect(csrs()->mepc == pc + 4);
  value = frame->x[11];
  const bool has_value = !frame->x[10] && (function == HASH || function == ALLOW || function == DENIALS);
  expect(has_value || !value);
  return (int64_t)frame->x[10];
}

int64_t call_of(space *space, unsigned function, uint64_t a0, uint64_t a1, uint64_t a2, uint64_t a3) {
  schedule(space);
  return call(function, a0, a1, a2, a3);
}
