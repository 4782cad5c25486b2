#include "sealed.h"

#include "hauberk.h"
#include "internal.h"

extern const sealed_note hauberk_notes[], hauberk_notes_end[];

static uint64_t read_register(unsigned offset) { return mmio_read64(DECRYPTION_BASE + offset); }
static void write_register(unsigned offset, uint64_t value) { mmio_write64(DECRYPTION_BASE + offset, value); }

int load_sealed_key(const sealed_note *note, unsigned slot) {
  for (unsigned i = 0; i < 2; i++) {
    write_register(DECRYPTION_APPLICATION + 8 * i, note->secret[i]);
    write_register(DECRYPTION_CHECK + 8 * i, note->check[i]);
  }
  write_register(DECRYPTION_KEY_ID, note->key_id);
  write_register(DECRYPTION_KEY, slot);
  uint64_t status;
  do status = read_register(DECRYPTION_KEY_STATUS);
  while (DECRYPTION_KEY_BUSY(status));
  return (int)DECRYPTION_KEY_ERROR(status);
}

int map_sealed_page(uint64_t index, uint64_t page, uint64_t slot, const uint64_t ancillary[2]) {
  write_register(DECRYPTION_PAGE, page);
  write_register(DECRYPTION_SLOT, slot);
  write_register(DECRYPTION_ANCILLARY_LOW, ancillary[0]);
  write_register(DECRYPTION_ANCILLARY_HIGH, ancillary[1]);
  write_register(DECRYPTION_INDEX, index);
  return (int)DECRYPTION_MAPPING_ERROR(read_register(DECRYPTION_STATUS));
}

static bool makes_sense(const sealed_note *note) {
  return note->owner_size == 8 && note->descriptor_size == sizeof *note - 20 &&
         memcmp(note->owner, "Hauberk", 8) == 0 &&
         (note->kind == 0 || (note->kind == SEALED_NOTE && note->address % SEALED_PAGE == 0 && note->pages != 0 &&
                              note->address + note->pages * SEALED_PAGE > note->address));
}

int unseal(void) {
  uint64_t sealed = 0;
  for (const sealed_note *note = hauberk_notes; note < hauberk_notes_end; note++) {
    if (!makes_sense(note)) return SEALED_BAD_NOTE;
    sealed += note->kind;
  }
  if (sealed == 0) return SEALED_OK;
#ifdef HTIF
  return SEALED_NO_DECRYPTION;
#endif
  if (mmio_read64(BOOT_HEADER_BASE + HEADER_DECRYPTION) != DECRYPTION_BASE) return SEALED_NO_DECRYPTION;

  uint64_t geometry = read_register(DECRYPTION_GEOMETRY);
  unsigned slot = 1, index = 0;
  for (const sealed_note *note = hauberk_notes; note < hauberk_notes_end; note++) {
    if (note->kind != SEALED_NOTE) continue;
    if (note->mode != DECRYPTION_MODE(geometry)) return SEALED_BAD_MODE;
    if (slot == DECRYPTION_KEY_SLOTS(geometry)) return SEALED_KEYS_FULL;
    int error = load_sealed_key(note, slot);
    if (error) return error;
    uint64_t ancillary[2] = {note->ancillary[0], note->ancillary[1]};
    for (uint64_t page = 0; page < note->pages; page++) {
      if (index == DECRYPTION_PAGES(geometry)) return SEALED_TABLE_FULL;
      error = map_sealed_page(index++, note->address + page * SEALED_PAGE, slot, ancillary);
      if (error) return error;
      next_ancillary(ancillary);
    }
    slot++;
  }
  __asm__ volatile("fence.i" ::: "memory");
  return SEALED_OK;
}
