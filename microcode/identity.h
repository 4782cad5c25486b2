// The processor's key, for what it signs and decrypts: P-256 by BearSSL, whose time and accesses do not depend on keys.
#ifndef HAUBERK_IDENTITY_H
#define HAUBERK_IDENTITY_H

#include <bearssl.h>

#include "contexts.h"

typedef struct {
  br_ec_private_key key;
  uint8_t scalar[32];
} processor_key;
// Made of the processor's secret each time. To be called by what work_unseen calls.
void make_key(processor_key *key);
// work(argument) on a stack of 4 KiB on the chip, which is cleared afterwards. Only who is exclusive may.
void work_unseen(void (*work)(void *argument), void *argument);
// Encrypts or decrypts a page of the context that the hart is, under AES-128 from this first counter on.
#define PAGE_COUNTER 12  // bytes; those behind count the blocks of the page
void crypt_page(const uint64_t *key, const uint8_t *counter, uint64_t page);
bool is_own(const context *context, uint64_t address, uint64_t bytes);
// 0 if the context can read and write so many bytes there, and the processor has a secret: nothing changes.
int64_t check_result(const context *context, uint64_t to, uint64_t bytes);

#endif
