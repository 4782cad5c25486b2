#include "sealed.h"

#include "hauberk.h"
#include "internal.h"

// How often the key unit is asked whether it has finished, which takes thousands of cycles and what its token takes:
// for longer than a second
#define KEY_PATIENCE (1u << 24)

extern const sealed_note hauberk_notes[], hauberk_notes_end[];

static uint64_t read_register(unsigned offset) { return mmio_read64(DECRYPTION_BASE + offset); }
static void write_register(unsigned offset, uint64_t value) { mmio_write64(DECRYPTION_BASE + offset, value); }

int load_sealed_key(const sealed_note *note, unsigned slot) {
  // A token that is there and says nothing keeps the key unit busy
  if (read_register(DECRYPTION_KEY_STATUS) & DECRYPTION_KEY_STATUS_BUSY) return SEALED_NO_TOKEN;
  for (unsigned i = 0; i < 2; i++) {
    write_register(DECRYPTION_APPLICATION_0 + 8 * i, note->secret[i]);
    write_register(DECRYPTION_CHECK_0 + 8 * i, note->check[i]);
  }
  write_register(DECRYPTION_KEY_ID, note->key_id);
  write_register(DECRYPTION_KEY, slot);
  for (unsigned patience = KEY_PATIENCE; patience; patience--) {
    const uint64_t status = read_register(DECRYPTION_KEY_STATUS);
    if (!(status & DECRYPTION_KEY_STATUS_BUSY)) return (int)DECRYPTION_KEY_STATUS_ERROR(status);
  }
  return SEALED_NO_TOKEN;
}

int map_sealed_page(uint64_t index, uint64_t page, uint64_t slot, const uint64_t ancillary[2]) {
  write_register(DECRYPTION_PAGE, page);
  write_register(DECRYPTION_SLOT, slot);
  write_register(DECRYPTION_ANCILLARY_LOW, ancillary[0]);
  write_register(DECRYPTION_ANCILLARY_HIGH, ancillary[1]);
  write_register(DECRYPTION_INDEX, index);
  return (int)DECRYPTION_STATUS_MAPPING_ERROR(read_register(DECRYPTION_STATUS));
}

// What the notes ask for can be had: all of it, before anything is changed
static int check_notes(uint64_t geometry) {
  uint64_t keys = 0, pages = 0;
  for (const sealed_note *note = hauberk_notes; note < hauberk_notes_end; note++) {
    if (note->kind == 0) continue;
    if (note->mode != DECRYPTION_GEOMETRY_MODE(geometry)) return SEALED_BAD_MODE;
    if (++keys == DECRYPTION_GEOMETRY_KEY_SLOTS(geometry)) return SEALED_KEYS_FULL;
    if (note->pages > DECRYPTION_GEOMETRY_PAGES(geometry) - pages) return SEALED_TABLE_FULL;
    pages += note->pages;
  }
  return SEALED_OK;
}

static int load_keys(void) {
  unsigned slot = 1;
  for (const sealed_note *note = hauberk_notes; note < hauberk_notes_end; note++) {
    if (note->kind == 0) continue;
    const int error = load_sealed_key(note, slot++);
    if (error) return error;
  }
  return SEALED_OK;
}

static int map_pages(void) {
  unsigned slot = 1, index = 0;
  for (const sealed_note *note = hauberk_notes; note < hauberk_notes_end; note++) {
    if (note->kind == 0) continue;
    uint64_t ancillary[2] = {note->ancillary[0], note->ancillary[1]};
    for (uint64_t page = 0; page < note->pages; page++) {
      const int error = map_sealed_page(index, note->address + page * SEALED_PAGE, slot, ancillary);
      if (error) {
        while (index) map_sealed_page(--index, 0, 0, ancillary);
        return error;
      }
      index++;
      next_ancillary(ancillary);
    }
    slot++;
  }
  return SEALED_OK;
}

// Chipyard's harness has no boot header, which says that there is a unit
static bool has_decryption(void) {
#ifdef HTIF
  return false;
#else
  return mmio_read64(BOOT_HEADER_BASE + HEADER_DECRYPTION) == DECRYPTION_BASE;
#endif
}

int unseal(void) {
  const int sealed = count_sealed_notes(hauberk_notes, hauberk_notes_end);
  if (sealed <= 0) return sealed ? SEALED_BAD_NOTE : SEALED_OK;
  if (!has_decryption()) return SEALED_NO_DECRYPTION;
  int error = check_notes(read_register(DECRYPTION_GEOMETRY));
  if (!error) error = load_keys();
  if (!error) error = map_pages();
  __asm__ volatile("fence.i" ::: "memory");
  return error;
}
