// The end of a context: exit_tee, and the supervisor's kill.
#include "contexts.h"

#define BATCH 16

// From here on, own pages that are mapped, and not out. What memory says of them is read once, and asked: what is
// cleared is what is released.
static unsigned next_pages(context *context, uint64_t *address, uint64_t *pages) {
  unsigned count = 0;
  for (; context->used && *address < context->end && count < BATCH; *address += TEE_PAGE) {
    const uint64_t entry = own_entry(context, *address);
    if (entry && !is_out(entry) && has_data_page(context, page_of(entry))) pages[count++] = page_of(entry);
  }
  return count;
}

static void release_pages(context *context, const uint64_t *pages, unsigned count) {
  stop_harts();
  flush_data_cache();
  for (unsigned i = 0; i < count; i++) release_page(context, pages[i]);
  release_harts();
}

// If memory has lied, pages are left that nobody finds: their SPID is not used again.
void end_context(context *ended, bool clears, uint64_t satp) {
  uint64_t address = ended->start, pages[BATCH];
  unsigned count;
  while ((count = next_pages(ended, &address, pages))) {
    for (unsigned i = 0; clears && i < count; i++) clear_page(pages[i]);
    release_pages(ended, pages, count);
  }
  if (ended->pages != ended->tables) end_run(FINISHER_FAIL | EXIT_CODE_PAGES << 16);
  for (unsigned i = 0; i < ended->written; i++) clear_page(ended->table[i]);
  release_pages(ended, ended->table, ended->tables);
  become(NULL, satp);
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
