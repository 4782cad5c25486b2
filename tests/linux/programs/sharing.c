// Processes that swap pages in shared memory: each takes what another put there and puts its own in its place, round
// after round, while a third of their memory is copied on write.
#include "hauberk.h"
#include "system.h"

#define PROCESSES 3
#define ROUNDS 3
#define WORDS 512  // of a page
#define BYTES 4096

typedef struct {
  uint64_t pages[PROCESSES][WORDS];
  barrier meeting;
} shared_memory;

static shared_memory *shared;
static uint64_t own[WORDS];
RESULTS static uint64_t ends[PROCESSES];

static uint64_t content(unsigned owner, unsigned word) { return mix64(owner * WORDS + word); }

// Everybody's page moves one place on in each round.
static void swap(unsigned process) {
  for (unsigned i = 0; i < WORDS; i++) own[i] = content(process, i);
  for (unsigned round = 0; round < ROUNDS; round++) {
    barrier_wait(&shared->meeting, PROCESSES);
    uint64_t *place = shared->pages[(process + round) % PROCESSES];
    const unsigned owner = (process + 1) % PROCESSES;
    bool right = true;
    for (unsigned i = 0; i < WORDS; i++) {
      right = right && (round == 0 ? place[i] == 0 : place[i] == content(owner, i));
      place[i] = own[i];
    }
    expect(right, "a page holds what the next process put there");
  }
}

int main(void) {
  shared = map_pages((sizeof *shared + BYTES - 1) / BYTES * BYTES, 1);
  expect((long)shared > 0, "memory can be shared");
  for (unsigned i = 0; i < WORDS; i++) own[i] = content(0, i);
  long children[PROCESSES];
  kernel_begin();
  for (unsigned process = 1; process < PROCESSES; process++) {
    children[process] = fork_process();
    if (children[process] == 0) {
      swap(process);
      end_process(0);
    }
    expect(children[process] > 0, "a process can be forked");
  }
  swap(0);
  for (unsigned process = 1; process < PROCESSES; process++) {
    int status = -1;
    wait_for(children[process], &status);
    expect(went_well(status), "every process ends well");
  }
  kernel_end();
  for (unsigned process = 0; process < PROCESSES; process++) {
    expect(own[process] == content(0, process), "what a child wrote, its parent does not see");
    for (unsigned i = 0; i < WORDS; i++) ends[process] += shared->pages[process][i];
  }
  return 0;
}
