// SPDX-License-Identifier: Apache-2.0 OR GPL-2.0
// Instruction decryption: /dev/hauberk-unseal is given the notes of a sealed program, by that program, and has its
// pages decrypted until it is closed. It knows which physical pages these are, pins them so that they stay, and has all
// harts flush their instruction caches. The kernel learns no key: it hands on credentials that only the key unit can
// use.
#include <linux/miscdevice.h>
#include <linux/mm.h>
#include <linux/mod_devicetable.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <asm/cacheflush.h>

#include "hauberk.h"
#include "sealed.h"

#define MOST_NOTES 16

struct decryption {
  struct miscdevice device;
  void __iomem *registers;
  struct mutex lock;
  unsigned pages, slots; /* how many there are; slot 0 has no key */
  unsigned mode;
  struct file **slot_of; /* by slot and by page: whose it is */
  struct file **page_of;
  struct page **pinned; /* by page of the table */
};

static struct decryption *decryption_of(struct file *file) {
  return container_of(file->private_data, struct decryption, device);
}

static int map_page(struct decryption *unit, unsigned index, u64 address, unsigned slot, const u64 ancillary[2]) {
  writeq(address, unit->registers + DECRYPTION_PAGE);
  writeq(slot, unit->registers + DECRYPTION_SLOT);
  writeq(ancillary[0], unit->registers + DECRYPTION_ANCILLARY_LOW);
  writeq(ancillary[1], unit->registers + DECRYPTION_ANCILLARY_HIGH);
  writeq(index, unit->registers + DECRYPTION_INDEX);
  return DECRYPTION_STATUS_MAPPING_ERROR(readq(unit->registers + DECRYPTION_STATUS));
}

static int load_key(struct decryption *unit, const sealed_note *note, unsigned slot) {
  unsigned long patience = jiffies + HZ;
  u64 status;
  int i;

  /* A token that is there and says nothing keeps the key unit busy */
  if (readq(unit->registers + DECRYPTION_KEY_STATUS) & DECRYPTION_KEY_STATUS_BUSY) return SEALED_NO_TOKEN;
  for (i = 0; i < 2; i++) {
    writeq(note->secret[i], unit->registers + DECRYPTION_APPLICATION_0 + 8 * i);
    writeq(note->check[i], unit->registers + DECRYPTION_CHECK_0 + 8 * i);
  }
  writeq(note->key_id, unit->registers + DECRYPTION_KEY_ID);
  writeq(slot, unit->registers + DECRYPTION_KEY);
  do {
    cond_resched();
    status = readq(unit->registers + DECRYPTION_KEY_STATUS);
    if ((status & DECRYPTION_KEY_STATUS_BUSY) && time_after(jiffies, patience)) return SEALED_NO_TOKEN;
  } while (status & DECRYPTION_KEY_STATUS_BUSY);
  return DECRYPTION_KEY_STATUS_ERROR(status);
}

/* The first that is nobody's, or `count`. */
static unsigned free_entry(struct file **entries, unsigned from, unsigned count) {
  while (from < count && entries[from]) from++;
  return from;
}

/* What an open file has is freed. Its pages go only when no cache holds what was decrypted of them. */
static void release_all(struct decryption *unit, struct file *file) {
  static const u64 nothing[2];
  unsigned i;

  for (i = 0; i < unit->pages; i++) {
    if (unit->page_of[i] != file) continue;
    map_page(unit, i, 0, 0, nothing);
  }
  flush_icache_all();
  for (i = 0; i < unit->pages; i++) {
    if (unit->page_of[i] != file) continue;
    unpin_user_page(unit->pinned[i]);
    unit->page_of[i] = NULL;
  }
  for (i = 1; i < unit->slots; i++)
    if (unit->slot_of[i] == file) unit->slot_of[i] = NULL;
}

static int unseal_page(struct decryption *unit, struct file *file, u64 address, unsigned slot, const u64 ancillary[2]) {
  unsigned index = free_entry(unit->page_of, 0, unit->pages);
  struct page *page;
  int error;

  if (index == unit->pages) return SEALED_TABLE_FULL;
  /* As if it were written: so it is this process's own copy, and what it says of its page concerns no one else's */
  if (pin_user_pages_fast(address, 1, FOLL_WRITE | FOLL_FORCE | FOLL_LONGTERM, &page) != 1) return SEALED_BAD_PAGE;
  if (!PageAnon(page)) {
    unpin_user_page(page);
    return SEALED_BAD_PAGE;
  }
  error = map_page(unit, index, page_to_phys(page), slot, ancillary);
  if (error) {
    unpin_user_page(page);
    return error;
  }
  unit->page_of[index] = file;
  unit->pinned[index] = page;
  return SEALED_OK;
}

