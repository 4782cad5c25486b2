// What memory protector and secure bus count, from their driver: alone all of it, a line each, such as
// `engine0.hits 1234`; as `hauberk-stat -- COMMAND ...` what was counted while the command ran, without what stayed
// zero. The counters count for the whole machine: whatever else ran is in them, too.
#include "hauberk.h"
#include "system.h"

#define FILES 2
static const char *const files[FILES] = {
    "/sys/bus/platform/drivers/hauberk-memory-protector/10010000.memory-protector/statistics",
    "/sys/bus/platform/drivers/hauberk-secure-bus/10030000.secure-bus/statistics"};
#define TEXT_SIZE 4096

// Of a device that is not there, nothing.
static void read_statistics(const char *path, char *text) {
  size_t used = 0;
  const long file = open_file(path, READ_ONLY);
  for (long size; file >= 0 && (size = read_file(file, text + used, TEXT_SIZE - 1 - used)) > 0;) used += (size_t)size;
  if (file >= 0) close_file(file);
  text[used] = 0;
}

// The number at the end of a line; its end is the next line, or the end of the text.
static uint64_t number_of(const char *line, const char **end) {
  uint64_t number = 0;
  while (*line && *line != ' ') line++;
  for (; *line && *line != '\n'; line++)
    if (*line >= '0' && *line <= '9') number = 10 * number + (uint64_t)(*line - '0');
  *end = *line ? line + 1 : line;
  return number;
}

// The driver names the counters in the same order each time.
static void show(const char *before, const char *after) {
  while (*after) {
    const char *end, *before_end = before;
    const uint64_t counted = number_of(after, &end) - (*before ? number_of(before, &before_end) : 0);
    if (counted) {
      for (const char *at = after; *at != ' '; at++) print("%c", *at);
      print(" %lu\n", counted);
    }
    before = before_end;
    after = end;
  }
}

int tool_main(int count, char *words[]) {
  static char before[FILES][TEXT_SIZE], after[FILES][TEXT_SIZE];
  int first = 1;
  unsigned code = 0;
  if (count > 1 && words[1][0] == '-' && words[1][1] == '-' && !words[1][2]) first = 2;
  if (count == 2 && first == 2) {
    print("hauberk-stat: name a command behind --\n");
    return 2;
  }
  if (count > first) {
    for (unsigned i = 0; i < FILES; i++) read_statistics(files[i], before[i]);
    code = run(words + first);
  }
  for (unsigned i = 0; i < FILES; i++) read_statistics(files[i], after[i]);
  if (!after[0][0] && !after[1][0]) print("protection none\n");
  for (unsigned i = 0; i < FILES; i++) show(before[i], after[i]);
  return (int)code;
}
