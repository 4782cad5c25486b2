// Programs that may not enter
#include "kernel.h"

void refuse(process *process, int64_t error) {
  expect((int64_t)finish(process) == error);
  process->user.pc = OUTSIDE;
  process->user.x[A0] = OUTSIDE + TEE_PAGE / 2;
  process->user.x[A1] = gate();
  process->user.x[A2] = WORK_ADD;
}

// A permit for these pages is not enough.
static void refuse_within(process *process, uint64_t start, uint64_t pages) {
  expect(end_permit(process->permit) == 0);
  process->permit = allow(process->root, start, pages);
  expect((int64_t)process->permit >= 0);
  refuse(process, TEE_NOT_ALLOWED);
}

void is_refused(void) {
  process *process = new_process(WORK_ADD);
  const uint64_t sum = fill_shared(process);
  tee_program *program = program_of(process);
  const tee_program right = *program;
  process->user.x[A0] = 0;
  refuse(process, TEE_INVALID);
  process->user.x[A0] = MICROCODE_BASE;
  refuse(process, TEE_INVALID);
  // The program goes on behind what should be its gate
  const uint64_t no_gate[] = {gate() + 2, OWN_DATA, OWN_END - TEE_PAGE};
  for (unsigned i = 0; i < ARRAY_LENGTH(no_gate); i++) {
    process->user.x[A1] = no_gate[i];
    run(process);
    expect((int64_t)process->user.x[A0] == TEE_INVALID);
    process->user.pc = OUTSIDE;
    process->user.x[A0] = OUTSIDE + TEE_PAGE / 2;
  }
  process->user.x[A1] = gate();
  static const struct {
    unsigned segment;
    uint64_t kind, pages;
    int64_t error;
  } wrong[] = {{0, TEE_DATA, CODE_PAGES, TEE_INVALID},
               {0, 0, CODE_PAGES, TEE_INVALID},
               {0, TEE_PRIVATE_CODE, CODE_PAGES, TEE_INVALID},
               {2, 7, ZERO_PAGES, TEE_INVALID},
               {1, TEE_TABLES, DATA_PAGES, TEE_INVALID},
               {3, TEE_ZERO, TABLE_PAGES, TEE_INVALID},
               {2, TEE_ZERO, 0, TEE_INVALID},
               {2, TEE_ZERO, ~0UL, TEE_INVALID},
               {2, TEE_ZERO, 1UL << 52, TEE_INVALID},
               {3, TEE_TABLES, 17, TEE_INVALID},
               {3, TEE_TABLES, 6, TEE_FEW_TABLES},
               {3, TEE_TABLES, 1, TEE_FEW_TABLES},
               {3, TEE_TABLES, TABLE_PAGES + 1, TEE_UNMAPPED},
               {2, TEE_ZERO, ZERO_PAGES + 1, TEE_UNMAPPED}};
  for (unsigned i = 0; i < ARRAY_LENGTH(wrong); i++) {
    *program = right;
    program->segment[wrong[i].segment].kind = wrong[i].kind;
    program->segment[wrong[i].segment].pages = wrong[i].pages;
    refuse(process, wrong[i].error);
  }
  *program = right;
  program->segments = TEE_SEGMENTS + 1;
  refuse(process, TEE_INVALID);
  program->segments = ~0UL;
  refuse(process, TEE_INVALID);
  *program = right;
  program->start += 8;
  refuse(process, TEE_INVALID);
  program->start = 1UL << 38;
  refuse(process, TEE_INVALID);
  *program = right;
  // Pages that the program does not have, or may not write; those of devices, of the protector, of the microcode, and
  // of nobody; and one that it has twice
  static const uint64_t others[] = {
      MICROCODE_BASE, MICROCODE_BASE + MICROCODE_BYTES - TEE_PAGE, 0x10000000, 0x10060000, 0x80e00000, 0x80fff000,
      1UL << 55};
  static const uint64_t at[] = {OWN_DATA, OWN_ZERO + TEE_PAGE, OWN_TABLES, OWN_END - TEE_PAGE};
  for (unsigned i = 0; i < ARRAY_LENGTH(at); i++) {
    const uint64_t page = *own_at(process, at[i]);
    unmap(process, at[i]);
    refuse(process, TEE_UNMAPPED);
    map(process, at[i], page, USER | READ | EXECUTE | ACCESSED);
    refuse(process, TEE_UNMAPPED);
    map(process, at[i], page, READ | WRITE | ACCESSED | DIRTY);
    refuse(process, TEE_UNMAPPED);
    for (unsigned other = i; other < ARRAY_LENGTH(others); other += ARRAY_LENGTH(at)) {
      map(process, at[i], others[other], USER_DATA);
      refuse(process, TEE_TAKEN);
    }
    map(process, at[i], process->own[OWN_PAGES - 2], USER_DATA);
    refuse(process, TEE_TAKEN);
    map(process, at[i], page, USER_DATA);
  }
  map(process, OWN, process->own[0], USER | READ | EXECUTE | ACCESSED);
  refuse(process, TEE_UNMAPPED);
  map(process, OWN, process->own[0], USER_DATA | EXECUTE);
  // Tables are the microcode's scratch: all else is as it was
  expect(words_of(process->own[CODE_PAGES])[0] == SECRET);
  expect(finish(process) == sum);
}

