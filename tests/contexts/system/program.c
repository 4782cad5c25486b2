// What the program does in its context, and what it gives back.
#include <stdbool.h>

#include "user.h"

uint64_t spin(volatile uint64_t *flag);
uint64_t call_full(uint64_t number, uint64_t *result);

// Of the program's data, which is in its hash, and of what is cleared
static volatile uint64_t secret = SECRET;
static volatile uint64_t *const kept = (uint64_t *)OWN_ZERO;

static uint64_t add(void) {
  const volatile uint64_t *words = (uint64_t *)SHARED;
  uint64_t sum = 0;
  for (unsigned i = 0; i < SUM_WORDS; i++) sum += words[i];
  return sum + secret;
}

static uint64_t call(void) {
  uint64_t result;
  const uint64_t wrong = call_full(CALL_NUMBER, &result);
  return wrong ? wrong << 32 : result;
}

static uint64_t keep(void) {
  if (kept[0] || kept[1]) return 1;
  kept[0] = kept[1] = 0x4b4545504b454550;
  secret++;
  uint64_t result;
  if (call_full(CALL_NUMBER, &result)) return 2;
  return kept[0] == kept[1] && kept[0] == 0x4b4545504b454550 && secret == SECRET + 1 ? 0 : 3;
}

static uint64_t run_outside(void) {
  ((void (*)(void))SHARED)();
  return 0;
}

// Each page in another 2 MiB: more than there are tables
static uint64_t walk(void) {
  uint64_t sum = 0;
  for (unsigned round = 0; round < 2; round++)
    for (unsigned i = 0; i < TABLE_PAGES; i++) sum += *(volatile uint64_t *)(FAR + i * TEE_ALIGNMENT);
  return sum;
}

static uint64_t straddle(void) {
  uint64_t value;
  __asm__ volatile("ld %0, 0(%1)" : "=r"(value) : "r"(FAR + TEE_PAGE - 4) : "memory");
  return value;
}

// What the kernel gives
static uint64_t tell(uint64_t number, uint64_t value) {
  register uint64_t a0 __asm__("a0") = value, a7 __asm__("a7") = number;
  __asm__ volatile("ecall" : "+r"(a0) : "r"(a7) : "memory");
  return a0;
}

static uint64_t time_calls(void) {
  register uint64_t before __asm__("a0"), behind __asm__("a1") = 0, number __asm__("a7") = CALL_NUMBER;
  do __asm__ volatile("rdcycle a0\necall\nrdcycle a1" : "=r"(before), "+r"(behind) : "r"(number) : "memory");
  while (before);
  return 0;
}

static const char message[sizeof MESSAGE - 1] = MESSAGE;
#define RESULT (OWN_ZERO + 1024)

