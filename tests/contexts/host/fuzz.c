// An operating system and memory that lie together, against the microcode: random calls, while memory answers what it
// likes. Machine mode never writes, reads, hashes or releases what memory says, unless the guard's table says the same.
//
//   fuzz SEED LIES   until memory has told so many lies; prints what happened, and fails if anything must not have
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "system.h"

#define OPERATIONS 60  // of a life
#define ENOUGH 20      // of what must not happen
#define CAUSES 6

// What is to come about in a run, or it has shown nothing
typedef struct {
  model_counts model;
  uint64_t lives, operations, entered, refused, mapped, away, resumed, keys, ended, killed, out, in, ended_permits;
} run_counts;
static run_counts *run;

static void crashed(int signal, siginfo_t *information, void *context) {
  (void)signal, (void)context;
  must_not("takes a fault at", (uint64_t)information->si_addr, &counts->others);
}

// What a context's tables map outside is none of its own pages.
static void check_outside(unsigned spid) {
  const context *of = &contexts[spid - 1];
  for (unsigned i = of->fixed; i < of->used; i++)
    for (unsigned entry = 0; !(of->place[i] & 3) && entry < TEE_PAGE / 8; entry++) {
      const uint64_t page = page_of(words_at(of->table[i])[entry]);
      if (is_in_dram(page) && model.owner[number_of(page)] == spid)
        must_not("maps outside a page that is the context's,", page, &counts->others);
    }
}

// A row that is free has no pages; another has as many as it counts.
static void check_rows(void) {
  unsigned pages[MOST_CONTEXTS + 1] = {0};
  for (unsigned i = 0; i < DRAM_PAGES; i++) pages[model.owner[i]]++;
  for (unsigned i = 0; i < context_count(); i++)
    if (pages[i + 1] != contexts[i].pages || (contexts[i].state == FREE && pages[i + 1]))
      must_not("forgets pages of context", i + 1, &counts->others);
  for (unsigned i = 0; i < context_count(); i++) check_outside(i + 1);
}

static void in_context_goes_on(process *process) {
  static const uint64_t causes[CAUSES] = {8, 2, CAUSE_FETCH_PAGE, CAUSE_LOAD_PAGE, CAUSE_STORE_PAGE, 7};
  switch (any_of(8)) {
    case 0:
      model.must_clear = true;
      run->ended += instruction(process, TEE_EXIT) && !in_context();
      return;
    case 1:
      run->keys += instruction(process, TEE_SET_KEY) && model.csrs[model.hart].mepc != process->program.start;
      return;
    case 2:
      context_fence();
      flush_tlb();  // which it leaves to who calls it
      return;
    case 3:
      trap(causes[any_of(CAUSES)], any_of(2) ? process->program.start : random_word());
      break;
    default:
      trap(CAUSE_LOAD_PAGE + 2 * any_of(2), SHARED + any_of(SHARED_PAGES + 1) * TEE_PAGE);
  }
  run->mapped += in_context();
  run->away += !in_context();
}

static void outside_goes_on(process *process) {
  switch (any_of(8)) {
    case 0:
      model.must_clear = true;
      run->killed += !context_call(TEE_SBI_KILL, (uint64_t[]){any_of(4)}).error;
      break;
    case 1:
      model.must_clear = true;
      run->ended_permits += !context_call(TEE_SBI_END, (uint64_t[]){process->permit}).error;
      permit(process);
      break;
    case 2:
      instruction(process, TEE_RESUME);
      break;
    case 3:
      run->out += goes_out(process);
      break;
    case 4:
      run->in += comes_back(process);
      break;
    case 5:
      spoil(process);
      break;
    default:
      instruction(process, TEE_ENTER);
      run->entered += in_context();
      run->refused += !in_context();
  }
}

static void live(uint64_t seed) {
  static const unsigned levels[] = {0, 1, 4, 16, 64, 256};
  model.random = seed;
  const unsigned level = levels[any_of(ARRAY_LENGTH(levels))];
  model.is_honest = !level;
  begin_system();
  for (unsigned i = 0; i < OPERATIONS; i++) {
    model.hart = any_of(MAX_HARTS);
    model.accesses = 0;
    model.must_clear = false;
    fill_caches();
    // Honest ones between bring more about
    model.lies = any_of(2) ? level : 0;
    model.spares = any_of(2);
    const bool was_in_context = in_context();
    if (__builtin_setjmp(leave)) {
      run->resumed += in_context() && !was_in_context;
    } else {
      process *process = process_on_hart();
      if (was_in_context)
        in_context_goes_on(process);
      else
        outside_goes_on(process);
    }
    check_caches();
    run->operations++;
    check_rows();
  }
}

static void report(unsigned long seed) {
  const model_counts *of = &run->model;
  printf(
      "seed %lu: %lu lies among %lu answers of memory, in %lu operations of %lu lives, %lu stopped: %lu writes where "
      "memory says, %lu pages released, %lu without an end, %lu others\n",
      seed, of->lies, of->answers, run->operations, run->lives, of->stopped, of->writes, of->releases, of->endless,
      of->others);
  printf(
      "contexts entered %lu, refused %lu, put away %lu, resumed %lu, with keys %lu, ended %lu, killed %lu, %lu by "
      "permits; pages mapped %lu, out %lu, in %lu\n",
      run->entered, run->refused, run->away, run->resumed, run->keys, run->ended, run->killed, run->ended_permits,
      run->mapped, run->out, run->in);
}

static bool has_tried(void) {
  return run->model.stopped && run->entered && run->refused && run->mapped && run->away && run->resumed && run->keys &&
         run->ended && run->killed && run->ended_permits && run->out && run->in;
}

static uint64_t violations(void) {
  return run->model.writes + run->model.releases + run->model.endless + run->model.others;
}

int main(int count, char **arguments) {
  const unsigned long seed = count > 1 ? strtoul(arguments[1], NULL, 0) : 1;
  const unsigned long wanted = count > 2 ? strtoul(arguments[2], NULL, 0) : 100000;
  run = mmap(NULL, sizeof *run, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  counts = &run->model;
  make_model();
  watch();
  const struct sigaction on_crash = {.sa_sigaction = crashed, .sa_flags = SA_SIGINFO};
  sigaction(SIGSEGV, &on_crash, NULL);
  sigaction(SIGBUS, &on_crash, NULL);
  for (; run->model.lies < wanted && run->lives < wanted && violations() < ENOUGH; run->lives++) {
    const uint64_t life = mix64(seed << 32 ^ run->lives);
    fflush(stdout);
    const pid_t child = fork();
    if (child < 0) return 1;
    if (!child) {
      live(life);
      fflush(stdout);
      _exit(0);
    }
    int status;
    waitpid(child, &status, 0);
    if (!WIFEXITED(status)) return 1;
    if (WEXITSTATUS(status) == 3) printf("  in life %lu\n", run->lives);
  }
  report(seed);
  if (!has_tried()) printf("something was not tried\n");
  return has_tried() && !violations() ? 0 : 1;
}
