// In the kernel's place: an operating system that calls the microcode at random, with random memory, registers and
// interrupts. Contexts that it leaves alone live through all of it, on both harts, and come to their end as if nothing
// had been. SEED chooses what is done, in so many ROUNDS.
#include "kernel.h"

#define MOST_STEPS 24
#define SPARE_PAGES 4

// One spins, mostly on the other hart; one waits for the result of a call
enum { SPINS, KEEPS, KEEPERS };
static process *keepers[KEEPERS], *subject;
static uint64_t spare[SPARE_PAGES];
static struct { unsigned calls, runs, refused, faults, interrupted, called, illegal, out, in; } count;

// xorshift64*, for each hart
static uint64_t seed[2];
static uint64_t random_of(uint64_t *state) {
  *state ^= *state >> 12;
  *state ^= *state << 25;
  *state ^= *state >> 27;
  return *state * 0x2545f4914f6cdd1d;
}
static uint64_t random_word(void) { return random_of(seed); }
static uint64_t below(uint64_t limit) { return random_word() % limit; }

static bool is_keepers_spid(uint64_t spid) {
  for (unsigned i = 0; i < KEEPERS; i++)
    if (keepers[i]->user.x[S1] == spid) return true;
  return false;
}

static bool is_keepers_permit(uint64_t permit) {
  for (unsigned i = 0; i < KEEPERS; i++)
    if (keepers[i]->permit == permit) return true;
  return false;
}

// A page that is not the kernel's: all others may be a context's, or written by one.
static uint64_t any_page(void) {
  switch (below(6)) {
    case 0:
      return spare[below(SPARE_PAGES)];
    case 1:
      return keepers[below(KEEPERS)]->own[below(OWN_PAGES)];
    case 2:
      return MICROCODE_BASE + TEE_PAGE * below(MICROCODE_BYTES / TEE_PAGE);
    case 3:  // devices: the guard, the hasher, and none; the protector's own memory
      return (const uint64_t[]){0x10060000, 0x10070000, 1UL << 40, 0x80fff000}[below(4)];
    default:
      return subject->own[below(OWN_PAGES)];
  }
}

static uint64_t any_address(void) {
  const uint64_t page =
      (const uint64_t[]){OWN, OWN_DATA, OWN_ZERO, OWN_TABLES, OWN_END, OUTSIDE, SHARED, FAR}[below(8)];
  const uint64_t address = page + (const uint64_t[]){0, TEE_PAGE, -8UL, 8, TEE_PAGE / 2, below(TEE_PAGE)}[below(6)];
  return address < OWN ? OWN : address;  // below are the kernel's devices
}

static uint64_t any_word(void) {
  switch (below(6)) {
    case 0:
      return below(20);
    case 1:
      return -below(20);
    case 2:
      return 1UL << below(64);
    case 3:
      return any_page();
    case 4:
      return random_word();
    default:
      return any_address();
  }
}

static bool is_documented(int64_t error) { return error >= TEE_NOT_ALLOWED && error <= TEE_INVALID; }

// What nobody sees outside a context: words of its data, and what its registers are filled with
static bool is_secret(uint64_t word) { return word - SECRET < 2 || word - 0x5a5a0000 < 32; }

static bool has_secrets(const process *process) {
  const bool shows_arguments = process->cause == USER_CALL || process->user.pc >= gate() + TEE_GATE_END;
  for (unsigned i = 1; i < 32; i++)
    if (is_secret(process->user.x[i]) && !(shows_arguments && i >= A0 && i <= A7)) return true;
  return false;
}

// It stands where enter_tee sends whom it refuses.
static bool was_refused(const process *process) {
  const user *user = &process->user;
  return process->cause == USER_CALL && user->pc != gate() && user->x[A7] == DONE && (int64_t)user->x[A0] < 0;
}

static void runs(process *process) {
  const user before = process->user;
  // Some interrupts come before the program, and some in the microcode
  set_timer(1 + below(below(4) ? 40 : 1500));
  run(process);
  set_timer(0);
  count.runs++;
  const user *after = &process->user;
  const uint64_t cause = process->cause;
  const bool is_fault =
      cause == FETCH_ACCESS || (cause >= 4 && cause <= STORE_ACCESS) || (cause >= FETCH_PAGE && cause <= STORE_PAGE);
  expect(is_fault || cause == ILLEGAL_INSTRUCTION || cause == USER_CALL || cause == TIMER);
  // At the gate is who waits there as the kernel left him, and who came out of a context
  const bool is_same = !memcmp(before.x + 1, after->x + 1, sizeof before.x - sizeof *before.x);
  const bool came_out = after->pc == gate() && !is_same;
  expect(is_same || !has_secrets(process));
  if (came_out) expect(shows_nothing(process, cause == USER_CALL));
  if (came_out && cause == USER_CALL && after->x[A7] == ASKED_NUMBER) expect(after->x[A0] == 0);
  for (unsigned i = A0; i <= A7; i++)
    if (is_secret(after->x[i])) process->user.x[i] = 0;
  // A few of these had not gone on yet
  count.interrupted += cause == TIMER && after->pc == gate();
  count.called += came_out && cause == USER_CALL;
  count.faults += is_fault;
  count.illegal += cause == ILLEGAL_INSTRUCTION;
  count.refused += was_refused(process);
}