// What is wrong must be refused, and change nothing.
static uint64_t sign_wrongly(void) {
  const struct {
    uint64_t message, bytes, to;
    int64_t error;
  } wrong[] = {{SHARED, 8, RESULT, TEE_INVALID},
               {OWN - 8, 8, RESULT, TEE_INVALID},
               {OWN - 8, 16, RESULT, TEE_INVALID},
               {OWN_END - 4, 8, RESULT, TEE_INVALID},
               {OWN_END + 8, 0, RESULT, TEE_INVALID},
               {OWN, TEE_MOST_MESSAGE + 1, RESULT, TEE_INVALID},
               {OWN, ~0UL, RESULT, TEE_INVALID},
               {(uint64_t)message, 1UL << 63, RESULT, TEE_INVALID},
               {OWN_TABLES, 8, RESULT, TEE_UNMAPPED},
               {OWN_TABLES - 4, 8, RESULT, TEE_UNMAPPED},
               {OWN_TABLES - 3, 4, RESULT, TEE_UNMAPPED},
               {OWN, 8, OWN, TEE_UNMAPPED},
               {OWN, 8, SHARED, TEE_INVALID},
               {OWN, 8, OWN - 32, TEE_INVALID},
               {OWN, 8, OWN_TABLES, TEE_UNMAPPED},
               {OWN, 8, OWN_TABLES - 63, TEE_UNMAPPED},
               {OWN, 8, OWN_END - 63, TEE_INVALID},
               {OWN, 8, ~0UL - 31, TEE_INVALID}};
  // The end of its memory is its stack's
  const volatile uint8_t *last = (uint8_t *)OWN_TABLES - TEE_SIGNATURE;
  uint8_t before[TEE_SIGNATURE];
  for (unsigned i = 0; i < TEE_SIGNATURE; i++) before[i] = last[i];
  uint64_t taken = 0;
  for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    const int64_t error = TEE_SERVICE(TEE_SIGN, wrong[i].message, wrong[i].bytes, wrong[i].to);
    // A processor without a secret does not look at the message
    const bool has_not_looked = error == TEE_NO_SECRET && wrong[i].error == TEE_UNMAPPED && wrong[i].to == RESULT;
    taken += error != wrong[i].error && !has_not_looked;
  }
  const uint64_t places[] = {SHARED, OWN, OWN_END - 63, OWN_TABLES - 63};
  for (unsigned i = 0; i < sizeof places / sizeof *places; i++) taken += TEE_SERVICE(TEE_KEY, places[i], 0, 0) >= 0;
  for (unsigned i = 0; i < TEE_SIGNATURE; i++) taken += last[i] != before[i];
  for (unsigned i = 0; i < TEE_SIGNATURE / 8; i++) taken += ((uint64_t *)RESULT)[i] != 0;
  return taken;
}

static uint64_t sign(void) {
  signed_message *shown = (signed_message *)SIGNED;
  uint64_t wrong = sign_wrongly();
  const int64_t random = TEE_SERVICE(TEE_RANDOM, 0, 0, 0), other = TEE_SERVICE(TEE_RANDOM, 0, 0, 0);
  wrong += !random || !other || random == other;
  const uint64_t begin = cycle();
  const int64_t error = TEE_SERVICE(TEE_SIGN, message, sizeof message, RESULT + 1);
  shown->cycles = cycle() - begin;
  for (unsigned i = 0; i < TEE_SIGNATURE; i++) shown->signature[i] = ((uint8_t *)RESULT)[1 + i];
  return wrong ? wrong : (uint64_t)error;
}

static uint64_t tell_key(void) {
  signed_message *shown = (signed_message *)SIGNED;
  const uint64_t begin = cycle(), wrong = (uint64_t)TEE_SERVICE(TEE_KEY, RESULT, 0, 0);
  shown->cycles = cycle() - begin;
  for (unsigned i = 0; i < TEE_POINT; i++) shown->key[i] = ((uint8_t *)RESULT)[i];
  return wrong;
}

// In its place
static uint64_t decrypt(void) {
  uint8_t *const encrypted = (uint8_t *)OWN_ZERO + 1, *const shown = (uint8_t *)SHARED + 8;
  for (unsigned i = 0; i < ENCRYPTED_BYTES; i++) encrypted[i] = shown[i];
  const uint64_t text = (uint64_t)encrypted + TEE_POINT, bytes = sizeof TEXT - 1;
  const int64_t wrong[] = {TEE_SERVICE(TEE_DECRYPT, SHARED + 8, bytes, text),
                           TEE_SERVICE(TEE_DECRYPT, encrypted, bytes, SHARED),
                           TEE_SERVICE(TEE_DECRYPT, encrypted, TEE_MOST_SECRET + 1, text),
                           TEE_SERVICE(TEE_DECRYPT, encrypted, ~0UL, text),
                           TEE_SERVICE(TEE_DECRYPT, OWN_END - ENCRYPTED_BYTES + 1, bytes, text),
                           TEE_SERVICE(TEE_DECRYPT, encrypted, bytes, OWN),
                           TEE_SERVICE(TEE_DECRYPT, OWN_TABLES - ENCRYPTED_BYTES + 1, bytes, text)};
  static const int64_t errors[] = {TEE_INVALID, TEE_INVALID,  TEE_INVALID, TEE_INVALID,
                                   TEE_INVALID, TEE_UNMAPPED, TEE_UNMAPPED};
  for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++)
    if (wrong[i] != errors[i]) return 1 + i;
  const uint64_t error = (uint64_t)TEE_SERVICE(TEE_DECRYPT, encrypted, bytes, text);
  for (unsigned i = 0; i < ENCRYPTED_BYTES; i++) shown[i] = encrypted[i];
  return error;
}