// Pages become a context's where the kernel has permitted it, and no longer than that.
void needs_permit(void) {
  process *process = new_process(WORK_ADD), *other = new_process(WORK_ADD);
  const uint64_t sum = fill_shared(process);
  refuse_within(process, OWN + TEE_PAGE, PERMITTED_PAGES);
  refuse_within(process, OWN, OWN_PAGES - 1);
  // Of another address space
  expect(end_permit(process->permit) == 0);
  refuse(process, TEE_NOT_ALLOWED);
  process->permit = allow(other->root, OWN, PERMITTED_PAGES);
  refuse(process, TEE_NOT_ALLOWED);
  expect(end_permit(process->permit) == 0);
  // What is wrong gives no permit
  const uint64_t wrong[][2] = {{OWN + 1, 1}, {OWN, 0}, {1UL << 38, 1}, {OWN, 1UL << 27}, {OWN, ~0UL}};
  for (unsigned i = 0; i < ARRAY_LENGTH(wrong); i++)
    expect((int64_t)allow(process->root, wrong[i][0], wrong[i][1]) == TEE_INVALID);
  expect(end_permit(~0UL) == TEE_INVALID && end_permit(MOST_PERMITS) == TEE_INVALID);
  // There is room for so many; one that ends makes room for another
  uint64_t permits[MOST_PERMITS], permit;
  unsigned count = 0;
  while ((int64_t)(permit = allow(other->root, OWN, OWN_PAGES)) >= 0) {
    expect(count < MOST_PERMITS);
    permits[count++] = permit;
  }
  expect((int64_t)permit == TEE_FULL && count);
  refuse(process, TEE_NOT_ALLOWED);
  expect(end_permit(permits[0]) == 0 && allow(other->root, OWN, OWN_PAGES) == permits[0]);
  while (count) expect(end_permit(permits[--count]) == 0);
  process->permit = allow(process->root, OWN, OWN_PAGES);
  expect((int64_t)process->permit >= 0 && finish(process) == sum);
}

// As many contexts as there can be, each with what is its own; their pages are no other's.
void are_many(void) {
  static process *many[MOST_CONTEXTS];
  unsigned count = 0;
  process *last;
  uint64_t sum;
  while (last = new_process(WORK_SPIN), is_in_context(last)) {
    expect(count < MOST_CONTEXTS);
    for (unsigned i = 0; i < count; i++) expect(many[i]->user.x[S1] != last->user.x[S1]);
    many[count++] = last;
  }
  expect(last->cause == USER_CALL && (int64_t)last->user.x[A0] == TEE_FULL && count > 1);
  is_killed(many[count - 1]);
  last = new_process(WORK_ADD);
  sum = fill_shared(last);
  map(last, OWN_DATA, many[0]->own[CODE_PAGES], USER_DATA);
  refuse(last, TEE_TAKEN);
  map(last, OWN_DATA, last->own[CODE_PAGES], USER_DATA);
  expect(finish(last) == sum);
  // What is taken back ends its contexts, and no others
  expect(end_permit(last->permit) == 0 && end_permit(many[0]->permit) == 0 && is_cleared(many[0]));
  expect(run(many[0]) == ILLEGAL_INSTRUCTION);
  for (unsigned i = 1; i + 1 < count; i++) expect(released(many[i]) == 0);
  expect(kill_context(0) == TEE_STATE && kill_context(1) == TEE_STATE && kill_context(count + 1) == TEE_STATE);
}
