// A player (AEGIS, 4.2): it asks for content with a fresh nonce, and signs that. The answer is a key for AES-GCM,
// encrypted for this program on this processor, and under this key the nonce and the content. It plays each answer
// once, and none to another question.
#include <bearssl.h>

#include "inside.h"
#include "player.h"
#include "text.h"

#define NONCE_BYTES 16
#define KEY_BYTES 16
#define SEALED_BYTES (TEE_POINT + KEY_BYTES + TEE_TAG)
#define MOST_CONTENT 256
#define READ 63
#define WRITE 64

static player_shared *outside;
static uint8_t sealed[SEALED_BYTES], content[NONCE_BYTES + MOST_CONTENT + TEE_TAG];
static char text[256];

static void print(const char *from, size_t count) {
  for (size_t i = 0; i < count; i++) outside->line[i] = from[i];
  tee_system_call(WRITE, 1, (uint64_t)outside->line, count);
}

static void say(const char *sentence) {
  char line[128];
  char *end = add_text(add_text(add_text(line, "hauberk-player: "), sentence), "\n");
  print(line, (size_t)(end - line));
}

static bool ask(uint64_t choice, uint8_t *nonce) {
  uint8_t signature[TEE_SIGNATURE];
  for (unsigned i = 0; i < NONCE_BYTES; i += 8) {
    const uint64_t word = tee_random();
    for (unsigned byte = 0; byte < 8; byte++) nonce[i + byte] = (uint8_t)(word >> 8 * byte);
  }
  char *end = add_number(add_text(text, "choice "), choice % 10);
  end = add_hex(add_text(end, " nonce "), nonce, NONCE_BYTES);
  const size_t bytes = (size_t)(end - text);
  if (tee_sign(text, bytes, signature)) return false;
  char line[512];
  end = add_text(line, "hauberk-player: asks ");
  for (size_t i = 0; i < bytes; i++) *end++ = text[i];
  end = add_text(add_hex(add_text(end, " signature "), signature, sizeof signature), "\n");
  print(line, (size_t)(end - line));
  return true;
}

// Under the key that came with it
static bool decrypt(size_t bytes) {
  static const uint8_t counter[12];
  uint8_t key[KEY_BYTES];
  if (tee_decrypt(sealed, KEY_BYTES, key)) {
    say("refused: the key is for another program or processor");
    return false;
  }
  br_aes_ct64_ctr_keys cipher;
  br_gcm_context gcm;
  br_aes_ct64_ctr_init(&cipher, key, sizeof key);
  br_gcm_init(&gcm, &cipher.vtable, br_ghash_ctmul64);
  br_gcm_reset(&gcm, counter, sizeof counter);
  br_gcm_flip(&gcm);
  br_gcm_run(&gcm, 0, content, bytes);
  if (br_gcm_check_tag(&gcm, content + bytes)) return true;
  say("refused: the content is not under this key");
  return false;
}

static bool plays(const uint8_t *nonce, size_t bytes) {
  if (bytes < NONCE_BYTES + TEE_TAG || !decrypt(bytes - TEE_TAG)) return false;
  for (unsigned i = 0; i < NONCE_BYTES; i++)
    if (content[i] != nonce[i]) {
      say("refused: the content is for another request");
      return false;
    }
  char line[MOST_CONTENT + 64], *end = add_text(line, "hauberk-player: plays ");
  for (size_t i = NONCE_BYTES; i < bytes - TEE_TAG; i++) *end++ = (char)content[i];
  *end++ = '\n';
  print(line, (size_t)(end - line));
  return true;
}

int64_t tee_main(uint64_t at, uint64_t choice, uint64_t a2, uint64_t a3, uint64_t a4, uint64_t a5) {
  (void)a2, (void)a3, (void)a4, (void)a5;
  outside = (player_shared *)at;
  if (!tee_is_outside(at, sizeof *outside)) return PLAYER_FAILED;
  for (int64_t played = 0;;) {
    uint8_t nonce[NONCE_BYTES];
    if (!ask(choice, nonce)) return PLAYER_FAILED;
    const int64_t count = tee_system_call(READ, 0, at, PLAYER_LINE);
    size_t position = 0;
    if (count <= 0 || take_hex(outside->line, PLAYER_LINE, &position, sealed, sizeof sealed) != sizeof sealed)
      return played;
    position++;
    played += plays(nonce, take_hex(outside->line, PLAYER_LINE, &position, content, sizeof content));
  }
}
