// The table of secure contexts, and the way into one and out of it. A context that a trap interrupts is put away, and
// the supervisor finds a program that waits at its gate, where an instruction resumes the context.
#include "contexts.h"

context contexts[MOST_CONTEXTS];
static context *on_hart[MAX_HARTS];
// By the supervisor, who must know of contexts before it uses a page that one has had
static volatile bool enabled;

#define STATUS_FS (3UL << 13)
#define SUPERVISOR_INTERRUPTS (SUPERVISOR_SOFTWARE | SUPERVISOR_TIMER | SUPERVISOR_EXTERNAL)
#define CAUSE_USER_CALL 8

#define NUMBER(instruction) ((instruction) >> 25)

unsigned context_count(void) {
  const unsigned count = CONTEXTS_GEOMETRY_CONTEXTS(mmio_read64(CONTEXTS_BASE + CONTEXTS_GEOMETRY));
  return count < MOST_CONTEXTS ? count : MOST_CONTEXTS;
}

context *context_of(uint64_t spid) { return spid && spid <= context_count() ? &contexts[spid - 1] : NULL; }

context *suspended(uint64_t spid) {
  context *found = context_of(spid);
  return found && found->state == SUSPENDED ? found : NULL;
}

context *running(void) { return on_hart[hart_id()]; }
void set_running(context *running) { on_hart[hart_id()] = running; }
bool has_contexts(void) { return true; }
bool in_context(void) { return running(); }

trap_frame *present_frame(void) {
  context *present = running();
  return present ? &present->frame : own_frame();
}

unsigned spid_of(const context *context) { return (unsigned)(context - contexts) + 1; }

// What only machine mode may access: registers of guard, hasher and page clearer, and its memory behind these
void contexts_close(void) {
  _Static_assert(CONTEXTS_BASE < HASHER_BASE && HASHER_BASE < CLEARER_BASE && CLEARER_BASE < MICROCODE_BASE,
                 "all are between the first and the last");
  WRITE_CSR(pmpaddr0, CONTEXTS_BASE >> 2);
  WRITE_CSR(pmpaddr1, (MICROCODE_BASE + MICROCODE_BYTES) >> 2);
  SET_CSR(pmpcfg0, 0x0800);  // from 0 to 1
}

void contexts_open(void) { mmio_write64(CONTEXTS_BASE + CONTEXTS_OTHERS, 1); }

void clear_floats(void) {
  if (READ_CSR(mstatus) & STATUS_FS) zero_floats();
}

void become(const context *next, uint64_t satp) {
  const uintptr_t tile = CONTEXTS_BASE + CONTEXTS_TILE + hart_id() * CONTEXTS_TILE_STRIDE;
  volatile uint64_t *active = (volatile uint64_t *)(tile + CONTEXTS_TILE_ACTIVE);
  const uint64_t spid = next ? spid_of(next) : 0;
  fence_all();
  flush_data_cache();
  *active = spid;
  while (*active != spid) {
  }
  WRITE_CSR(satp, satp);
  flush_instruction_cache();
  flush_tlb();
}

// The hart, which is the context, runs on its own tables, and all of its traps come to machine mode.
static void run(const context *context) {
  WRITE_CSR(satp, SV39 << 60 | context->table[0] >> PAGE_BITS);
  flush_tlb();
  WRITE_CSR(medeleg, 0);
  WRITE_CSR(mideleg, 0);
}

static void put_away(context *context, bool is_call) {
  trap_frame *shown = own_frame();
  context->pc = READ_CSR(mepc);
  context->in_call = is_call;
  for (unsigned i = A0; i <= A7; i++) shown->x[i] = is_call ? context->frame.x[i] : 0;
  context->has_floats = READ_CSR(mstatus) & STATUS_FS;
  if (context->has_floats) {
    save_floats(&context->floats);
    clear_floats();
  }
  forget_outside(context);
  // A signal's handler runs on the stack of who entered
  shown->x[SP] = context->outer.x[SP];
  shown->x[S1] = spid_of(context);
  WRITE_CSR(mepc, context->outer.gate);
  become(NULL, context->outside);
  delegate();
  set_running(NULL);
  context->state = SUSPENDED;
}

bool context_trap(uint64_t cause, uint64_t *value) {
  context *trapped = running();
  const bool is_page_fault = cause == CAUSE_FETCH_PAGE || cause == CAUSE_LOAD_PAGE || cause == CAUSE_STORE_PAGE;
  if (is_page_fault && map_outside(trapped, cause, *value)) return true;
  *value = is_page_fault ? *value & ~(TEE_PAGE - 1UL) : 0;
  put_away(trapped, cause == CAUSE_USER_CALL);
  return false;
}

void context_interrupts(void) {
  if (!(READ_CSR(mip) & READ_CSR(mie) & SUPERVISOR_INTERRUPTS)) return;
  put_away(running(), false);
  go_on_shown(own_frame());
}

void context_fence(void) {
  if (in_context()) forget_outside(running());
}

