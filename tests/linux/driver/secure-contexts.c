// SPDX-License-Identifier: Apache-2.0 OR GPL-2.0
// Secure contexts (docs/contexts.md): lets programs enter them, keeps the pages of a program where they are until its
// contexts have ended, and ends them with the program. All that is secret is the microcode's business.
//
// A program opens /dev/hauberk-contexts and names its pages: only these may become a context's. When the file is
// closed, which a process that ends does, its contexts are ended, and the pages are the kernel's once more.
#include <linux/miscdevice.h>
#include <linux/mm.h>
#include <linux/mod_devicetable.h>
#include <linux/module.h>
#include <linux/sched/mm.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <asm/sbi.h>

#include "contexts.h"
#include "hauberk.h"
#include "tee.h"

/* What a process has named, in its address space at that time. */
struct program {
  struct mutex lock;
  struct mm_struct *mm;
  struct page **pages;
  unsigned int count;
  unsigned long permit;
};

static struct sbiret call(unsigned long function, unsigned long first, unsigned long second, unsigned long third) {
  return sbi_ecall(TEE_SBI, function, first, second, third, 0, 0, 0);
}

static int opened(struct inode *inode, struct file *file) {
  struct program *program = kzalloc(sizeof(*program), GFP_KERNEL);

  if (!program) return -ENOMEM;
  mutex_init(&program->lock);
  file->private_data = program;
  return 0;
}

/* They are there, the program's alone, and stay where they are. */
static int pin(struct program *program, unsigned long start, unsigned int count) {
  int pinned;

  program->pages = kvmalloc_array(count, sizeof(*program->pages), GFP_KERNEL_ACCOUNT);
  if (!program->pages) return -ENOMEM;
  pinned = pin_user_pages_fast(start, count, FOLL_WRITE | FOLL_LONGTERM, program->pages);
  if (pinned == count) return 0;
  if (pinned > 0) unpin_user_pages(program->pages, pinned);
  kvfree(program->pages);
  return pinned < 0 ? pinned : -EFAULT;
}

static void unpin(struct program *program) {
  unpin_user_pages(program->pages, program->count);
  kvfree(program->pages);
}

static long name_pages(struct program *program, const struct hauberk_pages *named) {
  unsigned int count = named->bytes >> PAGE_SHIFT;
  struct mm_struct *mm = current->mm;
  struct sbiret given;
  int error;

  if (program->mm) return -EBUSY;
  if (!count || named->bytes > HAUBERK_MOST_BYTES || (named->start | named->bytes) & ~PAGE_MASK) return -EINVAL;
  error = account_locked_vm(mm, count, true);
  if (error) return error;
  error = pin(program, named->start, count);
  if (error) goto unaccount;
  given = call(TEE_SBI_ALLOW, __pa(mm->pgd) >> PAGE_SHIFT, named->start, count);
  if (given.error) {
    error = given.error == TEE_FULL ? -EAGAIN : -EINVAL;
    program->count = count;
    unpin(program);
    goto unaccount;
  }
  /* Its root table keeps its place, by which the microcode knows its contexts. */
  mmgrab(mm);
  program->mm = mm;
  program->count = count;
  program->permit = given.value;
  return 0;

unaccount:
  account_locked_vm(mm, count, false);
  return error;
}

static long controlled(struct file *file, unsigned int command, unsigned long argument) {
  struct program *program = file->private_data;
  struct hauberk_pages named;
  long error;

  if (command != HAUBERK_PIN) return -ENOTTY;
  if (copy_from_user(&named, (void __user *)argument, sizeof(named))) return -EFAULT;
  mutex_lock(&program->lock);
  error = name_pages(program, &named);
  mutex_unlock(&program->lock);
  return error;
}

/* A context that runs on another hart comes out at the next tick, and goes on no more. */
static long end_contexts(unsigned long permit) {
  long error;

  while ((error = call(TEE_SBI_END, permit, 0, 0).error) == TEE_STATE) schedule_timeout_uninterruptible(1);
  return error;
}

static int released(struct inode *inode, struct file *file) {
  struct program *program = file->private_data;

  if (program->mm) {
    /* Pages that are a context's must not be used for anything else */
    if (!WARN_ON(end_contexts(program->permit))) unpin(program);
    if (mmget_not_zero(program->mm)) {
      account_locked_vm(program->mm, program->count, false);
      mmput(program->mm);
    }
    mmdrop(program->mm);
  }
  kfree(program);
  return 0;
}

static const struct file_operations operations = {
    .owner = THIS_MODULE, .open = opened, .release = released, .unlocked_ioctl = controlled, .llseek = no_llseek};
static struct miscdevice contexts = {
    .minor = MISC_DYNAMIC_MINOR, .name = "hauberk-contexts", .fops = &operations, .mode = 0666};

static int probe(struct platform_device *device) {
  long error = call(TEE_SBI_ENABLE, 0, 0, 0).error;

  if (error) {
    dev_err(&device->dev, "machine mode has no microcode of secure contexts (%ld)\n", error);
    return -ENODEV;
  }
  dev_info(&device->dev, "secure contexts\n");
  return misc_register(&contexts);
}

static int remove(struct platform_device *device) {
  misc_deregister(&contexts);
  return 0;
}

static const struct of_device_id contexts_matches[] = {{.compatible = "hauberk,secure-contexts"}, {}};
MODULE_DEVICE_TABLE(of, contexts_matches);

struct platform_driver hauberk_secure_contexts = {
    .probe = probe,
    .remove = remove,
    .driver = {.name = "hauberk-secure-contexts", .of_match_table = contexts_matches},
};
