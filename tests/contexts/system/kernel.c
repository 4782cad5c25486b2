// In the kernel's place: an operating system that runs programs in secure contexts and takes everything from them that
// it can. Each program must give what it gives without this, or be stopped where the microcode says.
#include "kernel.h"

static volatile uint64_t *words_of(uint64_t page) { return (volatile uint64_t *)page; }

// All but tables for what is outside
static bool is_cleared(const process *process) {
  for (unsigned i = 0; i < (OWN_TABLES - OWN) / TEE_PAGE + 3; i++)
    for (unsigned word = 0; word < TEE_PAGE / 8; word++)
      if (words_of(process->own[i])[word]) return false;
  return true;
}

static uint64_t fill_shared(const process *process) {
  uint64_t sum = SECRET;
  for (unsigned i = 0; i < SUM_WORDS; i++) {
    words_of(process->shared[i / (TEE_PAGE / 8)])[i % (TEE_PAGE / 8)] = 3 * i;
    sum += 3 * i;
  }
  return sum;
}

// A context gives its result, and leaves pages that are nobody's and cleared. What is outside is mapped when it is
// accessed.
static void computes(void) {
  process *process = new_process(WORK_ADD);
  const uint64_t sum = fill_shared(process);
  unmap(process, SHARED + TEE_PAGE);
  expect(run(process) == LOAD_PAGE && process->value == SHARED + TEE_PAGE);
  expect(shows_nothing(process, false));
  // Accessed, but for a bit
  map(process, SHARED + TEE_PAGE, process->shared[1], USER_DATA & ~ACCESSED);
  expect(run(process) == LOAD_PAGE && process->value == SHARED + TEE_PAGE);
  map(process, SHARED + TEE_PAGE, process->shared[1], USER_DATA);
  use_floats();
  expect(finish(process) == sum);
  expect(is_cleared(process) && is_as_before(process));
}

// Until the operating system knows of contexts, there is none.
static void is_off(void) {
  process *process = new_process(WORK_ADD);
  expect(run(process) == ILLEGAL_INSTRUCTION && process->user.pc == OWN);
  enable_contexts();
  expect(cause_of_entry() == ILLEGAL_INSTRUCTION);
  use_floats();
  const uint64_t sum = fill_shared(process);
  expect(finish(process) == sum);
}

// What the kernel does to a context's memory while it is interrupted has no effect, and it sees none of its registers.
static process *interrupted(uint64_t work) {
  process *process = new_process(work);
  // It comes while the program enters
  set_timer(100);
  expect(run(process) == TIMER);
  set_timer(0);
  return process;
}

static void is_interrupted(void) {
  process *process = interrupted(WORK_SPIN);
  expect(shows_nothing(process, false));
  for (unsigned i = 0; i < OWN_PAGES; i++)
    for (unsigned word = 0; word < TEE_PAGE / 8; word += 3) {
      expect(words_of(process->own[i])[word] == ~0UL);
      words_of(process->own[i])[word] = 0;
    }
  // Nobody executes its pages from outside
  struct process copy = *process;
  copy.user.pc = OWN + 4;
  expect(run(&copy) == FETCH_ACCESS);
  // Its addresses, with other contents
  for (unsigned i = 0; i < OWN_PAGES; i++) map(process, OWN + i * TEE_PAGE, new_page(), USER_DATA | EXECUTE);
  set_timer(200);
  expect(run(process) == TIMER && shows_nothing(process, false));
  set_timer(0);
  // No call waits for a result
  process->user.x[A0] = 7;
  process->user.pc += 4;
  set_timer(200);
  expect(run(process) == TIMER && shows_nothing(process, false));
  set_timer(0);
  // What is taken away outside is away
  unmap(process, SHARED);
  expect(run(process) == LOAD_PAGE && process->value == SHARED);
  map(process, SHARED, process->shared[0], USER_DATA);
  words_of(process->shared[0])[0] = 1;
  expect(finish(process) == 0);
  expect(is_as_before(process));
}

// Its hash, which the test compares with that of the file
static void is_measured(void) {
  process *process = interrupted(WORK_SPIN);
  put("H(Prog) ");
  for (unsigned i = 0; i < 4; i++) put_hex(hash_of(process->user.x[S1], i));
  put("\n");
  words_of(process->shared[0])[0] = 1;
  expect(finish(process) == 0);
}