static int unseal_note(struct decryption *unit, struct file *file, const sealed_note *note) {
  unsigned slot = free_entry(unit->slot_of, 1, unit->slots);
  u64 ancillary[2] = {note->ancillary[0], note->ancillary[1]}, page;
  int error;

  if (!sealed_note_is_whole(note)) return SEALED_BAD_NOTE;
  if (note->kind == 0) return SEALED_OK;
  if (note->mode != unit->mode) return SEALED_BAD_MODE;
  if (note->pages > unit->pages) return SEALED_TABLE_FULL;
  if (slot == unit->slots) return SEALED_KEYS_FULL;
  error = load_key(unit, note, slot);
  if (error) return error;
  unit->slot_of[slot] = file;
  for (page = 0; page < note->pages && !error; page++) {
    error = unseal_page(unit, file, note->address + page * SEALED_PAGE, slot, ancillary);
    next_ancillary(ancillary);
  }
  return error;
}

/* Takes a program's notes, all of them at once; its result is an error of sealed.h, and then nothing is mapped. */
static long on_ioctl(struct file *file, unsigned command, unsigned long argument) {
  struct decryption *unit = decryption_of(file);
  sealed_request request;
  sealed_note *notes;
  int error = SEALED_OK;
  unsigned i;

  if (command != SEALED_UNSEAL) return -ENOTTY;
  if (copy_from_user(&request, (void __user *)argument, sizeof(request))) return -EFAULT;
  if (request.count > MOST_NOTES) return -E2BIG;
  notes = memdup_user((void __user *)(uintptr_t)request.notes, request.count * sizeof(*notes));
  if (IS_ERR(notes)) return PTR_ERR(notes);
  mutex_lock(&unit->lock);
  for (i = 0; i < request.count && !error; i++) error = unseal_note(unit, file, &notes[i]);
  if (error)
    release_all(unit, file);
  else
    flush_icache_all();
  mutex_unlock(&unit->lock);
  kfree_sensitive(notes);
  return error;
}

static int on_release(struct inode *node, struct file *file) {
  struct decryption *unit = decryption_of(file);

  mutex_lock(&unit->lock);
  release_all(unit, file);
  mutex_unlock(&unit->lock);
  return 0;
}

static const struct file_operations operations = {
    .owner = THIS_MODULE,
    .unlocked_ioctl = on_ioctl,
    .release = on_release,
};

static int probe(struct platform_device *device) {
  void __iomem *registers = hauberk_registers(device, DECRYPTION_ID_VALUE);
  struct decryption *unit;
  u64 geometry;

  if (IS_ERR(registers)) return PTR_ERR(registers);
  unit = devm_kzalloc(&device->dev, sizeof(*unit), GFP_KERNEL);
  if (!unit) return -ENOMEM;
  geometry = readq(registers + DECRYPTION_GEOMETRY);
  unit->registers = registers;
  unit->pages = DECRYPTION_GEOMETRY_PAGES(geometry);
  unit->slots = DECRYPTION_GEOMETRY_KEY_SLOTS(geometry);
  unit->mode = DECRYPTION_GEOMETRY_MODE(geometry);
  unit->slot_of = devm_kcalloc(&device->dev, unit->slots, sizeof(*unit->slot_of), GFP_KERNEL);
  unit->page_of = devm_kcalloc(&device->dev, unit->pages, sizeof(*unit->page_of), GFP_KERNEL);
  unit->pinned = devm_kcalloc(&device->dev, unit->pages, sizeof(*unit->pinned), GFP_KERNEL);
  if (!unit->slot_of || !unit->page_of || !unit->pinned) return -ENOMEM;
  mutex_init(&unit->lock);
  unit->device.minor = MISC_DYNAMIC_MINOR;
  unit->device.name = "hauberk-unseal";
  unit->device.fops = &operations;
  unit->device.mode = 0666;
  platform_set_drvdata(device, unit);
  dev_info(&device->dev, "instruction decryption, %u pages, %u keys\n", unit->pages, unit->slots - 1);
  return misc_register(&unit->device);
}

static int remove(struct platform_device *device) {
  struct decryption *unit = platform_get_drvdata(device);

  misc_deregister(&unit->device);
  return 0;
}

static const struct of_device_id decryption_matches[] = {{.compatible = "hauberk,instruction-decryption"}, {}};
MODULE_DEVICE_TABLE(of, decryption_matches);

struct platform_driver hauberk_instruction_decryption = {
    .probe = probe,
    .remove = remove,
    .driver = {.name = "hauberk-instruction-decryption",
               .of_match_table = decryption_matches,
               .suppress_bind_attrs = true},
};
