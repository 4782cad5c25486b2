// SPDX-License-Identifier: Apache-2.0 OR GPL-2.0
// Secure contexts (docs/contexts.md): lets programs enter them, gives a program's contexts their pages, and ends them
// with the program. All that is secret is the microcode's business.
//
// A program maps /dev/hauberk-contexts: these pages may become a context's, as long as they are mapped. When they are
// unmapped, which a process that ends does, its contexts are ended, and the pages are the kernel's once more.
#include <linux/capability.h>
#include <linux/idr.h>
#include <linux/miscdevice.h>
#include <linux/mod_devicetable.h>
#include <linux/module.h>
#include <linux/sched/signal.h>
#include <linux/shmem_fs.h>
#include <linux/slab.h>

#include "contexts.h"
#include "hauberk.h"
#include "secure-contexts.h"

#define MOST_PAGES (HAUBERK_MOST_BYTES >> PAGE_SHIFT)

static DEFINE_IDA(numbers);

/* While the lock is held nothing goes out: what is mapped here is there. */
static vm_fault_t faulted(struct vm_fault *fault) {
  struct program *program = fault->vma->vm_private_data;
  unsigned int at = fault->pgoff - program->base;
  vm_fault_t done = 0;
  int error = 0;

  mutex_lock(&program->lock);
  if (program->slots[at].is_out) error = context_page_in(program, at);
  if (!error) done = vmf_insert_page(fault->vma, fault->address, program->slots[at].page);
  mutex_unlock(&program->lock);
  if (!error) return done;
  if (error != -EAGAIN) return vmf_error(error);
  /* The context runs on another hart, until its next interrupt at least. */
  schedule_timeout_killable(1);
  return fatal_signal_pending(current) ? VM_FAULT_SIGBUS : VM_FAULT_NOPAGE;
}

static void free_pages_of(struct program *program) {
  unsigned int at;

  for (at = 0; at < program->count; at++)
    if (program->slots[at].page) put_page(program->slots[at].page);
  kvfree(program->slots);
  program->slots = NULL;
}

static int fill(struct program *program, unsigned int count) {
  program->slots = kvcalloc(count, sizeof(*program->slots), GFP_KERNEL_ACCOUNT);
  if (!program->slots) return -ENOMEM;
  for (program->count = 0; program->count < count; program->count++) {
    struct page *page = fatal_signal_pending(current) ? NULL : new_page();

    if (!page) {
      free_pages_of(program);
      return -ENOMEM;
    }
    program->slots[program->count].page = page;
    cond_resched();
  }
  return 0;
}

/* A context that runs on another hart comes out at the next tick, and goes on no more. */
static long end_contexts(unsigned long permit) {
  long error;

  while ((error = context_call(TEE_SBI_END, permit, 0, 0, 0).error) == TEE_STATE) schedule_timeout_uninterruptible(1);
  return error;
}

/* Before anything else can be mapped there, which the permit is for. */
static void closed(struct vm_area_struct *area) {
  struct program *program = area->vm_private_data;

  /* A move that was refused closes its copy. */
  if (area->vm_start != program->start) return;
  context_pages_forget(program);
  mutex_lock(&program->lock);
  atomic64_sub(program->count, &area->vm_mm->pinned_vm);
  /* Pages that are a context's must not be used for anything else: they are lost. */
  if (WARN_ON(end_contexts(program->permit)))
    program->slots = NULL;
  else
    free_pages_of(program);
  shmem_truncate_range(file_inode(program->out), 0, -1);
  mutex_unlock(&program->lock);
}

static int refuse_split(struct vm_area_struct *area, unsigned long address) { return -EINVAL; }
static int refuse_move(struct vm_area_struct *area) { return -EINVAL; }

static const struct vm_operations_struct area_operations = {
    .fault = faulted, .close = closed, .may_split = refuse_split, .mremap = refuse_move};