// The program's first way to its context, with what it names changed
static void enters(void) {
  uint64_t *words = (uint64_t *)program_of(subject);
  for (unsigned changes = below(2) * below(3); changes; changes--) words[below(sizeof(tee_program) / 8)] = any_word();
  if (!below(4)) subject->user.x[A0 + below(3)] = any_word();
  if (!below(4)) map(subject, OWN + TEE_PAGE * below(OWN_PAGES + 1), any_page(), random_word() & 0xfe);
  runs(subject);
  if (was_refused(subject)) expect(is_documented((int64_t)subject->user.x[A0]));
}

static void calls_microcode(void) {
  static const long extensions[] = {TEE_SBI, TEE_SBI, TEE_SBI, TEE_SBI, BASE, IPI, RFENCE, 0, -1};
  const long extension = extensions[below(ARRAY_LENGTH(extensions))];
  const uint64_t function = below(8) ? below(TEE_SBI_DENIALS + 2) : any_word();
  uint64_t a[4];
  for (unsigned i = 0; i < ARRAY_LENGTH(a); i++) a[i] = any_word();
  if (below(2)) a[0] = below(12);
  const bool is_contexts = extension == TEE_SBI;
  if (is_contexts && function == TEE_SBI_KILL && is_keepers_spid(a[0])) return;
  if (is_contexts && (function == TEE_SBI_END || function == TEE_SBI_PAGE_OUT) && is_keepers_permit(a[0])) return;
  const answer given = call4(extension, (long)function, (long)a[0], (long)a[1], (long)a[2], (long)a[3]);
  count.calls++;
  if (is_contexts) expect(!given.error || given.error == -2 || is_documented(given.error));
  // Nobody keeps a permit that was given like this
  if (is_contexts && function == TEE_SBI_ALLOW && !given.error) expect(end_permit((uint64_t)given.value) == 0);
}

// A page of the subject goes out, and comes back, or is changed and does not.
static void pages(void) {
  static uint8_t tag[TEE_PAGE_TAG];
  static uint64_t address = OWN;
  if (below(2)) {
    const uint64_t goes = OWN + TEE_PAGE * below(OWN_PAGES);
    if (page_out(subject->permit, goes, tag)) return;
    address = goes;
    count.out++;
    return;
  }
  const uint64_t page = *own_at(subject, address);
  const unsigned bit = (unsigned)below(16 * sizeof tag);
  const bool is_changed = bit < 8 * sizeof tag;
  if (is_changed) tag[bit / 8] ^= (uint8_t)(1 << bit % 8);
  const long error = page_in(subject->permit, address, page, tag);
  expect(error ? is_documented(error) : !is_changed);
  if (is_changed) tag[bit / 8] ^= (uint8_t)(1 << bit % 8);
  count.in += !error;
}

static void changes_registers(void) {
  user *user = &subject->user;
  const uint64_t places[] = {OUTSIDE, OWN, gate(), gate(), gate() + 4, stray() + 4 * below(STRAYS)};
  user->pc = places[below(ARRAY_LENGTH(places))];
  if (below(2)) user->x[S1] = below(10);
  for (unsigned i = 0; i < 3; i++) user->x[A0 + i] = below(2) ? any_word() : user->x[A0 + i];
}

static void changes_memory(void) {
  const uint64_t address = any_address();
  if (below(4))
    map(subject, address, any_page(), random_word() & 0xfe);
  else
    unmap(subject, address);
  if (below(2)) fence_harts();
}

// Pages of contexts read as ones, and what is written to them vanishes.
static void looks(void) {
  const process *kept = keepers[below(KEEPERS)];
  volatile uint64_t *word = words_of(kept->own[below(OWN_PAGES)]) + below(TEE_PAGE / 8);
  expect(*word == ~0UL);
  *word = random_word();
}

// What the program asks the processor for, where it does
static void asks(void) {
  for (unsigned i = 0; i < 4; i++) words_of(subject->shared[0])[i] = i ? any_word() : below(16);
}

