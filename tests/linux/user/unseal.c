// What the notes of this program name is decrypted as long as it runs: the driver has it done for whom has its device
// open.
#include "hauberk.h"
#include "sealed.h"
#include "system.h"

extern const sealed_note hauberk_notes[], hauberk_notes_end[];

int unseal(void) {
  sealed_request request = {.notes = (uint64_t)(uintptr_t)hauberk_notes,
                            .count = (uint64_t)(hauberk_notes_end - hauberk_notes)};
  const int sealed = count_sealed_notes(hauberk_notes, hauberk_notes_end);
  if (sealed <= 0) return sealed ? SEALED_BAD_NOTE : SEALED_OK;
  const long device = open_file("/dev/hauberk-unseal", READ_AND_WRITE | CLOSE_ON_EXECUTE);
  if (device < 0) return SEALED_NO_DECRYPTION;
  const long error = SYSTEM_CALL3(ioctl, device, SEALED_UNSEAL, &request);
  if (error) close_file(device);
  return error < 0 ? SEALED_BAD_NOTE : (int)error;
}
