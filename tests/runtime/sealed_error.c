#include "sealed.h"

#include "hauberk.h"

#define MEANING(constant, number, name, meaning) [SEALED_##constant] = meaning,

const char *unseal_error(int error) {
  static const char *const meanings[] = {
      [SEALED_BAD_NOTE] = "a note of sealed pages is damaged",
      [SEALED_TABLE_FULL] = "more pages are sealed than the SoC decrypts at a time",
      [SEALED_KEYS_FULL] = "the program has more keys than the SoC has slots",
      [SEALED_NO_DECRYPTION] = "the program is sealed, and this SoC does not decrypt instructions",
      [SEALED_BAD_MODE] = "the program was sealed for an SoC with the other mode of decryption",
      DECRYPTION_STATUS_MAPPING_ERROR_EACH(MEANING)};
  return error >= 0 && (unsigned)error < ARRAY_LENGTH(meanings) ? meanings[error] : "unknown";
}
