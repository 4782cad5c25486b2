// enter_tee (AEGIS, 3.1): a program's pages become a context's, its hash is made, and it goes on behind the
// instruction.
#include "contexts.h"

#define MOST_PAGES (1UL << 16)
#define MAGIC 0x3165657462756148UL  // "Haubtee1"

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

// H(Prog), the hash of a program: SHA-256 of its segments, its entry, and the contents of code and data, as they are
// taken.
static void hash_layout(const tee_program *program, uint64_t pc) {
  hash_word(MAGIC);
  hash_word(program->start);
  hash_word(pc);
  hash_word(program->segments);
  for (unsigned i = 0; i < program->segments; i++) {
    hash_word(program->segment[i].kind);
    hash_word(program->segment[i].pages);
  }
}

static context *free_context(void) {
  for (unsigned i = 0; i < context_count(); i++)
    if (contexts[i].state == FREE) return &contexts[i];
  return NULL;
}

// What a context keeps of who entered it, and what it begins with: its arguments.
static void begin(context *context, const trap_frame *frame, uint64_t pc, uint64_t gate) {
  context->outer.gate = gate;
  for (unsigned i = 0; i < 32; i++) context->outer.x[i] = frame->x[i];
  for (unsigned i = A0; i <= A7; i++) context->frame.x[i] = frame->x[i];
  clear_floats();
  // Until its pages were the context's, others could change what the hart fetched ahead.
  flush_instruction_cache();
  context->state = RUNNING;
  set_running(context);
  WRITE_CSR(mepc, pc + 4);
}

static int64_t enter(const trap_frame *frame, const tee_program *program, uint64_t pc, uint64_t gate) {
  context *entered = free_context();
  if (!entered) return TEE_FULL;
  const uint64_t end = valid_end(program, pc, gate);
  if (!end) return TEE_INVALID;
  unsigned permit;
  if (!find_permit(READ_CSR(satp), program->start, end, &permit)) return TEE_NOT_ALLOWED;
  // All else of a free row is 0
  entered->permit = permit;
  entered->outside = READ_CSR(satp);
  entered->start = program->start;
  entered->end = end;
  hash_layout(program, pc);
  // From here on the hart accesses memory as the context does. It has nothing of the pages in its cache, and nobody
  // else has.
  stop_harts();
  become(entered, entered->outside);
  const program_page first = {.program = program, .address = program->start};
  program_page to_hash = first;
  int64_t error = take_pages(entered, &to_hash);
  release_harts();
  if (!error && !(clear_pages(entered, first) && measure_pages(entered, &to_hash))) error = TEE_MEMORY;
  if (error) {
    hash_abort();
    end_context(entered, false, entered->outside);
  } else {
    begin(entered, frame, pc, gate);
  }
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
