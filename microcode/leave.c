// The end of a context: exit_tee, and the supervisor's kill.
#include "contexts.h"

static void free_page(uint64_t page) { give_page(page, 0); }

// Calls visit for each own page that was mapped, and is not out.
static void on_each_page(context *context, void (*visit)(uint64_t page)) {
  for (uint64_t address = context->start; context->used && address < context->end; address += TEE_PAGE) {
    const uint64_t *entry = entry_at(context, address);
    if (entry && *entry && !is_out(*entry)) visit(page_of(*entry));
  }
}

void end_context(context *ended, bool clears, uint64_t satp) {
  if (clears) on_each_page(ended, clear_page);
  stop_harts();
  flush_data_cache();
  on_each_page(ended, free_page);
  for (unsigned i = 0; i < ended->written; i++) clear_page(ended->table[i]);
  flush_data_cache();
  for (unsigned i = 0; i < ended->tables; i++) free_page(ended->table[i]);
  become(NULL, satp);
  release_harts();
  *ended = (context){.state = FREE};
}

void exit_tee(const trap_frame *frame) {
  context *ended = running();
  enter_exclusive();
  set_running(NULL);
  const int64_t result = (int64_t)frame->x[A0];
  const uint64_t value = frame->x[A1];
  const outer_registers outer = ended->outer;
  end_context(ended, true, ended->outside);
  go_on_outside(&outer, result, value);
  leave_exclusive();
}

int64_t kill_suspended(uint64_t spid) {
  context *killed = suspended(spid);
  if (!killed) return TEE_STATE;
  const uint64_t satp = READ_CSR(satp);
  become(killed, satp);
  end_context(killed, true, satp);
  return 0;
}

int64_t kill_context(uint64_t spid) {
  enter_exclusive();
  const int64_t error = kill_suspended(spid);
  leave_exclusive();
  return error;
}
