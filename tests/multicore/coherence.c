// Random accesses of all harts to a few cache lines, for long: loads, stores, atomic operations, LR/SC and critical
// sections, to words that all write (true sharing) and to words and bytes of one hart each beside them (false sharing).
// Half of the lines fall into one set of the L1, which has fewer ways: so they come and go through DRAM as well.
// The default is what a simulator does in minutes; build/coherence-N.riscv makes N accesses on each hart.
//
// Check: what a store leaves names its place, its writer, and a number that the writer counts up. So a hart that reads
// anything but what it has met last must find a newer number of that writer, whatever the order of the harts. Sums by
// atomic operations never fall and are exact in the end, words under a lock change together, and the last number that
// stays in a word is the last its writer wrote. Which values come in between is up to the harts; for equal results all
// of them make the same accesses, each beginning elsewhere.
#include "hauberk.h"

#ifndef ACCESSES
#define ACCESSES 100000
#endif

#define LINES 12
#define WAY_LINES 64  // from a line to the next of its set
#define SECTIONS 4

typedef struct {
  _Alignas(CACHE_LINE) volatile uint64_t stamps[2];  // of the hart that wrote last
  volatile uint32_t numbers[MAX_HARTS];              // each of its hart
  volatile uint8_t bytes[2 * MAX_HARTS];             // the same, narrower
  uint64_t sum;                                      // by atomic addition
  uint64_t linked_sum;                               // by LR/SC
  uint32_t parity;                                   // by atomic exclusive-or
  uint32_t largest;                                  // by atomic maximum
} line;

typedef struct {
  spin_lock lock;
  _Alignas(CACHE_LINE) volatile uint32_t holder;  // hart and 1
  volatile uint64_t first;
  _Alignas(CACHE_LINE) volatile uint64_t second;  // always what `first` is, for those who hold the lock
} section;

// What a hart knows of a line, and in the end what it did to it.
typedef struct {
  uint64_t stamps[2];               // met last
  uint64_t newest[2][MAX_HARTS];    // number of each writer, one's own included
  uint32_t numbers[MAX_HARTS];      // met last
  uint8_t bytes[2];                 // own
  uint64_t sum, linked_sum;         // met last
  uint32_t largest;                 // met last
  uint64_t added, linked;           // own shares of the sums
  uint32_t parity, largest_of_own;  // own shares
} view;

typedef struct {
  _Alignas(CACHE_LINE) view lines[LINES];
  uint64_t added[SECTIONS];
} notes;

static NOINIT line arena[LINES / 2 * WAY_LINES];  // 24 KiB, of which 12 lines are used
static section sections[SECTIONS];
static notes notes_of[MAX_HARTS];
static RESULTS uint64_t sums[LINES][3], section_sums[SECTIONS];

// Even lines are of one set, odd ones neighbours.
static line *line_at(unsigned index) { return &arena[index % 2 ? index / 2 + 1 : index / 2 * WAY_LINES]; }

// Number, place, writer
static uint64_t stamp_of(uint64_t number, unsigned index, unsigned word, unsigned hart) {
  return number << 16 | index << 8 | word << 4 | hart;
}

static void meet_stamp(view *known, unsigned index, unsigned word, uint64_t stamp) {
  if (stamp == known->stamps[word]) return;
  unsigned writer = stamp % MAX_HARTS;
  expect((stamp & 0xffff) == stamp_of(0, index, word, writer), "a stamp is in its place");
  expect(stamp >> 16 > known->newest[word][writer], "no hart meets an older stamp after a newer one");
  known->newest[word][writer] = stamp >> 16;
  known->stamps[word] = stamp;
}

// The next stamp of this hart, which counts as met.
static uint64_t next_stamp(view *known, unsigned index, unsigned word, unsigned hart) {
  known->stamps[word] = stamp_of(++known->newest[word][hart], index, word, hart);
  return known->stamps[word];
}

static void swap_stamp(line *at, view *known, unsigned index, unsigned word, unsigned hart) {
  uint64_t stamp = stamp_of(known->newest[word][hart] + 1, index, word, hart);
  meet_stamp(known, index, word, __atomic_exchange_n(&at->stamps[word], stamp, __ATOMIC_RELAXED));
  next_stamp(known, index, word, hart);
}

static void read_number(const line *at, view *known, unsigned writer, unsigned hart) {
  uint32_t number = at->numbers[writer];
  expect(writer == hart ? number == known->numbers[hart] : number >= known->numbers[writer],
         "numbers only one hart writes do not fall");
  known->numbers[writer] = number;
}

static void meet_sum(uint64_t *met, uint64_t sum, uint64_t added) {
  expect(sum >= *met, "a sum does not fall");
  *met = sum + added;
}

static uint64_t add_linked(uint64_t *sum, uint64_t added) {
  uint64_t before, after, failed;
  __asm__ volatile(
      "1: lr.d %0, (%3)\n"
      "add %1, %0, %4\n"
      "sc.d %2, %1, (%3)\n"
      "bnez %2, 1b"
      : "=&r"(before), "=&r"(after), "=&r"(failed)
      : "r"(sum), "r"(added)
      : "memory");
  return before;
}

