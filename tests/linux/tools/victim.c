// What an attack on memory is tried on: a page of the page cache, which is a file's, and a page of the kernel, which
// has the machine's name. Each has old contents and then new ones, both of which memory gets to hold; then, for a
// while, this program looks at neither; then it says what it finds: `victim: WHAT holds old`, `new` or `neither`.
//
// It says where the file's pages are and in which cycles what was done, so that the same run, repeated, can be
// attacked.
#include "hauberk.h"
#include "system.h"

#define EVICTED 0x100000  // to read so much empties the caches, the protector's, too
#define WAIT 1000000      // cycles in which an attacker may strike
#define NAME_FIELD 65     // of struct new_utsname

static uint64_t contents[PAGE_SIZE / 8];
static const char *const names[] = {"old", "new"};

static void fill(unsigned age) {
  for (unsigned i = 0; i < PAGE_SIZE / 8; i++) contents[i] = mix64(age * PAGE_SIZE + i);
}

static void write_file_of(unsigned age) {
  fill(age);
  const long file = open_file("/tmp/victim", 1 | 0100);  // O_WRONLY | O_CREAT: the same page as before
  expect(write_file(file, contents, PAGE_SIZE) == PAGE_SIZE, "the file takes a page");
  close_file(file);
}

// Physical addresses are in /proc/self/pagemap, a word for each page: its frame, and in the last bit that it is there.
static uint64_t frame_of(const void *page) {
  uint64_t entry = 0;
  const long map = open_file("/proc/self/pagemap", READ_ONLY);
  expect(SYSTEM_CALL4(pread64, map, &entry, 8, (uint64_t)(uintptr_t)page / PAGE_SIZE * 8) == 8 && entry >> 63,
         "the page is there");
  close_file(map);
  return (entry & ((1UL << 55) - 1)) * PAGE_SIZE;
}

static uint64_t address_of_file(void) {
  const long file = open_file("/tmp/victim", READ_ONLY);
  const volatile uint64_t *page = map_page(file, 0);
  expect(page[0] == contents[0], "the file can be mapped");
  const uint64_t address = frame_of((const void *)page);
  SYSTEM_CALL2(munmap, page, PAGE_SIZE);
  close_file(file);
  return address;
}

// Reads other memory until nothing of the victims is in a cache.
static void evict(void) {
  static const volatile uint8_t *other;
  if (!other) {
    other = map_pages(EVICTED, 0);
    for (size_t i = 0; i < EVICTED; i += PAGE_SIZE) ((volatile uint8_t *)other)[i] = 1;
  }
  for (size_t i = 0; i < EVICTED; i += CACHE_LINE) (void)other[i];
}

static const char *age_of_file(void) {
  static uint64_t found[PAGE_SIZE / 8];
  const long file = open_file("/tmp/victim", READ_ONLY);
  read_file(file, found, PAGE_SIZE);
  close_file(file);
  for (unsigned age = 0; age < 2; age++) {
    fill(age);
    if (memcmp(found, contents, PAGE_SIZE) == 0) return names[age];
  }
  return "neither";
}

static const char *age_of_name(void) {
  static char fields[6][NAME_FIELD];  // struct new_utsname: system, node, ...
  SYSTEM_CALL1(uname, fields);
  for (unsigned age = 0; age < 2; age++)
    if (memcmp(fields[1], names[age], 4) == 0) return names[age];
  return "neither";
}

int tool_main(int count, char *words[]) {
  (void)count, (void)words;
  for (unsigned age = 0; age < 2; age++) {
    write_file_of(age);
    SYSTEM_CALL2(sethostname, names[age], 3);
    if (age == 0) print("victim: file at %lx\n", address_of_file());
    evict();
    print("victim: %s in memory at %lu\n", names[age], read_cycles());
    flush_output();
  }
  for (const uint64_t begun = read_cycles(); read_cycles() - begun < WAIT;) {
  }
  print("victim: looks at %lu\n", read_cycles());
  print("victim: file holds %s\n", age_of_file());
  print("victim: kernel holds %s\n", age_of_name());
  return 0;
}