static int allow(struct program *program, struct mm_struct *mm) {
  struct sbiret given = context_call(TEE_SBI_ALLOW, __pa(mm->pgd) >> PAGE_SHIFT, program->start, program->count, 0);

  if (given.error) return given.error == TEE_FULL ? -EAGAIN : -EINVAL;
  program->permit = given.value;
  return 0;
}

/* As what io_uring and RDMA pin */
static bool account(struct mm_struct *mm, unsigned long count) {
  unsigned long limit = rlimit(RLIMIT_MEMLOCK) >> PAGE_SHIFT;

  if (atomic64_add_return(count, &mm->pinned_vm) <= limit || capable(CAP_IPC_LOCK)) return true;
  atomic64_sub(count, &mm->pinned_vm);
  return false;
}

static int map(struct program *program, struct vm_area_struct *area) {
  int error;

  if (program->slots) return -EBUSY;
  if (!account(area->vm_mm, vma_pages(area))) return -ENOMEM;
  error = fill(program, vma_pages(area));
  if (error) goto unaccount;
  program->start = area->vm_start;
  program->next = 0;
  error = allow(program, area->vm_mm);
  if (error) goto empty;
  /* Nobody else maps them: no child, no debugger, no device. */
  area->vm_flags |= VM_DONTCOPY | VM_DONTEXPAND | VM_DONTDUMP | VM_IO | VM_MIXEDMAP;
  area->vm_pgoff = program->base;
  area->vm_private_data = program;
  area->vm_ops = &area_operations;
  return 0;

empty:
  free_pages_of(program);
unaccount:
  atomic64_sub(vma_pages(area), &area->vm_mm->pinned_vm);
  return error;
}

static int mapped(struct file *file, struct vm_area_struct *area) {
  struct program *program = file->private_data;
  int error;

  if (!(area->vm_flags & VM_SHARED) || area->vm_pgoff || vma_pages(area) > MOST_PAGES) return -EINVAL;
  mutex_lock(&program->lock);
  error = map(program, area);
  mutex_unlock(&program->lock);
  if (!error) context_pages_watch(program);
  return error;
}

static int open_program(struct program *program) {
  int number = ida_alloc_max(&numbers, (1 << 20) - 1, GFP_KERNEL);

  if (number < 0) return number;
  program->base = number * MOST_PAGES;
  program->out = shmem_file_setup("hauberk-contexts", HAUBERK_MOST_BYTES, VM_NORESERVE);
  if (!IS_ERR(program->out)) return 0;
  ida_free(&numbers, number);
  return PTR_ERR(program->out);
}

static int opened(struct inode *inode, struct file *file) {
  struct program *program = kzalloc(sizeof(*program), GFP_KERNEL_ACCOUNT);
  int error;

  if (!program) return -ENOMEM;
  error = open_program(program);
  if (error) {
    kfree(program);
    return error;
  }
  mutex_init(&program->lock);
  program->mapping = file->f_mapping;
  file->private_data = program;
  return 0;
}

static int released(struct inode *inode, struct file *file) {
  struct program *program = file->private_data;

  fput(program->out);
  ida_free(&numbers, program->base / MOST_PAGES);
  kfree(program);
  return 0;
}

static struct attribute *contexts_attrs[] = {&dev_attr_page_out.attr, &dev_attr_context_statistics.attr, NULL};
ATTRIBUTE_GROUPS(contexts);

static const struct file_operations operations = {
    .owner = THIS_MODULE, .open = opened, .release = released, .mmap = mapped, .llseek = no_llseek};
static struct miscdevice contexts = {
    .minor = MISC_DYNAMIC_MINOR, .name = "hauberk-contexts", .fops = &operations, .mode = 0666};

static int probe(struct platform_device *device) {
  long error = context_call(TEE_SBI_ENABLE, 0, 0, 0, 0).error;

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
    .driver = {.name = "hauberk-secure-contexts", .of_match_table = contexts_matches, .dev_groups = contexts_groups},
};
