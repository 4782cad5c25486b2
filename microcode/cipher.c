// AES in counter mode on whole pages of a context, which is its own inverse.
#include "identity.h"

typedef struct {
  uint64_t key[TEE_KEY_BYTES / 8], page;
  uint8_t counter[PAGE_COUNTER];
} cipher_task;

static void crypt(void *argument) {
  cipher_task *task = argument;
  br_aes_ct64_ctr_keys cipher;
  br_aes_ct64_ctr_init(&cipher, task->key, sizeof task->key);
  br_aes_ct64_ctr_run(&cipher, task->counter, 0, (void *)task->page, TEE_PAGE);
}

void crypt_page(const uint64_t *key, const uint8_t *counter, uint64_t page) {
  cipher_task task = {.page = page};
  memcpy(task.key, key, sizeof task.key);
  memcpy(task.counter, counter, sizeof task.counter);
  work_unseen(crypt, &task);
  memset(&task, 0, sizeof task);
}
