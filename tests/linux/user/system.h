// Linux's system calls for programs without a C library, as far as ours need them. A negative result is an error's
// number.
#ifndef HAUBERK_SYSTEM_H
#define HAUBERK_SYSTEM_H

#include <asm/unistd.h>
#include <stddef.h>
#include <stdint.h>

static inline long system_call(long number, long a, long b, long c, long d, long e, long f) {
  register long a0 __asm__("a0") = a;
  register long a1 __asm__("a1") = b;
  register long a2 __asm__("a2") = c;
  register long a3 __asm__("a3") = d;
  register long a4 __asm__("a4") = e;
  register long a5 __asm__("a5") = f;
  register long a7 __asm__("a7") = number;
  __asm__ volatile("ecall" : "+r"(a0) : "r"(a1), "r"(a2), "r"(a3), "r"(a4), "r"(a5), "r"(a7) : "memory");
  return a0;
}

#define SYSTEM_CALL0(name) system_call(__NR_##name, 0, 0, 0, 0, 0, 0)
#define SYSTEM_CALL1(name, a) system_call(__NR_##name, (long)(a), 0, 0, 0, 0, 0)
#define SYSTEM_CALL2(name, a, b) system_call(__NR_##name, (long)(a), (long)(b), 0, 0, 0, 0)
#define SYSTEM_CALL3(name, a, b, c) system_call(__NR_##name, (long)(a), (long)(b), (long)(c), 0, 0, 0)
#define SYSTEM_CALL4(name, a, b, c, d) system_call(__NR_##name, (long)(a), (long)(b), (long)(c), (long)(d), 0, 0)
#define SYSTEM_CALL5(name, a, b, c, d, e) \
  system_call(__NR_##name, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), 0)
#define SYSTEM_CALL6(name, a, b, c, d, e, f) \
  system_call(__NR_##name, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), (long)(f))

#define PAGE_SIZE 4096
#define AT_CURRENT_FOLDER (-100)
#define CREATE_AND_WRITE 01101  // O_WRONLY | O_CREAT | O_TRUNC
#define READ_AND_WRITE 2
#define READ_ONLY 0
#define CLOSE_ON_EXECUTE 02000000
#define CHILD_ENDS_WITH_SIGCHLD 17

static inline long open_file(const char *path, int flags) {
  return SYSTEM_CALL4(openat, AT_CURRENT_FOLDER, path, flags, 0644);
}
static inline long read_file(long file, void *to, size_t size) { return SYSTEM_CALL3(read, file, to, size); }
static inline long write_file(long file, const void *from, size_t size) {
  return SYSTEM_CALL3(write, file, from, size);
}
static inline long close_file(long file) { return SYSTEM_CALL1(close, file); }
static inline long make_pipe(int ends[2]) { return SYSTEM_CALL2(pipe2, ends, 0); }
static inline long fork_process(void) { return SYSTEM_CALL5(clone, CHILD_ENDS_WITH_SIGCHLD, 0, 0, 0, 0); }
static inline long wait_for(long process, int *status) { return SYSTEM_CALL4(wait4, process, status, 0, 0); }
static inline long execute(const char *path, char *const arguments[]) {
  static char *const environment[] = {NULL};
  return SYSTEM_CALL3(execve, path, arguments, environment);
}
static inline void end_process(int code) {
  for (;;) SYSTEM_CALL1(exit_group, code);
}

// Readable and writable pages, zeroed; shared with the processes forked from now on, or a copy for each.
static inline void *map_pages(size_t size, int is_shared) {
  return (void *)SYSTEM_CALL6(mmap, 0, size, 3, 0x20 | (is_shared ? 1 : 2), -1, 0);
}

// A page of a file, to be read, at an offset that is a multiple of a page's size; an error's number if that cannot be.
static inline const volatile uint64_t *map_page(long file, uint64_t offset) {
  return (const volatile uint64_t *)SYSTEM_CALL6(mmap, 0, PAGE_SIZE, 1, 1, file, offset);
}

// Whether a child ended by itself, with code 0.
static inline int went_well(int status) { return status == 0; }

// run.c: runs a program, from /bin unless a path is named, and waits for it; its exit code, 128 and the signal's number
// if one ended it, 127 if there is none.
unsigned run(char *words[]);

// console.c: all output goes through print of hauberk.h; this shows what of it is kept back.
void flush_output(void);

#endif