// A context that made a call gets its result, or makes it once more; a program that is outside enters again.
static void goes_on(void) {
  if (subject->cause == USER_CALL && subject->user.x[A7] == DONE) {
    subject->user.pc = OUTSIDE;
    subject->user.x[A0] = OUTSIDE + TEE_PAGE / 2;
    subject->user.x[A1] = gate();
    subject->user.x[A7] = 0;
  }
  if (subject->cause == USER_CALL && subject->user.pc == gate() && below(4)) subject->user.pc += TEE_GATE_RESULT;
  runs(subject);
}

static void repeats_call(void) {
  process *kept = keepers[KEEPS];
  runs(kept);
  expect(kept->user.pc == gate());
}

static volatile bool others_end;
static void spins_there(process *process) {
  while (!others_end) {
    set_timer(20 + random_of(seed + 1) % 400);
    run(process);
    expect(process->cause == TIMER && process->user.pc == gate() && shows_nothing(process, false));
  }
  set_timer(0);
}

static void is_nobodys(uint64_t page) {
  volatile uint64_t *word = words_of(page) + below(TEE_PAGE / 8);
  const uint64_t written = random_word();
  *word = written;
  expect(*word == written && written != ~0UL);
}

// Whatever came of it, the program's pages are nobody's once more.
static void takes_all_back(void) {
  for (uint64_t spid = 0; spid <= MOST_CONTEXTS + 1; spid++)
    if (!is_keepers_spid(spid)) {
      const long error = kill_context(spid);
      expect(!error || error == TEE_STATE);
    }
  const long error = end_permit(subject->permit);
  expect(!error || error == TEE_INVALID);
  subject->permit = allow(subject->root, OWN, PERMITTED_PAGES);
  expect((int64_t)subject->permit >= 0);
  for (unsigned i = 0; i < OWN_PAGES; i++) is_nobodys(subject->own[i]);
  for (unsigned i = 0; i < SPARE_PAGES; i++) is_nobodys(spare[i]);
}

static void plays_a_round(void) {
  static const uint64_t works[] = {WORK_ADD,   WORK_SPIN,   WORK_CALL,   WORK_KEEP,  WORK_WRITE, WORK_RUN, WORK_FAR,
                                   WORK_ABOVE, WORK_SECOND, WORK_RESUME, WORK_STORE, WORK_ASK,   WORK_ASK, WORK_ASK};
  static void (*const steps[])(void) = {calls_microcode, changes_registers, changes_memory, looks,   asks,   pages,
                                        pages,           repeats_call,      goes_on,        goes_on, goes_on};
  begin_anew(subject, works[below(ARRAY_LENGTH(works))]);
  others_end = false;
  runs(keepers[SPINS]);
  on_other_hart(spins_there, keepers[SPINS]);
  enters();
  for (unsigned i = below(MOST_STEPS); i; i--) steps[below(ARRAY_LENGTH(steps))]();
  others_end = true;
  await_other();
  takes_all_back();
}

void boot(void) {
  open_floats();
  enable_contexts();
  start_other_hart();
  for (unsigned i = 0; i < ARRAY_LENGTH(seed); i++) seed[i] = mix64(2 * (SEED) + i) | 1;
  for (unsigned i = 0; i < SPARE_PAGES; i++) spare[i] = new_page();
  keepers[SPINS] = interrupted(WORK_SPIN);
  keepers[KEEPS] = new_process(WORK_KEEP);
  expect(run(keepers[KEEPS]) == USER_CALL && shows_nothing(keepers[KEEPS], true));
  subject = new_process(WORK_ADD);
  for (unsigned i = 0; i < ROUNDS; i++) {
    print("round %u\n", i);
    plays_a_round();
  }
  print("calls %u, runs %u: interrupted %u, called %u, refused %u, faults %u, illegal %u, pages out %u, in %u\n",
        count.calls, count.runs, count.interrupted, count.called, count.refused, count.faults, count.illegal, count.out,
        count.in);
  // So many rounds have all of these
  if (ROUNDS >= 16) expect(count.interrupted && count.refused && count.faults && count.illegal);
  // Nothing of them is left that would keep a program from what it does
  begin_anew(subject, WORK_ADD);
  const uint64_t sum = fill_shared(subject);
  expect(finish(subject) == sum);
  for (unsigned i = 0; i < KEEPERS; i++) {
    keepers[i]->user.pc = gate() + (i == KEEPS ? TEE_GATE_RESULT : 0);
    expect((i == KEEPS ? finish(keepers[i]) : released(keepers[i])) == 0 && is_cleared(keepers[i]));
  }
  end_run();
}
