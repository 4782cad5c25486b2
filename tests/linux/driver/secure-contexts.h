/* SPDX-License-Identifier: Apache-2.0 OR GPL-2.0 */
/* What the driver of secure contexts knows of a program, and its calls of the microcode. */
#ifndef HAUBERK_SECURE_CONTEXTS_H
#define HAUBERK_SECURE_CONTEXTS_H

#include <linux/device.h>
#include <linux/list.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <asm/sbi.h>

#include "tee.h"

/* A page that is out has a tag. It is in the program's file, or still in memory, encrypted. */
struct slot {
  struct page *page;
  bool is_out;
  u8 tag[TEE_PAGE_TAG];
};

/* What a process has mapped. Without slots it is nothing. */
struct program {
  struct list_head list;
  struct mutex lock;
  /* Of the device, where its pages begin at this offset, which no other program's do */
  struct address_space *mapping;
  unsigned long base;
  /* Pages that are out, in their order */
  struct file *out;
  struct slot *slots;
  unsigned long start, permit;
  /* Pages, and which of them is looked at next when one has to go out */
  unsigned int count, next;
  /* The microcode reads and writes it, in the kernel's linear map. */
  u8 tag[TEE_PAGE_TAG];
};

static inline struct sbiret context_call(unsigned long function, unsigned long first, unsigned long second,
                                         unsigned long third, unsigned long fourth) {
  return sbi_ecall(TEE_SBI, function, first, second, third, fourth, 0, 0);
}

static inline struct page *new_page(void) { return alloc_page(GFP_KERNEL_ACCOUNT | __GFP_ZERO); }

/* paging.c. Brings in a page of a program whose lock is held. 0, -ENOMEM, -EAGAIN while its context runs, or -EIO if
 * what came out has changed. */
int context_page_in(struct program *program, unsigned int at);
/* Pages of the program go out between these calls only. */
void context_pages_watch(struct program *program);
void context_pages_forget(struct program *program);
extern struct device_attribute dev_attr_page_out, dev_attr_context_statistics;

#endif
