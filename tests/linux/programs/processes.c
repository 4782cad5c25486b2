// Processes that pass a page on through pipes: a ring of four, forked from one, each of which changes what it was
// given. The rest of their memory is what their parent had: what one writes there, no other may see.
#include "hauberk.h"
#include "system.h"

#define PROCESSES 4
#define ROUNDS 2
#define WORDS 512  // a page

static uint64_t page[WORDS];
static uint64_t own[WORDS];  // copied on write
static int pipes[PROCESSES + 1][2];
RESULTS static uint64_t sums[ROUNDS];

static void transfer(long (*move)(long, void *, size_t), int end) {
  uint8_t *bytes = (uint8_t *)page;
  for (size_t done = 0; done < sizeof page;) {
    const long count = move(end, bytes + done, sizeof page - done);
    expect(count > 0, "a pipe takes and gives what is left");
    done += (size_t)count;
  }
}
static long read_part(long end, void *bytes, size_t size) { return read_file(end, bytes, size); }
static long write_part(long end, void *bytes, size_t size) { return write_file(end, bytes, size); }

// What a process does to the page: it adds to each word what only its own memory holds.
static void change(unsigned process) {
  for (unsigned i = 0; i < WORDS; i++) page[i] += own[i] ^ process;
}

static void serve(unsigned process) {
  for (unsigned i = 0; i < WORDS; i++) own[i] = mix64(process * WORDS + i);
  for (unsigned round = 0; round < ROUNDS; round++) {
    transfer(read_part, pipes[process][0]);
    change(process);
    transfer(write_part, pipes[process + 1][1]);
  }
  end_process(0);
}

// The same page, by arithmetic, without another process.
static uint64_t expected(unsigned round, unsigned word) {
  uint64_t sum = mix64(round) + word;
  for (unsigned process = 0; process < PROCESSES; process++) sum += mix64(process * WORDS + word) ^ process;
  return sum;
}

int main(void) {
  long children[PROCESSES];
  for (unsigned i = 0; i <= PROCESSES; i++) expect(make_pipe(pipes[i]) == 0, "there are pipes");
  for (unsigned i = 0; i < WORDS; i++) own[i] = i;
  kernel_begin();
  for (unsigned process = 0; process < PROCESSES; process++) {
    children[process] = fork_process();
    if (children[process] == 0) serve(process);
    expect(children[process] > 0, "a process can be forked");
  }
  bool right = true;
  for (unsigned round = 0; round < ROUNDS; round++) {
    for (unsigned i = 0; i < WORDS; i++) page[i] = mix64(round) + i;
    transfer(write_part, pipes[0][1]);
    transfer(read_part, pipes[PROCESSES][0]);
    for (unsigned i = 0; i < WORDS; i++) {
      right = right && page[i] == expected(round, i);
      sums[round] += page[i];
    }
  }
  kernel_end();
  expect(right, "the page went through every process");
  for (unsigned i = 0; i < WORDS; i++) expect(own[i] == i, "what a child wrote, its parent does not see");
  for (unsigned process = 0; process < PROCESSES; process++) {
    int status = -1;
    wait_for(children[process], &status);
    expect(went_well(status), "every process ends well");
  }
  return 0;
}
