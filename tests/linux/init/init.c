// The first process: mounts what there is to mount, loads the driver, runs the programs of /programs, a shell or what
// an attack is tried on, and powers off. Of the kernel's command line it takes `hauberk.run=shell` or
// `hauberk.run=victim` and, for the driver, `hauberk.panic=1`.
//
// It prints a section for each program, which scripts/study reads:
//   hauberk: booted CYCLE           since reset
//   hauberk: begin NAME
//   checksum, cycles, instret       what the program prints
//   hauberk: end NAME EXIT_CODE
// and at last "hauberk: done CYCLE". If a program failed, the machine is reset instead of powered off, and so is one
// whose init ends, which makes a panic: either ends the simulation with an exit code that says so.
#include "init.h"

#define RESET_MAGIC1 0xfee1dead
#define RESET_MAGIC2 672274793
#define POWER_OFF 0x4321fedc
#define RESTART 0x1234567
#define WAIT_FOR_OUTPUT 0x5409  // TCSBRK

static char command_line[512];

static bool command_line_has(const char *word) {
  for (const char *at = command_line; *at; at++) {
    size_t length = 0;
    while (word[length] && at[length] == word[length]) length++;
    if (!word[length] && (at == command_line || at[-1] == ' ') && (unsigned char)at[length] <= ' ') return true;
  }
  return false;
}

static void mount(const char *type, const char *where) {
  expect(SYSTEM_CALL5(mount, type, where, type, 0, 0) == 0, "init mounts what the kernel has");
}

static void read_command_line(void) {
  const long file = open_file("/proc/cmdline", READ_ONLY);
  expect(file >= 0 && read_file(file, command_line, sizeof command_line - 1) > 0, "the kernel has a command line");
  close_file(file);
}

// A character device by the number that the kernel gave it, if there is one: `MAJOR:MINOR`.
static void make_device(const char *path, const char *number) {
  char text[16] = "";
  unsigned numbers[2] = {0, 0}, which = 0;
  const long file = open_file(number, READ_ONLY);
  if (file < 0) return;
  read_file(file, text, sizeof text - 1);
  close_file(file);
  for (const char *at = text; *at > ' '; at++) {
    if (*at == ':')
      which = 1;
    else
      numbers[which] = 10 * numbers[which] + (unsigned)(*at - '0');
  }
  expect(SYSTEM_CALL4(mknodat, AT_CURRENT_FOLDER, path, 020666, numbers[0] << 8 | numbers[1]) == 0,
         "init makes a device");
}

// On a machine without a protector, the driver finds nothing to drive.
static void load_driver(void) {
  const long file = open_file("/lib/hauberk.ko", READ_ONLY);
  expect(file >= 0, "there is a driver");
  const char *parameters = command_line_has("hauberk.panic=1") ? "panic=1" : "";
  expect(SYSTEM_CALL3(finit_module, file, parameters, 0) == 0, "the kernel takes the driver");
  close_file(file);
  make_device("/dev/hauberk-unseal", "/sys/class/misc/hauberk-unseal/dev");
  make_device("/dev/hauberk-contexts", "/sys/class/misc/hauberk-contexts/dev");
}

// A line of /programs is a program and what it is given. The last path of it names the line: hauberk-stat is given one.
static unsigned run_line(char *line) {
  char *arguments[8] = {line};
  unsigned count = 1;
  const char *name = line;
  for (char *at = line; *at; at++) {
    if (*at == '/') name = at + 1;
    if (*at != ' ') continue;
    *at = 0;
    if (count < ARRAY_LENGTH(arguments) - 1) arguments[count++] = at + 1;
  }
  print("hauberk: begin %s\n", name);
  const unsigned code = run(arguments);
  print("hauberk: end %s %u\n", name, code);
  return code;
}

static unsigned run_all(void) {
  static char programs[1024];
  const long file = open_file("/programs", READ_ONLY);
  const long size = file < 0 ? -1 : read_file(file, programs, sizeof programs - 1);
  expect(size > 0, "there is a list of programs");
  unsigned failed = 0;
  char *line = programs;
  for (char *at = programs; *at; at++) {
    if (*at != '\n') continue;
    *at = 0;
    if (run_line(line) != 0) failed++;
    line = at + 1;
  }
  return failed;
}

// Waits until all output has left, so that what the kernel says next comes behind it and not between.
static void drain_output(void) {
  flush_output();
  SYSTEM_CALL3(ioctl, 1, WAIT_FOR_OUTPUT, 1);
}

int tool_main(int count, char *words[]) {
  (void)count, (void)words;
  print("hauberk: booted %lu\n", read_cycles());
  mount("proc", "/proc");
  mount("sysfs", "/sys");
  read_command_line();
  drain_output();
  load_driver();
  unsigned failed = 0;
  if (command_line_has("hauberk.run=shell")) {
    shell();
  } else if (command_line_has("hauberk.run=victim")) {
    failed = run_line((char[]){"/bin/victim"}) != 0;
  } else {
    failed = run_all();
    print("hauberk: done %lu\n", read_cycles());
  }
  if (failed) print("hauberk: %u programs failed\n", failed);
  drain_output();
  SYSTEM_CALL4(reboot, RESET_MAGIC1, RESET_MAGIC2, failed ? RESTART : POWER_OFF, 0);
  return 1;
}
