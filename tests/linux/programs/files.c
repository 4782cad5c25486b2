// Files in a file system in memory: written in parts, read back in others, checked, extended and removed.
#include "hauberk.h"
#include "system.h"

#define FILES 2
#define WORDS 1024  // of a file: 8 KiB, two pages
#define PART 1000   // bytes of a write

static uint64_t written[WORDS], read_back[WORDS];
RESULTS static uint64_t digests[FILES];

static const char *path(unsigned file) {
  static char name[] = "/tmp/file0";
  name[sizeof name - 2] = (char)('0' + file);
  return name;
}

static void write_all(unsigned file) {
  const uint8_t *bytes = (const uint8_t *)written;
  for (unsigned i = 0; i < WORDS; i++) written[i] = mix64(file * WORDS + i);
  const long opened = open_file(path(file), CREATE_AND_WRITE);
  expect(opened >= 0, "a file can be created");
  for (size_t done = 0; done < sizeof written;) {
    const size_t part = sizeof written - done < PART ? sizeof written - done : PART;
    const long count = write_file(opened, bytes + done, part);
    expect(count > 0, "a file takes what is written");
    done += (size_t)count;
  }
  close_file(opened);
}

static void read_all(unsigned file) {
  uint8_t *bytes = (uint8_t *)read_back;
  const long opened = open_file(path(file), READ_ONLY);
  size_t done = 0;
  for (long count = 1; count > 0 && done < sizeof read_back; done += (size_t)count) {
    count = read_file(opened, bytes + done, sizeof read_back - done);
    expect(count >= 0, "a file can be read");
  }
  close_file(opened);
  expect(done == sizeof read_back, "a file is as long as what was written");
}

int main(void) {
  kernel_begin();
  for (unsigned file = 0; file < FILES; file++) write_all(file);
  bool right = true;
  for (unsigned file = 0; file < FILES; file++) {
    read_all(file);
    for (unsigned i = 0; i < WORDS; i++) right = right && read_back[i] == mix64(file * WORDS + i);
    digests[file] = fnv1a(FNV_OFFSET, read_back, sizeof read_back);
  }
  for (unsigned file = 0; file < FILES; file++)
    right = right && SYSTEM_CALL3(unlinkat, AT_CURRENT_FOLDER, path(file), 0) == 0;
  kernel_end();
  expect(right, "what is read is what was written");
  expect(open_file(path(0), READ_ONLY) < 0, "a file that was removed is not there");
  return 0;
}
