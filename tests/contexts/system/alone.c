// A context on one hart: its way in, on and out.
#include "kernel.h"

// A context gives its result, and leaves pages that are nobody's and cleared. What is outside is mapped when it is
// accessed. Nothing of all this is denied.
void computes(void) {
  const uint64_t denied = denials();
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
  expect(is_cleared(process) && is_as_before(process) && denials() == denied);
}

// Until the operating system knows of contexts, there is none.
void is_off(void) {
  process *process = new_process(WORK_ADD);
  expect(run(process) == ILLEGAL_INSTRUCTION && process->user.pc == OWN);
  enable_contexts();
  expect(cause_of_entry() == ILLEGAL_INSTRUCTION);
  use_floats();
  const uint64_t sum = fill_shared(process);
  expect(finish(process) == sum);
}

// A context goes on, until it is interrupted once more.
static void spins(process *process, uint64_t (*goes_on)(struct process *)) {
  set_timer(200);
  expect(goes_on(process) == TIMER && shows_nothing(process, false));
  set_timer(0);
}

// What the kernel does to a context's memory while it is interrupted has no effect, and it sees none of its registers.
void is_interrupted(void) {
  process *process = interrupted(WORK_SPIN);
  expect(shows_nothing(process, false));
  const uint64_t denied = denials();
  for (unsigned i = 0; i < OWN_PAGES; i++)
    for (unsigned word = 0; word < TEE_PAGE / 8; word += 3) {
      expect(words_of(process->own[i])[word] == ~0UL);
      words_of(process->own[i])[word] = 0;
    }
  expect(denials() >= denied + OWN_PAGES * TEE_PAGE / 64);
  // Nobody executes its pages from outside: where it has been itself, too
  spins(process, run);
  struct process copy = *process;
  for (unsigned line = 0; line < TEE_PAGE / 64; line++) {
    copy.user.pc = OWN + 64 * line;
    expect(run(&copy) == FETCH_ACCESS);
  }
  // Its addresses, with other contents
  for (unsigned i = 0; i < OWN_PAGES; i++) {
    const uint64_t page = new_page();
    map(process, OWN + i * TEE_PAGE, page, USER_DATA | EXECUTE);
    words_of(page)[0] = 0x7300000073;  // two ecalls
  }
  __asm__ volatile("fence.i" ::: "memory");
  // They are what is there for all but the context, which goes on at once after somebody has been there
  copy.user.pc = OWN + 4;
  expect(run(&copy) == USER_CALL && copy.user.pc == OWN + 4);
  spins(process, run_at_once);
  // No call waits for a result
  process->user.x[A0] = 7;
  process->user.pc += 4;
  spins(process, run);
  // What is taken away outside is away
  unmap(process, SHARED);
  expect(run(process) == LOAD_PAGE && process->value == SHARED);
  map(process, SHARED, process->shared[0], USER_DATA);
  expect(released(process) == 0);
  expect(is_as_before(process));
}

void show_hash(const char *name, const process *process) {
  print("%s ", name);
  for (unsigned i = 0; i < 4; i++) print("%016lx", hash_of(process->user.x[S1], i));
  print("\n");
}

// Its hash, which the test compares with that of the file; where it is entered elsewhere, it is another
void is_measured(void) {
  process *process = interrupted(WORK_SPIN);
  show_hash("H(Prog)", process);
  expect(released(process) == 0);
  process = new_process(WORK_SPIN);
  process->user.pc = OWN_ENTRY;
  expect(is_in_context(process));
  show_hash("H(Entry)", process);
  expect(released(process) == 0);
}

// A context has nothing of another that had its row in the table, neither of one that was killed nor of one that came
// to its end.
void begins_with_nothing(void) {
  is_killed(interrupted(WORK_SPIN));
  expect(finish(new_process(WORK_BEGIN)) == 0);
  process *process = interrupted(WORK_SPIN);
  expect(released(process) == 0);
  expect(finish(new_process(WORK_BEGIN)) == 0);
}