static void add_parity_and_largest(line *at, view *known, unsigned hart, uint32_t value) {
  uint32_t pattern = value << hart;
  __atomic_fetch_xor(&at->parity, pattern, __ATOMIC_RELAXED);
  known->parity ^= pattern;
  uint32_t before;
  __asm__ volatile("amomaxu.w %0, %1, (%2)" : "=r"(before) : "r"(value), "r"(&at->largest) : "memory");
  expect(before >= known->largest, "a maximum does not fall");
  known->largest = before > value ? before : value;
  if (value > known->largest_of_own) known->largest_of_own = value;
}

static void add_in_section(section *guarded, uint64_t *share, unsigned hart, uint64_t added) {
  spin_acquire(&guarded->lock);
  expect(guarded->holder == 0, "nobody is in a section when one enters it");
  guarded->holder = hart + 1;
  uint64_t sum = guarded->first;
  guarded->first = sum + added;
  expect(guarded->second == sum, "the words of a section change together");
  guarded->second = sum + added;
  expect(guarded->holder == hart + 1, "nobody enters a section while one is in it");
  guarded->holder = 0;
  spin_release(&guarded->lock);
  *share += added;
}

static void make_access(notes *own, unsigned hart, uint64_t random) {
  unsigned index = random % LINES, word = random >> 16 & 1, writer = (random >> 20) % MAX_HARTS;
  uint32_t value = random >> 40;
  line *at = line_at(index);
  view *known = &own->lines[index];
  switch (random >> 32 & 15) {
    case 0:
    case 1:
    case 2:
    case 3:
      meet_stamp(known, index, word, at->stamps[word]);
      break;
    case 4:
    case 5:
      at->stamps[word] = next_stamp(known, index, word, hart);
      break;
    case 6:
      swap_stamp(at, known, index, word, hart);
      break;
    case 7:
    case 8:
      read_number(at, known, writer, hart);
      break;
    case 9:
      at->numbers[hart] = ++known->numbers[hart];
      break;
    case 10:
      expect(at->bytes[2 * hart + word] == known->bytes[word], "a byte only one hart writes is what it wrote");
      at->bytes[2 * hart + word] = ++known->bytes[word];
      break;
    case 11:
      meet_sum(&known->sum, __atomic_fetch_add(&at->sum, value, __ATOMIC_RELAXED), value);
      known->added += value;
      break;
    case 12:
      meet_sum(&known->linked_sum, add_linked(&at->linked_sum, value), value);
      known->linked += value;
      break;
    case 13:
      meet_sum(&known->sum, __atomic_load_n(&at->sum, __ATOMIC_RELAXED), 0);
      break;
    case 14:
      add_parity_and_largest(at, known, hart, value);
      break;
    default:
      add_in_section(&sections[writer % SECTIONS], &own->added[writer % SECTIONS], hart, value);
  }
}

static void make_accesses(unsigned hart, unsigned harts) {
  (void)harts;  // each makes them all
  unsigned first = ACCESSES / MAX_HARTS * hart;
  for (unsigned i = first; i < ACCESSES; i++) make_access(&notes_of[hart], hart, mix64(i));
  for (unsigned i = 0; i < first; i++) make_access(&notes_of[hart], hart, mix64(i));
}

static void check_line(unsigned index, unsigned harts) {
  const line *at = line_at(index);
  view all = {0};
  for (unsigned word = 0; word < 2; word++) {
    unsigned writer = at->stamps[word] % MAX_HARTS;
    uint64_t number = notes_of[writer].lines[index].newest[word][writer];
    expect(at->stamps[word] == stamp_of(number, index, word, writer), "the stamp that stays is its writer's last");
  }
  for (unsigned hart = 0; hart < harts; hart++) {
    const view *known = &notes_of[hart].lines[index];
    expect(at->numbers[hart] == known->numbers[hart], "the last number stays");
    for (unsigned word = 0; word < 2; word++) {
      expect(at->bytes[2 * hart + word] == known->bytes[word], "the last byte stays");
    }
    all.added += known->added;
    all.linked += known->linked;
    all.parity ^= known->parity;
    if (known->largest_of_own > all.largest) all.largest = known->largest_of_own;
  }
  expect(at->sum == all.added, "no atomic addition is lost");
  expect(at->linked_sum == all.linked, "no addition by LR/SC is lost");
  expect(at->parity == all.parity && at->largest == all.largest, "no atomic exclusive-or or maximum is lost");
  sums[index][0] = at->sum / harts;
  sums[index][1] = at->linked_sum / harts;
  sums[index][2] = at->largest;
}

static void check_section(unsigned index, unsigned harts) {
  uint64_t added = 0;
  for (unsigned hart = 0; hart < harts; hart++) added += notes_of[hart].added[index];
  expect(sections[index].first == added && sections[index].second == added, "no addition under a lock is lost");
  section_sums[index] = added / harts;
}

int main(void) {
  memset(arena, 0, sizeof arena);
  for (unsigned index = 0; index < LINES; index++) {
    for (unsigned word = 0; word < 2; word++) {
      uint64_t stamp = stamp_of(0, index, word, 0);
      line_at(index)->stamps[word] = stamp;
      for (unsigned hart = 0; hart < MAX_HARTS; hart++) notes_of[hart].lines[index].stamps[word] = stamp;
    }
  }

  kernel_begin();
  on_every_hart(make_accesses);
  kernel_end();

  for (unsigned index = 0; index < LINES; index++) check_line(index, hart_count());
  for (unsigned index = 0; index < SECTIONS; index++) check_section(index, hart_count());
  return 0;
}