void go_on_outside(const outer_registers *outer, int64_t result, uint64_t value) {
  trap_frame *frame = own_frame();
  clear_floats();
  for (unsigned i = 0; i < 32; i++) frame->x[i] = outer->x[i];
  frame->x[A0] = (uint64_t)result;
  frame->x[A1] = value;
  WRITE_CSR(mepc, outer->gate + TEE_GATE_END);
  delegate();
}

// The supervisor chooses among the suspended contexts of the address space, and what a call gave: nothing else.
static bool resume(const trap_frame *frame) {
  const uint64_t pc = READ_CSR(mepc), satp = READ_CSR(satp);
  context *resumed = suspended(frame->x[S1]);
  if (!resumed) return false;
  const bool is_behind = pc == resumed->outer.gate + TEE_GATE_RESULT;
  if (!is_permitted(resumed) || root_of(resumed->outside) != root_of(satp) || !(is_behind || pc == resumed->outer.gate))
    return false;
  resumed->state = RUNNING;
  resumed->outside = satp;
  // Otherwise the call is made once more
  const bool is_done = resumed->in_call && is_behind;
  if (is_done) resumed->frame.x[A0] = frame->x[A0];
  WRITE_CSR(mepc, resumed->pc + (is_done ? 4 : 0));
  set_running(resumed);
  become(resumed, satp);
  run(resumed);
  if (resumed->has_floats) {
    SET_CSR(mstatus, STATUS_FS);
    load_floats(&resumed->floats);
  } else {
    clear_floats();
  }
  return true;
}

// Returns only if there is nothing to resume
static bool resume_context(const trap_frame *frame) {
  enter_exclusive();
  const bool is_resumed = resume(frame);
  leave_exclusive();
  if (!is_resumed) return false;
  context_interrupts();
  go_on(present_frame());
}

static bool enter_context(trap_frame *frame) {
  enter_tee(frame);
  if (in_context()) run(running());
  return true;
}

// What the processor does for a context, which goes on behind the instruction
static bool serve(trap_frame *frame, int64_t (*work)(context *context, const trap_frame *frame)) {
  if (!in_context()) return false;
  enter_exclusive();
  const int64_t result = work(running(), frame);
  const uint64_t cause = READ_CSR(mcause), unmapped = READ_CSR(mtval);
  const bool is_missing = result == TEE_UNMAPPED && is_page_out(running(), unmapped);
  leave_exclusive();
  if (is_missing) {
    // The supervisor brings it back
    pass_on(cause, unmapped);
  } else if (result != MADE_ONCE_MORE) {
    frame->x[A0] = (uint64_t)result;
    WRITE_CSR(mepc, READ_CSR(mepc) + 4);
  }
  return true;
}

bool context_instruction(trap_frame *frame, uint32_t instruction) {
  const bool is_user = !(READ_CSR(mstatus) & STATUS_MPP);
  if (!enabled || !is_user || instruction != TEE_INSTRUCTION(NUMBER(instruction))) return false;
  switch (NUMBER(instruction)) {
    case TEE_ENTER:
      return !in_context() && enter_context(frame);
    case TEE_EXIT:
      if (!in_context()) return false;
      exit_tee(frame);
      return true;
    case TEE_RESUME:
      return !in_context() && resume_context(frame);
    case TEE_SIGN:
      return serve(frame, sign_message);
    case TEE_KEY:
      return serve(frame, tell_key);
    case TEE_RANDOM:
      return serve(frame, draw_random);
    case TEE_DECRYPT:
      return serve(frame, decrypt_message);
    case TEE_SET_KEY:
      return serve(frame, set_key);
    default:
      return false;
  }
}

static sbi_result hash_of(uint64_t spid, uint64_t word) {
  const context *context = context_of(spid);
  if (!context || context->state == FREE || word > 3) return (sbi_result){TEE_STATE, 0};
  return (sbi_result){SBI_SUCCESS, context->digest[word]};
}

sbi_result context_call(uint64_t function, const uint64_t *a) {
  switch (function) {
    case TEE_SBI_ENABLE:
      enabled = true;
      return (sbi_result){SBI_SUCCESS, 0};
    case TEE_SBI_KILL:
      return (sbi_result){kill_context(a[0]), 0};
    case TEE_SBI_HASH:
      return hash_of(a[0], a[1]);
    case TEE_SBI_ALLOW:
      return allow(a[0], a[1], a[2]);
    case TEE_SBI_END:
      return (sbi_result){end_permit(a[0]), 0};
    case TEE_SBI_PAGE_OUT:
      return (sbi_result){page_out(a[0], a[1], a[2]), 0};
    case TEE_SBI_PAGE_IN:
      return (sbi_result){page_in(a[0], a[1], a[2], a[3]), 0};
    case TEE_SBI_DENIALS:
      return (sbi_result){SBI_SUCCESS, mmio_read64(CONTEXTS_BASE + CONTEXTS_DENIALS)};
    default:
      return (sbi_result){SBI_NOT_SUPPORTED, 0};
  }
}