// The arguments of a call are seen, and its result is all that changes. A call may be made once more.
static void calls(void) {
  process *process = new_process(WORK_CALL);
  for (unsigned round = 0; round < 3; round++) {
    expect(run(process) == USER_CALL && process->user.x[A7] == CALL_NUMBER);
    expect(process->user.x[A1] == 0x5a5a0000 + A1 && shows_nothing(process, true));
    for (unsigned i = 1; i < 32; i++)
      if (i != S1) process->user.x[i] = round;
  }
  process->user.pc += 4;
  process->user.x[A0] = 99;
  expect(finish(process) == 99);
  process = new_process(WORK_KEEP);
  expect(finish(process) == 0);
  expect(is_cleared(process));
}

// What the kernel maps outside is not the context's own, and what is another's reads as ones.
static void is_mapped_twice(void) {
  process *process = new_process(WORK_ADD), *other = interrupted(WORK_SPIN);
  const uint64_t sum = fill_shared(process);
  map(process, SHARED + TEE_PAGE, process->own[CODE_PAGES], USER_DATA);
  expect(run(process) == LOAD_PAGE && process->value == SHARED + TEE_PAGE);
  map(process, SHARED + TEE_PAGE, process->own[OWN_PAGES - 1], USER_DATA);
  expect(run(process) == LOAD_PAGE && process->value == SHARED + TEE_PAGE);
  // The microcode's own
  map(process, SHARED + TEE_PAGE, 0x80000000, USER_DATA);
  expect(run(process) == LOAD_ACCESS);
  map(process, SHARED + TEE_PAGE, other->own[0], USER_DATA);
  uint64_t with_ones = SECRET;
  for (unsigned i = 0; i < SUM_WORDS; i++) with_ones += i < TEE_PAGE / 8 ? 3 * i : ~0UL;
  expect(finish(process) == with_ones && with_ones != sum);
  words_of(other->shared[0])[0] = 1;
  expect(finish(other) == 0);
}

static void is_killed(process *process) {
  const uint64_t spid = process->user.x[S1];
  expect(kill_context(spid) == 0 && is_cleared(process));
  expect(kill_context(spid) == TEE_STATE);
  expect(run(process) == ILLEGAL_INSTRUCTION);
}

// A program that does what it may not is the kernel's, which ends it.
static void is_stopped(void) {
  static const struct {
    uint64_t work, cause, value;
  } wrong[] = {{WORK_WRITE, STORE_PAGE, OWN},
               {WORK_RUN, FETCH_PAGE, SHARED},
               {WORK_ABOVE, LOAD_PAGE, OWN_END},
               {WORK_SECOND, ILLEGAL_INSTRUCTION, 0},
               {WORK_RESUME, ILLEGAL_INSTRUCTION, 0}};
  for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    process *process = new_process(wrong[i].work);
    if (wrong[i].work == WORK_ABOVE) map(process, OWN_END, new_page(), USER_DATA);
    expect(run(process) == wrong[i].cause && process->value == wrong[i].value);
    expect(shows_nothing(process, false));
    is_killed(process);
  }
}

// A context goes on only at its gate, in its address space, under its SPID, and once.
static void resumes(void) {
  process *process = interrupted(WORK_SPIN);
  const uint64_t spid = process->user.x[S1];
  const uint64_t wrong[] = {0, spid + 1, 255, spid | 256, spid | 1UL << 32, ~0UL};
  for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    process->user.x[S1] = wrong[i];
    expect(run(process) == ILLEGAL_INSTRUCTION && process->user.pc == gate());
  }
  process->user.x[S1] = spid;
  for (unsigned i = 0; i < 3; i++) {
    process->user.pc = stray() + 4 * i;
    expect(run(process) == ILLEGAL_INSTRUCTION && process->user.pc == stray() + 4 * i);
  }
  struct process *other = new_process(WORK_SPIN);
  other->user.pc = gate();
  other->user.x[S1] = spid;
  expect(run(other) == ILLEGAL_INSTRUCTION);
  process->user.pc = gate();
  words_of(process->shared[0])[0] = 1;
  expect(finish(process) == 0);
  // It has come to its end
  process->user.pc = gate();
  process->user.x[S1] = spid;
  expect(run(process) == ILLEGAL_INSTRUCTION);
}

// What enter_tee refuses, and leaves as it was: pages and all.
static void refuse(process *process, int64_t error) {
  expect((int64_t)finish(process) == error);
  process->user.pc = OUTSIDE;
  process->user.x[A0] = OUTSIDE + TEE_PAGE / 2;
  process->user.x[A1] = gate();
  process->user.x[A2] = WORK_ADD;
}