// Of the right key
static const uint8_t digest[TEE_DIGEST] = {0x81, 0x6b, 0x9e, 0x7c, 0x25, 0xd5, 0x59, 0xc5, 0x76, 0x67, 0x55,
                                           0xb3, 0xbb, 0xb3, 0x66, 0x54, 0xad, 0x45, 0x1e, 0x08, 0x0f, 0xfa,
                                           0x93, 0x69, 0x4a, 0x79, 0x3d, 0x6e, 0xed, 0x41, 0xf4, 0x0a};

// What is wrong is refused while pages wait, for the key and for its digest.
static bool sets_wrong_key(void) {
  static const struct {
    uint64_t at;
    int64_t error;
  } wrong[] = {{SHARED + 8, TEE_INVALID},
               {OWN - 8, TEE_INVALID},
               {PRIVATE_DATA + TEE_PAGE - 8, TEE_INVALID},
               {~0UL - 7, TEE_INVALID},
               {OWN_TABLES, TEE_UNMAPPED},
               {OWN_TABLES - 8, TEE_UNMAPPED},
               {PRIVATE_CODE, TEE_UNMAPPED},
               {PRIVATE_DATA + TEE_PAGE - TEE_DIGEST, TEE_UNMAPPED}};
  for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++)
    if (TEE_SERVICE(TEE_SET_KEY, wrong[i].at, digest, 0) != wrong[i].error ||
        TEE_SERVICE(TEE_SET_KEY, kept, wrong[i].at, 0) != wrong[i].error)
      return true;
  return false;
}

static uint64_t use_private(void) {
  const volatile uint64_t *shown = (uint64_t *)SHARED;
  for (unsigned i = 0; i < 2; i++) kept[i] = shown[1 + i];
  const uint64_t choice = shown[3];
  if (choice != PRIVATE_NONE && sets_wrong_key()) return 1;
  const int64_t error = TEE_SERVICE(TEE_SET_KEY, kept, digest, 0);
  if (error) return (uint64_t)error;
  if (TEE_SERVICE(TEE_SET_KEY, kept, digest, 0) != TEE_STATE) return 2;
  volatile uint64_t *last = (uint64_t *)(PRIVATE_DATA + TEE_PAGE) - 1;
  const uint64_t word = *last;
  *last = 0;
  if (choice == PRIVATE_WRITES) *(volatile uint64_t *)PRIVATE_CODE = 0;
  return word + ((uint64_t(*)(void))(choice == PRIVATE_RUNS_DATA ? PRIVATE_DATA : PRIVATE_CODE))();
}

// Whether many lines of its memory hold this value
static bool holds(uint64_t value) {
  for (uint64_t line = 0; line < TEE_PAGE / 2; line += 64)
    if (kept[line / 8] != value) return false;
  return true;
}

static uint64_t count(void) {
  for (uint64_t i = 0;; i++) {
    if (!holds(i)) return 1;
    for (uint64_t line = 0; line < TEE_PAGE / 2; line += 64) kept[line / 8] = i + 1;
    if (!tell(CALL_NUMBER, i + 1)) return holds(i + 1) ? 0 : 2;
  }
}

