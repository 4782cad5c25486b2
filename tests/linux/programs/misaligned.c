// Loads and stores at addresses that are no multiple of their size, in all their forms, within lines and across lines
// and pages: Rocket does not have them, so they are the firmware's.
#include "hauberk.h"

#define PAGE 4096

static _Alignas(PAGE) uint8_t memory[2 * PAGE];
RESULTS static uint64_t loaded;

// The bytes of a value of so many bytes, put together one by one.
static uint64_t bytes_at(const uint8_t *at, unsigned size) {
  uint64_t value = 0;
  for (unsigned i = size; i-- > 0;) value = value << 8 | at[i];
  return value;
}

#define LOAD(form, at)                                                       \
  ({                                                                         \
    uint64_t value_;                                                         \
    __asm__ volatile(form " %0, 0(%1)" : "=r"(value_) : "r"(at) : "memory"); \
    value_;                                                                  \
  })
#define STORE(form, at, value) __asm__ volatile(form " %1, 0(%0)" ::"r"(at), "r"(value) : "memory")

static void check_loads(const uint8_t *at) {
  expect(LOAD("lhu", at) == bytes_at(at, 2), "lhu loads what is there");
  expect(LOAD("lh", at) == (uint64_t)(int16_t)bytes_at(at, 2), "lh extends the sign");
  expect(LOAD("lwu", at) == bytes_at(at, 4), "lwu loads what is there");
  expect(LOAD("lw", at) == (uint64_t)(int32_t)bytes_at(at, 4), "lw extends the sign");
  expect(LOAD("ld", at) == bytes_at(at, 8), "ld loads what is there");
  loaded += LOAD("ld", at);
}

static void check_stores(uint8_t *at) {
  const uint64_t value = mix64((uint64_t)(at - memory)), before = at[8];
  STORE("sd", at, value);
  expect(bytes_at(at, 8) == value && at[8] == before, "sd stores eight bytes");
  STORE("sw", at + 1, ~value);
  expect(bytes_at(at + 1, 4) == (uint32_t)~value && at[0] == (uint8_t)value && at[5] == (uint8_t)(value >> 40),
         "sw stores four");
  STORE("sh", at + 1, value);
  expect(bytes_at(at + 1, 2) == (uint16_t)value && at[3] == (uint8_t)(~value >> 16), "sh stores two");
}

int main(void) {
  kernel_begin();
  for (unsigned i = 0; i < sizeof memory; i++) memory[i] = (uint8_t)mix64(i);
  for (unsigned offset = 1; offset < 8; offset += 2) {
    check_loads(memory + 64 * offset + offset);
    check_loads(memory + PAGE - offset);
    check_stores(memory + 1024 + 64 * offset + offset);
    check_stores(memory + PAGE - offset);
  }
  kernel_end();
  return 0;
}
