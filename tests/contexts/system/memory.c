// What a context sees of memory that is not its own, and the kernel of what is the microcode's
#include "kernel.h"

// What the kernel maps outside is not the context's own, and what is another's reads as ones.
void is_mapped_twice(void) {
  process *process = new_process(WORK_ADD), *other = interrupted(WORK_SPIN);
  const uint64_t sum = fill_shared(process);
  map(process, SHARED + TEE_PAGE, process->own[CODE_PAGES], USER_DATA);
  expect(run(process) == LOAD_PAGE && process->value == SHARED + TEE_PAGE);
  map(process, SHARED + TEE_PAGE, process->own[OWN_PAGES - 1], USER_DATA);
  expect(run(process) == LOAD_PAGE && process->value == SHARED + TEE_PAGE);
  // The microcode's own
  map(process, SHARED + TEE_PAGE, MICROCODE_BASE, USER_DATA);
  expect(run(process) == LOAD_ACCESS);
  map(process, SHARED + TEE_PAGE, other->own[0], USER_DATA);
  uint64_t with_ones = SECRET;
  for (unsigned i = 0; i < SUM_WORDS; i++) with_ones += i < TEE_PAGE / 8 ? 3 * i : ~0UL;
  expect(finish(process) == with_ones && with_ones != sum);
  expect(released(other) == 0);
}

// More tables than there are, and a load from two pages
void sees_much(void) {
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
void sees_as_mapped(void) {
  process *process = new_process(WORK_STORE), *other = interrupted(WORK_SPIN);
  static const struct {
    uint64_t bits, cause;
  } bits[] = {{READ | WRITE | ACCESSED | DIRTY, LOAD_PAGE}, {USER | EXECUTE | ACCESSED, LOAD_PAGE},
              {USER_DATA | 1UL << 54, LOAD_PAGE},           {USER | READ | ACCESSED | DIRTY, STORE_PAGE},
              {USER | READ | WRITE | ACCESSED, STORE_PAGE}, {READ | WRITE | ACCESSED | DIRTY, STORE_PAGE}};
  words_of(process->shared[0])[0] = 5;
  for (unsigned i = 0; i < ARRAY_LENGTH(bits); i++) {
    map(process, SHARED, process->shared[0], bits[i].bits);
    expect(run(process) == bits[i].cause && process->value == SHARED);
  }
  map(process, SHARED, process->shared[0], USER_DATA);
  expect(finish(process) == 0 && words_of(process->shared[0])[1] == 6);
  process = new_process(WORK_FAR);
  // Tables in a device, in the microcode, in another context, and nowhere
  const uint64_t tables[] = {0x10000000, MICROCODE_BASE, other->own[0], 1UL << 40};
  for (unsigned i = 0; i < ARRAY_LENGTH(tables); i++) {
    set_table(process, FAR, tables[i]);
    expect(run(process) == LOAD_PAGE && process->value == FAR);
  }
  // In the context itself, where its data are: a word of these would be a page that may be accessed
  set_table(process, FAR, process->own[CODE_PAGES]);
  expect(run(process) == LOAD_PAGE && process->value == FAR);
  expect(released(other) == 0);
  // A large page, and one that is none for it does not begin where it should
  const uint64_t large = new_large_page();
  for (unsigned i = 0; i < FAR_PAGES; i++) map_large(process, FAR + i * TEE_ALIGNMENT, large + TEE_PAGE);
  expect(run(process) == LOAD_PAGE && process->value == FAR);
  for (unsigned i = 0; i < FAR_PAGES; i++) map_large(process, FAR + i * TEE_ALIGNMENT, large);
  words_of(large)[0] = 11;
  expect(finish(process) == 2 * FAR_PAGES * 11);
}

// Registers of guard, hasher and page clearer are closed to the kernel, and so is the microcode.
void is_closed(void) {
  static const uint64_t closed[] = {0x10060000, 0x10060010,     0x10060100,
                                    0x10070000, 0x10071000,     0x10071010,
                                    0x1007fff8, MICROCODE_BASE, MICROCODE_BASE + MICROCODE_BYTES - 8};
  for (unsigned i = 0; i < ARRAY_LENGTH(closed); i++) {
    expect(cause_of_load(closed[i]) == LOAD_ACCESS);
    expect(cause_of_store(closed[i]) == STORE_ACCESS);
  }
  expect(cause_of_fetch(MICROCODE_BASE) == FETCH_ACCESS);
  expect(cause_of_fetch(MICROCODE_BASE + MICROCODE_BYTES - 8) == FETCH_ACCESS);
  expect(cause_of_load(0x80200000) == 0);
}
