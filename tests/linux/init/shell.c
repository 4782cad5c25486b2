// A shell for whoever types at the console: a command a line, words between blanks; programs are looked for in /bin.
#include "init.h"

#define WORDS 8

typedef struct {
  uint64_t inode;
  int64_t offset;
  uint16_t length;
  uint8_t kind;
  char name[];
} folder_entry;

static bool is(const char *word, const char *other) {
  while (*word && *word == *other) word++, other++;
  return *word == *other;
}

static void list(const char *path) {
  static _Alignas(8) uint8_t entries[2048];
  const long folder = open_file(path, READ_ONLY);
  if (folder < 0) print("there is no %s\n", path);
  for (long size; folder >= 0 && (size = SYSTEM_CALL3(getdents64, folder, entries, sizeof entries)) > 0;)
    for (long at = 0; at < size; at += ((folder_entry *)(entries + at))->length)
      print("%s\n", ((folder_entry *)(entries + at))->name);
  close_file(folder);
}

static void show(const char *path) {
  static char part[512];
  const long file = open_file(path, READ_ONLY);
  if (file < 0) print("there is no %s\n", path);
  flush_output();
  for (long size; file >= 0 && (size = read_file(file, part, sizeof part)) > 0;) write_file(1, part, (size_t)size);
  close_file(file);
}

static void run_program(char *words[]) {
  const unsigned code = run(words);
  if (code) print("exit code %u\n", code);
}

// Whether the shell goes on.
static bool obey(char *line) {
  char *words[WORDS + 1] = {NULL};
  unsigned count = 0;
  for (char *at = line; *at; at++) {
    const bool is_first = at == line || at[-1] == 0;
    if (*at <= ' ')
      *at = 0;
    else if (is_first && count < WORDS)
      words[count++] = at;
  }
  if (count == 0) return true;
  if (is(words[0], "exit")) return false;
  if (is(words[0], "ls"))
    list(count > 1 ? words[1] : "/bin");
  else if (is(words[0], "cat") && count > 1)
    show(words[1]);
  else if (is(words[0], "help"))
    print("ls [FOLDER], cat FILE, exit, or a program of /bin with its arguments\n");
  else
    run_program(words);
  return true;
}

void shell(void) {
  static char line[256];
  do {
    print("hauberk# ");
    flush_output();
    const long size = read_file(0, line, sizeof line - 1);
    if (size <= 0) return;
    line[size] = 0;
  } while (obey(line));
}
