// For programs in secure contexts: what the processor does for them. docs/contexts.md, "A program of your own".
#ifndef LIBHAUBERK_INSIDE_H
#define LIBHAUBERK_INSIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tee.h"

// The program: its arguments are those of hauberk_run. Pointers among them are to memory that is not its own, which
// changes at any time: copy, then check.
int64_t tee_main(uint64_t a0, uint64_t a1, uint64_t a2, uint64_t a3, uint64_t a4, uint64_t a5);

// All give 0, or an error of tee.h. What they are given must be the program's own memory.
static inline int64_t tee_sign(const void *message, size_t bytes, uint8_t signature[TEE_SIGNATURE]) {
  return TEE_SERVICE(TEE_SIGN, message, bytes, signature);
}
// The text of an encrypted message has so many bytes.
static inline int64_t tee_decrypt(const void *message, size_t bytes, void *text) {
  return TEE_SERVICE(TEE_DECRYPT, message, bytes, text);
}
// Functions and data that are encrypted in the program's file, which hauberk-attest seals, and there to use once the
// program has set the key. Constants that such a function needs are not private by themselves, nor is what the compiler
// knows of data: do not make them const.
#define TEE_PRIVATE_FUNCTION __attribute__((section(".private.text"), noipa))
#define TEE_PRIVATE __attribute__((section(".private.data")))
static inline int64_t tee_set_key(const uint8_t key[TEE_KEY_BYTES]) {
  extern const uint8_t tee_key_digest[];
  return TEE_SERVICE(TEE_SET_KEY, key, tee_key_digest, 0);
}
// The processor's public key
static inline int64_t tee_key(uint8_t key[TEE_POINT]) { return TEE_SERVICE(TEE_KEY, key, 0, 0); }
static inline uint64_t tee_random(void) {
  uint64_t word;
  do word = (uint64_t)TEE_SERVICE(TEE_RANDOM, 0, 0, 0);
  while (!word);
  return word;
}

// Whether memory is neither the program's own nor its page tables'. A pointer from outside must be looked at before the
// program uses it, or it would write what is its own.
static inline bool tee_is_outside(uint64_t address, uint64_t bytes) {
  extern char tee_start[], tee_end[];
  const uint64_t start = (uint64_t)tee_start, end = (uint64_t)tee_end + TEE_MOST_TABLES * TEE_PAGE;
  return bytes <= UINT64_MAX - address && (address + bytes <= start || address >= end);
}

// A call of the operating system, which gives what it likes. Pointers must be to memory outside.
static inline int64_t tee_system_call(uint64_t number, uint64_t a, uint64_t b, uint64_t c) {
  register uint64_t a0 __asm__("a0") = a, a1 __asm__("a1") = b, a2 __asm__("a2") = c, a7 __asm__("a7") = number;
  __asm__ volatile("ecall" : "+r"(a0) : "r"(a1), "r"(a2), "r"(a7) : "memory");
  return (int64_t)a0;
}

#endif
