#include "sealed.h"

#include "hauberk.h"

const char *unseal_error(int error) {
  static const char *const meanings[] = {
      [SEALED_OK] = "none",
      [SEALED_BAD_INDEX] = "the table of pages has no such entry",
      [SEALED_BAD_SLOT] = "there is no such slot for a key",
      [SEALED_DUPLICATE_PAGE] = "the page is mapped already",
      [SEALED_NO_KEY] = "the slot has no key",
      [SEALED_BAD_APPLICATION] = "the program was not sealed for this processor and this token, or its note is damaged",
      [SEALED_BAD_TOKEN] = "the token was not issued for this processor",
      [SEALED_NO_TOKEN] = "there is no token",
      [SEALED_NO_PROCESSOR_SECRET] = "the processor has no secret in its fuses",
      [SEALED_BAD_PAGE] = "there is no such page",
      [SEALED_BAD_NOTE] = "a note of sealed pages is damaged",
      [SEALED_TABLE_FULL] = "more pages are sealed than the SoC decrypts at a time",
      [SEALED_KEYS_FULL] = "the program has more keys than the SoC has slots",
      [SEALED_NO_DECRYPTION] = "the program is sealed, and this SoC does not decrypt instructions",
      [SEALED_BAD_MODE] = "the program was sealed for an SoC with the other mode of decryption",
  };
  return error >= 0 && (unsigned)error < ARRAY_LENGTH(meanings) ? meanings[error] : "unknown";
}
