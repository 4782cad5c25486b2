// SPDX-License-Identifier: Apache-2.0 OR GPL-2.0
// Pages of secure contexts that go out and come back. The administrator takes pages out by the file `page_out`. They
// are ciphertext then, in a file of the kernel's own, which may be swapped. An access brings a page back.
#include <linux/highmem.h>
#include <linux/sched/signal.h>
#include <linux/shmem_fs.h>

#include "secure-contexts.h"

static LIST_HEAD(programs);
/* Comes before that of a program */
static DEFINE_MUTEX(programs_lock);
static atomic_long_t pages_out, pages_in;

void context_pages_watch(struct program *program) {
  mutex_lock(&programs_lock);
  list_add_tail(&program->list, &programs);
  mutex_unlock(&programs_lock);
}

void context_pages_forget(struct program *program) {
  mutex_lock(&programs_lock);
  list_del(&program->list);
  mutex_unlock(&programs_lock);
}

/* The microcode, with the tag of a page: an error of tee.h. */
static long call(struct program *program, unsigned long function, unsigned int at, unsigned long third,
                 unsigned long fourth) {
  return context_call(function, program->permit, program->start + (unsigned long)at * PAGE_SIZE, third, fourth).error;
}

static long encrypt(struct program *program, unsigned int at) {
  long error = call(program, TEE_SBI_PAGE_OUT, at, (unsigned long)program->tag, 0);

  if (error) return error;
  memcpy(program->slots[at].tag, program->tag, sizeof(program->tag));
  program->slots[at].is_out = true;
  atomic_long_inc(&pages_out);
  return 0;
}

static long decrypt(struct program *program, unsigned int at, struct page *page) {
  long error;

  memcpy(program->tag, program->slots[at].tag, sizeof(program->tag));
  error = call(program, TEE_SBI_PAGE_IN, at, page_to_phys(page), (unsigned long)program->tag);
  if (!error) atomic_long_inc(&pages_in);
  return error;
}

/* To the file, if that has room */
static void write_out(struct program *program, unsigned int at) {
  struct slot *slot = program->slots + at;
  struct address_space *file = program->out->f_mapping;
  struct page *kept = shmem_read_mapping_page_gfp(file, at, mapping_gfp_mask(file) | __GFP_NORETRY | __GFP_NOWARN);

  if (IS_ERR(kept)) return;
  copy_highpage(kept, slot->page);
  set_page_dirty(kept);
  put_page(kept);
  put_page(slot->page);
  slot->page = NULL;
}

/* A page with what the file has, which the file then forgets */
static struct page *read_back(struct program *program, unsigned int at) {
  loff_t start = (loff_t)at << PAGE_SHIFT;
  struct page *kept, *page = new_page();

  if (!page) return ERR_PTR(-ENOMEM);
  kept = shmem_read_mapping_page(program->out->f_mapping, at);
  if (IS_ERR(kept)) {
    put_page(page);
    return kept;
  }
  copy_highpage(page, kept);
  put_page(kept);
  shmem_truncate_range(file_inode(program->out), start, start + PAGE_SIZE - 1);
  return page;
}

/* What is no page of a context that waits, or may not go out, stays. A program that has not entered needs its mappings:
 * so the microcode is asked before they are taken away. */
static long take_out(struct program *program, unsigned int at) {
  struct slot *slot = program->slots + at;

  if (!slot->is_out) {
    long error = call(program, TEE_SBI_PAGE_OUT, at, 0, 0);

    if (error) return error;
    unmap_mapping_range(program->mapping, (loff_t)(program->base + at) << PAGE_SHIFT, PAGE_SIZE, 1);
    error = encrypt(program, at);
    if (error) return error;
  } else if (!slot->page) {
    return TEE_INVALID;
  }
  write_out(program, at);
  return 0;
}

int context_page_in(struct program *program, unsigned int at) {
  struct slot *slot = program->slots + at;
  long error;

  if (!slot->page) {
    struct page *page = read_back(program, at);

    if (IS_ERR(page)) return PTR_ERR(page);
    slot->page = page;
  }
  error = decrypt(program, at, slot->page);
  if (error == TEE_STATE) return -EAGAIN;
  if (error && error != TEE_INVALID) return -EIO;
  /* Of a context that has ended, nothing comes back. */
  if (error) clear_highpage(slot->page);
  slot->is_out = false;
  return 0;
}

/* The next page that can go */
static bool take_one_of(struct program *program) {
  unsigned int tried;
  long error = TEE_INVALID;

  mutex_lock(&program->lock);
  for (tried = 0; tried < program->count && error == TEE_INVALID; tried++) {
    error = take_out(program, program->next);
    program->next = (program->next + 1) % program->count;
    cond_resched();
  }
  mutex_unlock(&program->lock);
  return !error;
}

/* Programs take turns. */
static bool take_one(void) {
  struct program *program;
  bool is_out = false;

  mutex_lock(&programs_lock);
  list_for_each_entry(program, &programs, list) {
    is_out = take_one_of(program);
    if (!is_out) continue;
    /* The list begins behind it now. */
    list_move(&programs, &program->list);
    break;
  }
  mutex_unlock(&programs_lock);
  return is_out;
}

static ssize_t page_out_store(struct device *device, struct device_attribute *attribute, const char *from,
                              size_t bytes) {
  unsigned long most, out = 0;
  int error = kstrtoul(from, 0, &most);

  if (error) return error;
  while (out < most && !fatal_signal_pending(current) && take_one()) out++;
  return out || !most ? bytes : -EAGAIN;
}
DEVICE_ATTR_WO(page_out);

static ssize_t statistics_show(struct device *device, struct device_attribute *attribute, char *to) {
  return sysfs_emit(to, "contexts.pages_out %ld\ncontexts.pages_in %ld\ncontexts.denials %ld\n",
                    atomic_long_read(&pages_out), atomic_long_read(&pages_in),
                    context_call(TEE_SBI_DENIALS, 0, 0, 0, 0).value);
}
struct device_attribute dev_attr_context_statistics = __ATTR(statistics, 0400, statistics_show, NULL);
