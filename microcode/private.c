// set_key (AEGIS, 3.3): a program's private pages, which are encrypted in its file, become the program's to use, under
// a key that it got in a message.
#include "identity.h"

#define MAGIC "Haub"
#define MAGIC_BYTES 4

typedef struct {
  uint64_t key[TEE_KEY_BYTES / 8], address, page;
} private_task;

// Until then its entry has all but the bit that makes it one.
static bool is_waiting(const uint64_t *entry) { return entry && *entry && !(*entry & ENTRY_VALID) && !is_out(*entry); }

static uint64_t *waiting_at_or_behind(context *context, uint64_t *address) {
  for (; *address < context->end; *address += TEE_PAGE) {
    uint64_t *entry = entry_at(context, *address);
    if (is_waiting(entry)) return entry;
  }
  return NULL;
}

// AES in counter mode, whose first counter is of the page's address: each block of a program has its own.
static void decrypt_page(void *argument) {
  private_task *task = argument;
  uint8_t counter[MAGIC_BYTES + 8];
  memcpy(counter, MAGIC, MAGIC_BYTES);
  for (unsigned i = 0; i < 8; i++) counter[MAGIC_BYTES + i] = (uint8_t)(task->address >> (56 - 8 * i));
  br_aes_ct64_ctr_keys cipher;
  br_aes_ct64_ctr_init(&cipher, task->key, sizeof task->key);
  br_aes_ct64_ctr_run(&cipher, counter, 0, (void *)task->page, TEE_PAGE);
}

// Who sends a key may be anybody: the program names the digest of the right one, which is in its hash.
static bool is_right(const uint64_t *key, const uint64_t *digest) {
  uint64_t found[DIGEST_WORDS], differs = 0;
  for (unsigned i = 0; i < TEE_KEY_BYTES / 8; i++) hash_word(key[i]);
  if (!hash_end(0, 0, found)) return false;
  for (unsigned i = 0; i < DIGEST_WORDS; i++) differs |= found[i] ^ digest[i];
  return !differs;
}

// A page for each instruction, which is made once more while others wait: the supervisor's interrupts come in between.
int64_t set_key(context *context, const trap_frame *frame) {
  const uint64_t key = frame->x[A0], digest = frame->x[A1];
  private_task task = {.address = context->start};
  uint64_t expected[DIGEST_WORDS], *entry;
  if (!is_own(context, key, sizeof task.key) || !is_own(context, digest, sizeof expected)) return TEE_INVALID;
  if (!(entry = waiting_at_or_behind(context, &task.address))) return TEE_STATE;
  if (copy_in(task.key, (const void *)key, sizeof task.key, STATUS_MPRV) ||
      copy_in(expected, (const void *)digest, sizeof expected, STATUS_MPRV))
    return TEE_UNMAPPED;
  int64_t error = TEE_FORGED;
  if (is_right(task.key, expected)) {
    task.page = page_of(*entry);
    work_unseen(context, decrypt_page, &task);
    *entry |= ENTRY_VALID;
    // It may be code
    __asm__ volatile("fence.i" ::: "memory");
    fence_tables();
    error = waiting_at_or_behind(context, &task.address) ? MADE_ONCE_MORE : 0;
  }
  memset(&task, 0, sizeof task);
  return error;
}
