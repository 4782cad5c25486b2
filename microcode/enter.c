// enter_tee (AEGIS, 3.1): a program's pages become a context's, its hash is made, and it goes on behind the
// instruction.
#include "contexts.h"

#define MOST_PAGES (1UL << 16)
// So many tables map what is nobody's: two for each of the two pages that an instruction accesses
#define TABLES_OUTSIDE 4

static unsigned count(const tee_program *program, uint64_t kind) {
  unsigned segments = 0;
  for (unsigned i = 0; i < program->segments; i++) segments += program->segment[i].kind == kind;
  return segments;
}

// Where its pages end, or 0 if it is not as it should be
static uint64_t valid_end(const tee_program *program, uint64_t pc, uint64_t gate) {
  if (program->start % TEE_PAGE || program->start >> USER_BITS || program->segments > TEE_SEGMENTS) return 0;
  uint64_t end = program->start;
  bool has_entry = false;
  for (unsigned i = 0; i < program->segments; i++) {
    const uint64_t kind = program->segment[i].kind, pages = program->segment[i].pages;
    if (kind < TEE_CODE || kind > TEE_PRIVATE_DATA || !pages || pages > MOST_PAGES) return 0;
    if (kind == TEE_TABLES && pages > TEE_MOST_TABLES) return 0;
    if (kind == TEE_CODE && pc >= end && pc < end + pages * TEE_PAGE) has_entry = true;
    end += pages * TEE_PAGE;
  }
  const bool is_outside = gate < program->start || gate >= end;
  const bool is_valid =
      !(end >> USER_BITS) && has_entry && is_outside && !(gate % 4) && count(program, TEE_TABLES) == 1;
  return is_valid ? end : 0;
}

// A page that the program could write is the program's alone, or would have been copied.
static int64_t take(const context *context, uint64_t address, uint64_t *page) {
  // What is the context's already has no secrets yet
  const uint64_t leaf = leaf_of(context->outside, address, NULL), needed = ENTRY_USER | ENTRY_READ | ENTRY_WRITE;
  if ((leaf & needed) != needed) return TEE_UNMAPPED;
  *page = page_of(leaf);
  return is_dram(*page) && give_page(*page, spid_of(context)) ? 0 : TEE_TAKEN;
}

static int64_t take_tables(context *context, uint64_t address, uint64_t pages) {
  for (uint64_t i = 0; i < pages; i++) {
    const int64_t error = take(context, address + i * TEE_PAGE, &context->table[i]);
    if (error) return error;
    context->tables++;
  }
  make_root(context);
  return 0;
}

static int64_t take_segment(context *context, uint64_t kind, uint64_t address, uint64_t pages) {
  const bool is_private = kind == TEE_PRIVATE_CODE || kind == TEE_PRIVATE_DATA;
  const bool is_code = kind == TEE_CODE || kind == TEE_PRIVATE_CODE;
  const uint64_t mode = (is_code ? ENTRY_READ | ENTRY_EXECUTE : ENTRY_READ | ENTRY_WRITE | ENTRY_DIRTY) |
                        (is_private ? 0 : ENTRY_VALID);  // private.c
  for (uint64_t i = 0; i < pages; i++) {
    uint64_t page, *entry = make_entry(context, address + i * TEE_PAGE);
    if (!entry) return TEE_FEW_TABLES;
    const int64_t error = take(context, address + i * TEE_PAGE, &page);
    if (error) return error;
    *entry = entry_of(page, ENTRY_USER | ENTRY_ACCESSED | mode);
  }
  return 0;
}

// The tables come first: the others are in them.
static int64_t take_pages(context *context, const tee_program *program) {
  uint64_t end = context->start;
  for (unsigned i = 0; i < program->segments; end += program->segment[i++].pages * TEE_PAGE) {
    if (program->segment[i].kind != TEE_TABLES) continue;
    const int64_t error = take_tables(context, end, program->segment[i].pages);
    if (error) return error;
  }
  for (unsigned i = 0; i < program->segments; i++) {
    const uint64_t kind = program->segment[i].kind, pages = program->segment[i].pages;
    const int64_t error = kind == TEE_TABLES ? 0 : take_segment(context, kind, context->end, pages);
    context->end += pages * TEE_PAGE;
    if (error) return error;
  }
  context->fixed = context->used;
  return context->tables - context->fixed < TABLES_OUTSIDE ? TEE_FEW_TABLES : 0;
}

static void clear_segments(context *context, const tee_program *program) {
  uint64_t address = context->start;
  for (unsigned i = 0; i < program->segments; i++) {
    const uint64_t end = address + program->segment[i].pages * TEE_PAGE;
    for (; address < end; address += TEE_PAGE)
      if (program->segment[i].kind == TEE_ZERO) clear_page(page_of(*entry_at(context, address)));
  }
}

static context *free_context(void) {
  for (unsigned i = 0; i < context_count(); i++)
    if (contexts[i].state == FREE) return &contexts[i];
  return NULL;
}

// What a context keeps of who entered it, and what it begins with: its arguments.
static void begin(context *context, trap_frame *frame, uint64_t pc, uint64_t gate) {
  context->outer.gate = gate;
  for (unsigned i = 0; i < 32; i++) {
    context->outer.x[i] = frame->x[i];
    if (i < A0 || i > A7) frame->x[i] = 0;
  }
  clear_floats();
  context->state = RUNNING;
  set_running(context);
  WRITE_CSR(mepc, pc + 4);
}

static int64_t enter(trap_frame *frame, const tee_program *program, uint64_t pc, uint64_t gate) {
  context *entered = free_context();
  if (!entered) return TEE_FULL;
  const uint64_t end = valid_end(program, pc, gate);
  if (!end) return TEE_INVALID;
  unsigned permit;
  if (!find_permit(READ_CSR(satp), program->start, end, &permit)) return TEE_NOT_ALLOWED;
  *entered = (context){.permit = permit, .outside = READ_CSR(satp), .start = program->start, .end = program->start};
  // From here on the hart accesses memory as the context does. It has nothing of the pages in its cache, and nobody
  // else has.
  stop_harts();
  become(entered, entered->outside);
  int64_t error = take_pages(entered, program);
  release_harts();
  if (!error) {
    clear_segments(entered, program);
    if (!measure(entered, program, pc)) error = TEE_MEMORY;
  }
  if (error)
    end_context(entered, false, entered->outside);
  else
    begin(entered, frame, pc, gate);
  return error;
}

void enter_tee(trap_frame *frame) {
  const uint64_t pc = READ_CSR(mepc), gate = frame->x[A1];
  tee_program program;
  int64_t error = TEE_INVALID;
  if (!copy_in(&program, (const void *)frame->x[A0], sizeof program, STATUS_MPRV)) {
    enter_exclusive();
    error = enter(frame, &program, pc, gate);
    leave_exclusive();
  }
  if (error) {
    frame->x[A0] = (uint64_t)error;
    WRITE_CSR(mepc, gate + TEE_GATE_END);
  }
}
