// set_key (AEGIS, 3.3): a program's private pages, which are encrypted in its file, become the program's to use, under
// a key that it got in a message.
#include "identity.h"

#define MAGIC "Haub"
#define MAGIC_BYTES 4
#define KEY_WORDS (TEE_KEY_BYTES / 8)

// Until then its entry has all but the bit that makes it one.
static bool is_waiting(uint64_t entry) { return entry && !(entry & ENTRY_VALID) && !is_out(entry); }

static uint64_t waiting_at_or_behind(context *context, uint64_t *address) {
  for (; *address < context->end; *address += TEE_PAGE) {
    const uint64_t entry = own_entry(context, *address);
    if (is_waiting(entry)) return entry;
  }
  return 0;
}

// From a counter of the page's address on: each block of a program has its own.
static void decrypt_page(const uint64_t *key, uint64_t address, uint64_t page) {
  uint8_t counter[PAGE_COUNTER];
  memcpy(counter, MAGIC, MAGIC_BYTES);
  for (unsigned i = 0; i < 8; i++) counter[MAGIC_BYTES + i] = (uint8_t)(address >> (56 - 8 * i));
  crypt_page(key, counter, page);
}

// Who sends a key may be anybody: the program names the digest of the right one, which is in its hash.
static bool is_right(const uint64_t *key, const uint64_t *digest) {
  uint64_t found[DIGEST_WORDS];
  for (unsigned i = 0; i < KEY_WORDS; i++) hash_word(key[i]);
  return hash_end(0, 0, found) && is_same_digest(found, digest);
}

// A page for each instruction, which is made once more while others wait: the supervisor's interrupts come in between.
int64_t set_key(context *context, const trap_frame *frame) {
  const uint64_t at = frame->x[A0], digest = frame->x[A1];
  uint64_t key[KEY_WORDS], expected[DIGEST_WORDS], address = context->start, entry;
  if (!is_own(context, at, sizeof key) || !is_own(context, digest, sizeof expected)) return TEE_INVALID;
  if (!(entry = waiting_at_or_behind(context, &address))) return TEE_STATE;
  int64_t error = TEE_UNMAPPED;
  if (!copy_in(key, (const void *)at, sizeof key, STATUS_MPRV) &&
      !copy_in(expected, (const void *)digest, sizeof expected, STATUS_MPRV)) {
    error = TEE_FORGED;
    if (is_right(key, expected) && has_data_page(context, page_of(entry))) {
      decrypt_page(key, address, page_of(entry));
      *entry_at(context, address) = entry | ENTRY_VALID;
      // It may be code
      flush_instruction_cache();
      flush_tlb();
      error = waiting_at_or_behind(context, &address) ? MADE_ONCE_MORE : 0;
    }
  }
  memset(key, 0, sizeof key);
  return error;
}