// The arguments of a call are seen, and its result is all that changes. A call may be made once more.
void calls(void) {
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

// A processor without a secret signs nothing, and the wrong questions get the same answers.
void has_no_secret(void) {
  process *process = new_process(WORK_SIGN);
  expect((int64_t)finish(process) == TEE_NO_SECRET);
}

// A program with private pages, and the key for them where it takes it
static process *with_private_pages(uint64_t work) {
  extern const uint8_t private_pages[];
  static const uint8_t key[TEE_KEY_BYTES] = {0x30, 0x31, 0x32, 0x33, 0x34, 0x35, 0x36, 0x37,
                                             0x38, 0x39, 0x3a, 0x3b, 0x3c, 0x3d, 0x3e, 0x3f};
  process *process = new_process(work);
  for (unsigned i = 0; i < 2; i++) {
    process->private[i] = new_page();
    add_segment(process, i ? TEE_PRIVATE_DATA : TEE_PRIVATE_CODE, &process->private[i], 1);
    memcpy((void *)process->private[i], private_pages + i * TEE_PAGE, TEE_PAGE);
  }
  memcpy((void *)(process->shared[0] + 8), key, sizeof key);
  return process;
}

static bool has_cleared(const process *process) {
  bool all = true;
  for (unsigned i = 0; i < 2; i++)
    for (unsigned word = 0; word < TEE_PAGE / 8; word++) all &= !words_of(process->private[i])[word];
  words_of(process->private[0])[0] = words_of(process->private[1])[0] = 1;
  return all && words_of(process->private[0])[0] == 1 && words_of(process->private[1])[0] == 1;
}

// Private pages are in the hash as they are encrypted, nobody's to use without their key, and cleared at the end.
void keeps_private(void) {
  process *process = with_private_pages(WORK_PRIVATE);
  expect(finish(process) == PRIVATE_WORD(TEE_PAGE / 8 - 1) + PRIVATE_RESULT);
  expect(is_cleared(process) && has_cleared(process));
  // Before there is a key
  process = with_private_pages(WORK_ABOVE);
  expect(run(process) == LOAD_PAGE && process->value == PRIVATE_CODE && shows_nothing(process, false));
  show_hash("H(Private)", process);
  uint8_t tag[TEE_PAGE_TAG];
  expect(page_out(process->permit, PRIVATE_CODE, tag) == TEE_INVALID);
  is_killed(process);
  expect(has_cleared(process));
  // Another key, in its last bit
  process = with_private_pages(WORK_PRIVATE);
  words_of(process->shared[0])[2] ^= 1UL << 56;
  expect((int64_t)finish(process) == TEE_FORGED && has_cleared(process));
  process = new_process(WORK_PRIVATE);
  words_of(process->shared[0])[3] = PRIVATE_NONE;
  expect((int64_t)finish(process) == TEE_STATE);
}

// They are code and data, and nothing else.
void keeps_private_rights(void) {
  static const struct {
    uint64_t choice, cause, value;
  } wrong[] = {{PRIVATE_WRITES, STORE_PAGE, PRIVATE_CODE}, {PRIVATE_RUNS_DATA, FETCH_PAGE, PRIVATE_DATA}};
  for (unsigned i = 0; i < ARRAY_LENGTH(wrong); i++) {
    process *process = with_private_pages(WORK_PRIVATE);
    words_of(process->shared[0])[3] = wrong[i].choice;
    expect(run(process) == wrong[i].cause && process->value == wrong[i].value);
    is_killed(process);
  }
}

// A program that does what it may not is the kernel's, which ends it.
void is_stopped(void) {
  static const struct {
    uint64_t work, cause, value;
  } wrong[] = {{WORK_WRITE, STORE_PAGE, OWN},
               {WORK_RUN, FETCH_PAGE, SHARED},
               {WORK_ABOVE, LOAD_PAGE, OWN_END},
               {WORK_SECOND, ILLEGAL_INSTRUCTION, 0},
               {WORK_RESUME, ILLEGAL_INSTRUCTION, 0}};
  for (unsigned i = 0; i < ARRAY_LENGTH(wrong); i++) {
    process *process = new_process(wrong[i].work);
    if (wrong[i].work == WORK_ABOVE) map(process, OWN_END, new_page(), USER_DATA);
    expect(run(process) == wrong[i].cause && process->value == wrong[i].value);
    expect(shows_nothing(process, false));
    is_killed(process);
  }
}

// A context goes on only at its gate, in its address space, under its SPID, and once.
void resumes(void) {
  process *process = interrupted(WORK_SPIN);
  const uint64_t spid = process->user.x[S1];
  const uint64_t wrong[] = {0, spid + 1, 255, spid | 256, spid | 1UL << 32, ~0UL};
  for (unsigned i = 0; i < ARRAY_LENGTH(wrong); i++) {
    process->user.x[S1] = wrong[i];
    expect(run(process) == ILLEGAL_INSTRUCTION && process->user.pc == gate());
  }
  process->user.x[S1] = spid;
  for (unsigned i = 0; i < STRAYS; i++) {
    process->user.pc = stray() + 4 * i;
    expect(run(process) == ILLEGAL_INSTRUCTION && process->user.pc == stray() + 4 * i);
  }
  struct process *other = new_process(WORK_SPIN);
  other->user.pc = gate();
  other->user.x[S1] = spid;
  expect(run(other) == ILLEGAL_INSTRUCTION);
  process->user.pc = gate();
  expect(released(process) == 0);
  // It has come to its end
  process->user.pc = gate();
  process->user.x[S1] = spid;
  expect(run(process) == ILLEGAL_INSTRUCTION);
}
