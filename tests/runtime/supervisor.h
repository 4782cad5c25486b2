// Calls of the SBI, for tests in the kernel's place.
#ifndef HAUBERK_SUPERVISOR_H
#define HAUBERK_SUPERVISOR_H

#define BASE 0x10
#define TIME 0x54494d45
#define IPI 0x735049
#define RFENCE 0x52464e43
#define HSM 0x48534d
#define SRST 0x53525354

typedef struct {
  long error, value;
} answer;

static inline answer call4(long extension, long function, long a, long b, long c, long d) {
  register long a0 __asm__("a0") = a;
  register long a1 __asm__("a1") = b;
  register long a2 __asm__("a2") = c;
  register long a3 __asm__("a3") = d;
  register long a6 __asm__("a6") = function;
  register long a7 __asm__("a7") = extension;
  __asm__ volatile("ecall" : "+r"(a0), "+r"(a1) : "r"(a2), "r"(a3), "r"(a6), "r"(a7) : "memory");
  return (answer){a0, a1};
}

static inline answer call(long extension, long function, long a, long b, long c) {
  return call4(extension, function, a, b, c, 0);
}

#endif
