// set_key (AEGIS, 3.3): a program's private pages, which are encrypted in its file, become the program's to use, under
// a key that it got in a message.
#include "identity.h"

#define MAGIC "Haub"
#define MAGIC_BYTES 4

typedef struct {
  context *context;
  uint8_t key[TEE_KEY_BYTES];
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
static void decrypt_pages(void *argument) {
  private_task *task = argument;
  br_aes_ct64_ctr_keys cipher;
  br_aes_ct64_ctr_init(&cipher, task->key, sizeof task->key);
  uint64_t address = task->context->start, *entry;
  while ((entry = waiting_at_or_behind(task->context, &address))) {
    uint8_t counter[MAGIC_BYTES + 8];
    memcpy(counter, MAGIC, MAGIC_BYTES);
    for (unsigned i = 0; i < 8; i++) counter[MAGIC_BYTES + i] = (uint8_t)(address >> (56 - 8 * i));
    br_aes_ct64_ctr_run(&cipher, counter, 0, (void *)page_of(*entry), TEE_PAGE);
    *entry |= ENTRY_VALID;
  }
}

int64_t set_key(context *context, const trap_frame *frame) {
  const uint64_t key = frame->x[A0];
  uint64_t address = context->start;
  if (!is_own(context, key, TEE_KEY_BYTES)) return TEE_INVALID;
  if (!waiting_at_or_behind(context, &address)) return TEE_STATE;
  private_task task = {.context = context};
  if (copy_in(task.key, (const void *)key, sizeof task.key, STATUS_MPRV)) return TEE_UNMAPPED;
  work_unseen(context, decrypt_pages, &task);
  memset(&task, 0, sizeof task);
  // They may be code
  __asm__ volatile("fence.i" ::: "memory");
  fence_tables();
  return 0;
}
