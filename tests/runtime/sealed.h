// Sealed code: pages that are ciphertext up to the core's fetch port, their notes in the program, and errors of what
// decrypts them (docs/emu.md). hauberk-seal fills the notes, hauberk.tools.seal.SealedNote has the same layout. For
// programs on the bare SoC and under Linux, and for the driver, so it includes nothing but registers and integers'
// names.
#ifndef HAUBERK_SEALED_H
#define HAUBERK_SEALED_H

#ifdef __KERNEL__
#include <linux/types.h>
#else
#include <stdint.h>
#endif

#include "registers.h"

#define SEALED_PAGE 4096

// An ELF note. Of secrets, the more significant word comes first; of ancillary data, the less significant.
typedef struct {
  uint32_t owner_size, descriptor_size;
  uint32_t kind;  // SEALED_NOTE, or 0 for room that was not needed
  char owner[8];  // "Hauberk"
  uint32_t mode;  // that of the SoC it is for: 1 counter, 2 direct
  uint64_t address, pages, key_id;
  uint64_t ancillary[2];  // of the first page; each following has 256 more
  uint64_t secret[2], check[2];
  uint32_t checksum;  // CRC-32 of what stands before it
} __attribute__((packed, aligned(4))) sealed_note;

#define SEALED_NOTE 1
#define SEALED_NOTE_HEADER 20  // header and owner of an ELF note, which the size of its descriptor does not count

// From the ancillary data of a page to those of the next of its run.
static inline void next_ancillary(uint64_t ancillary[2]) {
  ancillary[0] += 256;
  ancillary[1] += ancillary[0] < 256;
}

// CRC-32 (of ISO-HDLC, as zlib has it) of a note without its checksum.
static inline uint32_t sealed_note_checksum(const sealed_note *note) {
  const uint8_t *bytes = (const uint8_t *)note;
  uint32_t checksum = ~0u;
  for (unsigned i = 0; i < sizeof *note - sizeof note->checksum; i++) {
    checksum ^= bytes[i];
    for (unsigned bit = 0; bit < 8; bit++) checksum = checksum >> 1 ^ (checksum & 1 ? 0xedb88320u : 0);
  }
  return ~checksum;
}

// A note is as the vendor made it, or is room that nobody used. It is damage that shows here: who changes a note on
// purpose can change its checksum, too, and has then only what he could tell the hardware himself.
static inline int sealed_note_is_whole(const sealed_note *note) {
  const uint8_t *bytes = (const uint8_t *)note, *owner = (const uint8_t *)"Hauberk";
  uint8_t difference = 0, used = 0;
  for (unsigned i = 0; i < sizeof note->owner; i++) difference |= (uint8_t)note->owner[i] ^ owner[i];
  for (unsigned i = SEALED_NOTE_HEADER; i < sizeof *note; i++) used |= bytes[i];
  if (difference || note->owner_size != 8 || note->descriptor_size != sizeof *note - SEALED_NOTE_HEADER) return 0;
  if (note->kind == 0) return !used;
  return note->kind == SEALED_NOTE && note->checksum == sealed_note_checksum(note) &&
         note->address % SEALED_PAGE == 0 && note->pages != 0 && note->pages <= (~0UL - note->address) / SEALED_PAGE;
}

// How many notes are of sealed pages; -1 if one is damaged.
static inline int count_sealed_notes(const sealed_note *note, const sealed_note *end) {
  int sealed = 0;
  for (; note < end; note++) {
    if (!sealed_note_is_whole(note)) return -1;
    sealed += note->kind == SEALED_NOTE;
  }
  return sealed;
}

// A program with code to be sealed says so once, outside of functions, with room for so many runs of pages; and marks
// that code, which the linker gives pages of its own. No caller knows more of it than its type. Constants that do not
// fit an instruction, strings and jump tables stay where the compiler puts them, which is not in sealed pages:
// -fno-jump-tables leaves out the last.
#define HAUBERK_SEALED_NOTES(count)                                                                            \
  __attribute__((section(".note.hauberk"), aligned(4), used)) static const sealed_note sealed_notes[count] = { \
      [0 ...(count) - 1] = {8, sizeof(sealed_note) - SEALED_NOTE_HEADER, 0, "Hauberk"}};
#define HAUBERK_SEALED __attribute__((section(".sealed"), noipa, used))

// What became of a command. The hardware's errors come first.
#define SEALED_ERROR(constant, number, name, meaning) SEALED_##constant = number,
enum {
  DECRYPTION_STATUS_MAPPING_ERROR_EACH(SEALED_ERROR)  //
  SEALED_BAD_NOTE,
  SEALED_TABLE_FULL,
  SEALED_KEYS_FULL,
  SEALED_NO_DECRYPTION,
  SEALED_BAD_MODE,
};

// What /dev/hauberk-unseal is asked for under Linux: the notes of the program that asks.
typedef struct {
  uint64_t notes, count;
} sealed_request;
#define SEALED_UNSEAL 0x40104801  // _IOW('H', 1, sealed_request)

// sealed.c, on the bare SoC: the key of a note into a slot; one page into the table; the error.
int load_sealed_key(const sealed_note *note, unsigned slot);
int map_sealed_page(uint64_t index, uint64_t page, uint64_t slot, const uint64_t ancillary[2]);

#endif