static int64_t answer_to(uint64_t number, uint64_t first, uint64_t second, uint64_t third) {
  switch (number % 5) {
    case 0:
      return TEE_SERVICE(TEE_SIGN, first, second, third);
    case 1:
      return TEE_SERVICE(TEE_KEY, first, second, third);
    case 2:
      return TEE_SERVICE(TEE_DECRYPT, first, second, third);
    case 3:
      return TEE_SERVICE(TEE_SET_KEY, first, second, third);
    default:
      return (TEE_SERVICE(TEE_RANDOM, first, second, third), TEE_INVALID);
  }
}

// Each answer must be an error, since the processor has no secret, and what is the program's own stays as it is.
static uint64_t ask(void) {
  const volatile uint64_t *asked = (uint64_t *)SHARED;
  for (unsigned i = 0; i < TEE_PAGE / 16; i++) kept[i] = 0x41534b * i;
  for (uint64_t number; (number = asked[0]) != 0;) {
    const int64_t error = answer_to(number, asked[1], asked[2], asked[3]);
    uint64_t wrong = error >= 0 || error < TEE_NOT_ALLOWED;
    for (unsigned i = 0; i < TEE_PAGE / 16; i++) wrong += kept[i] != 0x41534b * i;
    tell(ASKED_NUMBER, wrong);
  }
  return 0;
}

// On its own memory and registers
static uint64_t busy(void) {
  uint64_t begin = 0;
  for (unsigned time = 0; time < 2; time++) {
    begin = cycle();
    uint64_t word = 1;
    for (unsigned i = 0; i < 20000; i++) {
      word = word * 0x5851f42d4c957f2d + 1;
      kept[word >> 56] += word;
    }
  }
  return cycle() - begin;
}

// Each word is the number of one five lines behind, which comes by the first words of all lines.
static uint64_t use_large(void) {
  volatile uint64_t *const words = (uint64_t *)OWN_END;
  const uint64_t count = LARGE_PAGES * TEE_PAGE / 8, begin = cycle();
  for (uint64_t i = 0; i < count; i++) words[i] = (i + 5 * 8) % count;
  const uint64_t written = cycle();
  uint64_t at = 0;
  do at = words[at];
  while (at);
  return (written - begin) << 32 | (cycle() - written);
}

// What it begins with beside its arguments: the registers' bits
uint64_t program(uint64_t work, uint64_t found) {
  switch (work) {
    case WORK_ADD:
      return add();
    case WORK_SPIN:
      return spin((volatile uint64_t *)SPIN_FLAG);
    case WORK_CALL:
      return call();
    case WORK_KEEP:
      return keep();
    case WORK_WRITE:
      *(volatile uint64_t *)OWN = 0;
      return 0;
    case WORK_RUN:
      return run_outside();
    case WORK_FAR:
      return walk();
    case WORK_ABOVE:
      return *(volatile uint64_t *)OWN_END;
    case WORK_STRADDLE:
      return straddle();
    case WORK_SECOND:
      __asm__ volatile(".word %0" ::"i"(TEE_INSTRUCTION(TEE_ENTER)));
      return 0;
    case WORK_RESUME:
      __asm__ volatile("li s1, 1\n.word %0" ::"i"(TEE_INSTRUCTION(TEE_RESUME)) : "s1");
      return 0;
    case WORK_STORE:
      ((volatile uint64_t *)SHARED)[1] = ((volatile uint64_t *)SHARED)[0] + 1;
      return 0;
    case WORK_TIME:
      return time_calls();
    case WORK_SIGN:
      return sign();
    case WORK_KEY:
      return tell_key();
    case WORK_DECRYPT:
      return decrypt();
    case WORK_BUSY:
      return busy();
    case WORK_LARGE:
      return use_large();
    case WORK_PRIVATE:
      return use_private();
    case WORK_COUNT:
      return count();
    case WORK_ASK:
      return ask();
    case WORK_BEGIN:
      return found;
    default:
      return 1;
  }
}