static void is_refused(void) {
  process *process = new_process(WORK_ADD);
  const uint64_t sum = fill_shared(process);
  tee_program *program = program_of(process);
  const tee_program right = *program;
  process->user.x[A0] = 0;
  refuse(process, TEE_INVALID);
  process->user.x[A0] = 0x80000000;
  refuse(process, TEE_INVALID);
  // The program goes on behind what should be its gate
  const uint64_t no_gate[] = {gate() + 2, OWN_DATA, OWN_END - TEE_PAGE};
  for (unsigned i = 0; i < sizeof no_gate / sizeof *no_gate; i++) {
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
               {0, 5, CODE_PAGES, TEE_INVALID},
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
  for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++) {
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
  static const uint64_t others[] = {0x80000000, 0x801ff000, 0x10000000, 0x10060000, 0x80e00000, 0x80fff000, 1UL << 55};
  static const uint64_t at[] = {OWN_DATA, OWN_ZERO + TEE_PAGE, OWN_TABLES, OWN_END - TEE_PAGE};
  for (unsigned i = 0; i < sizeof at / sizeof *at; i++) {
    const uint64_t page = process->own[(at[i] - OWN) / TEE_PAGE];
    unmap(process, at[i]);
    refuse(process, TEE_UNMAPPED);
    map(process, at[i], page, USER | READ | EXECUTE | ACCESSED);
    refuse(process, TEE_UNMAPPED);
    map(process, at[i], page, READ | WRITE | ACCESSED | DIRTY);
    refuse(process, TEE_UNMAPPED);
    for (unsigned other = i; other < sizeof others / sizeof *others; other += sizeof at / sizeof *at) {
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

// As many contexts as there can be, each with what is its own; their pages are no other's.
static void are_many(void) {
  static process *many[MOST_CONTEXTS];
  unsigned count = 0;
  process *last;
  uint64_t sum;
  for (;;) {
    last = new_process(WORK_SPIN);
    set_timer(100);
    if (run(last) != TIMER) break;
    expect(count < MOST_CONTEXTS);
    for (unsigned i = 0; i < count; i++) expect(many[i]->user.x[S1] != last->user.x[S1]);
    many[count++] = last;
  }
  set_timer(0);
  expect(last->cause == USER_CALL && (int64_t)last->user.x[A0] == TEE_FULL && count > 1);
  is_killed(many[count - 1]);
  last = new_process(WORK_ADD);
  sum = fill_shared(last);
  map(last, OWN_DATA, many[0]->own[CODE_PAGES], USER_DATA);
  refuse(last, TEE_TAKEN);
  map(last, OWN_DATA, last->own[CODE_PAGES], USER_DATA);
  expect(finish(last) == sum);
  for (unsigned i = 0; i + 1 < count; i++) {
    words_of(many[i]->shared[0])[0] = 1;
    expect(finish(many[i]) == 0);
  }
  expect(kill_context(0) == TEE_STATE && kill_context(1) == TEE_STATE && kill_context(count + 1) == TEE_STATE);
}

// More tables than there are, and a load from two pages
static void sees_much(void) {
  process *process = new_process(WORK_FAR);
  uint64_t sum = 0;
  for (unsigned i = 0; i < FAR_PAGES; i++) {
    const uint64_t page = new_page();
    words_of(page)[0] = i * i + 1;
    sum += 2 * (i * i + 1);
    map(process, FAR + i * TEE_ALIGNMENT, page, USER_DATA);
  }
  expect(finish(process) == sum);
  process = new_process(WORK_STRADDLE);
  expect(run(process) == LOAD_PAGE && process->value == FAR);
  for (unsigned i = 0; i < 2; i++) {
    const uint64_t page = new_page();
    map(process, FAR + i * TEE_PAGE, page, USER_DATA);
    words_of(page)[i ? 0 : TEE_PAGE / 8 - 1] = 0x1122334455667788;
  }
  expect(finish(process) == 0x5566778811223344);
}

// What is outside is seen as the kernel's tables have it: bits, large pages, and tables that are none.
static void sees_as_mapped(void) {
  process *process = new_process(WORK_STORE), *other = interrupted(WORK_SPIN);
  static const struct {
    uint64_t bits, cause;
  } bits[] = {{READ | WRITE | ACCESSED | DIRTY, LOAD_PAGE},
              {USER | EXECUTE | ACCESSED, LOAD_PAGE},
              {USER_DATA | 1UL << 54, LOAD_PAGE},
              {USER | READ | ACCESSED | DIRTY, STORE_PAGE},
              {USER | READ | WRITE | ACCESSED, STORE_PAGE}};
  words_of(process->shared[0])[0] = 5;
  for (unsigned i = 0; i < sizeof bits / sizeof *bits; i++) {
    map(process, SHARED, process->shared[0], bits[i].bits);
    expect(run(process) == bits[i].cause && process->value == SHARED);
  }
  map(process, SHARED, process->shared[0], USER_DATA);
  expect(finish(process) == 0 && words_of(process->shared[0])[1] == 6);
  process = new_process(WORK_FAR);
  // Tables in a device, in the microcode, in another context, and nowhere
  const uint64_t tables[] = {0x10000000, 0x80000000, other->own[0], 1UL << 40};
  for (unsigned i = 0; i < sizeof tables / sizeof *tables; i++) {
    set_table(process, FAR, tables[i]);
    expect(run(process) == LOAD_PAGE && process->value == FAR);
  }
  // In the context itself, where its data are: a word of these would be a page that may be accessed
  set_table(process, FAR, process->own[CODE_PAGES]);
  expect(run(process) == LOAD_PAGE && process->value == FAR);
  words_of(other->shared[0])[0] = 1;
  expect(finish(other) == 0);
  // A large page, and one that is none for it does not begin where it should
  const uint64_t large = new_large_page();
  for (unsigned i = 0; i < FAR_PAGES; i++) map_large(process, FAR + i * TEE_ALIGNMENT, large + TEE_PAGE);
  expect(run(process) == LOAD_PAGE && process->value == FAR);
  for (unsigned i = 0; i < FAR_PAGES; i++) map_large(process, FAR + i * TEE_ALIGNMENT, large);
  words_of(large)[0] = 11;
  expect(finish(process) == 2 * FAR_PAGES * 11);
}

static process *volatile of_other;
static volatile uint64_t other_cause;

// The other hart runs processes, each to its last call or to another trap.
void boot_other(unsigned hart) {
  (void)hart;
  open_floats();
  for (;;) {
    process *process = of_other;
    if (!process) continue;
    run(process);
    __asm__ volatile("fence rw, rw" ::: "memory");
    other_cause = process->cause;
    of_other = 0;
  }
}

static void on_other_hart(process *process) {
  __asm__ volatile("fence rw, rw" ::: "memory");
  of_other = process;
}

// A context that was interrupted goes on at another hart, and cannot go on at two; nor is it killed while it runs. What
// the kernel takes away from it outside is away.
static void moves(void) {
  process *process = interrupted(WORK_SPIN);
  struct process *copy = new_process(WORK_SPIN);
  copy->root = process->root;
  copy->user = process->user;
  start_other_hart();
  on_other_hart(process);
  // It may not have got there yet: then the copy would be it
  wait(200);
  expect(run(copy) == ILLEGAL_INSTRUCTION);
  expect(kill_context(copy->user.x[S1]) == TEE_STATE);
  unmap(process, SHARED);
  fence_harts();
  while (of_other) {
  }
  expect(other_cause == LOAD_PAGE && process->value == SHARED && shows_nothing(process, false));
  map(process, SHARED, process->shared[0], USER_DATA);
  on_other_hart(process);
  // Pages of another context change their owner meanwhile: the other hart stops, and goes on
  struct process *other = new_process(WORK_ADD);
  const uint64_t sum = fill_shared(other);
  expect(finish(other) == sum);
  words_of(process->shared[0])[0] = 1;
  while (of_other) {
  }
  expect(other_cause == USER_CALL && process->user.x[A7] == DONE && process->user.x[A0] == 0);
  expect(is_cleared(process));
  // Both enter and leave at once
  for (unsigned round = 0; round < 2; round++) {
    process = new_process(WORK_ADD);
    other = new_process(WORK_ADD);
    const uint64_t sums[] = {fill_shared(process), fill_shared(other)};
    on_other_hart(process);
    expect(finish(other) == sums[1]);
    while (of_other) {
    }
    expect(other_cause == USER_CALL && process->user.x[A0] == sums[0]);
    expect(is_cleared(process) && is_cleared(other));
  }
}

// Registers of guard and hasher are closed to the kernel, and so is the microcode.
static void is_closed(void) {
  static const uint64_t closed[] = {0x10060000, 0x10060010, 0x10060100, 0x10070000, 0x1007fff8, 0x80000000, 0x801ffff8};
  for (unsigned i = 0; i < sizeof closed / sizeof *closed; i++) {
    expect(cause_of_load(closed[i]) == LOAD_ACCESS);
    expect(cause_of_store(closed[i]) == STORE_ACCESS);
  }
  expect(cause_of_load(0x80200000) == 0);
}

#define RUN(test) (put(#test "\n"), test())

void boot(void) {
  open_floats();
  RUN(is_off);
  RUN(computes);
  RUN(is_interrupted);
  RUN(is_measured);
  RUN(calls);
  RUN(is_mapped_twice);
  RUN(is_stopped);
  RUN(resumes);
  RUN(is_refused);
  RUN(are_many);
  RUN(sees_much);
  RUN(sees_as_mapped);
  RUN(moves);
  RUN(is_closed);
  end_run();
}
