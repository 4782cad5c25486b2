// Code that a vendor may seal: hauberk-seal --sections .sealed (docs/emu.md). It runs as it is, too.
//
// Check: a loop over the same constants, in plaintext, computes what the sealed functions must; and loads see the same
// bytes of them before and after they can be run, which are ciphertext if they are sealed.
#include "hauberk.h"
#include "sealed.h"

HAUBERK_SEALED_NOTES(2)

#define ROUNDS 64

// Three pages, one for each function
#define PAGE __attribute__((aligned(SEALED_PAGE)))
static HAUBERK_SEALED PAGE uint32_t first(uint32_t value, uint32_t key) { return (value ^ key) * 0x01000193u; }
static HAUBERK_SEALED PAGE uint32_t second(uint32_t value, uint32_t key) {
  return first(value >> 3 | value << 29, key) + key;
}
static HAUBERK_SEALED PAGE uint32_t third(uint32_t value) {
  for (uint32_t i = 0; i < ROUNDS; i++) value = second(value, i) ^ first(value, ~i);
  return value;
}

static uint32_t __attribute__((noinline)) in_plaintext(uint32_t value) {
  for (uint32_t i = 0; i < ROUNDS; i++) {
    uint32_t turned = value >> 3 | value << 29;
    value = ((turned ^ i) * 0x01000193u + i) ^ (value ^ ~i) * 0x01000193u;
  }
  return value;
}

static RESULTS uint32_t values[4];

static void work(unsigned hart, unsigned harts) {
  (void)harts;
  __asm__ volatile("fence.i" ::: "memory");
  values[hart] = third(hart + 1);
}

int main(void) {
  const uint8_t *code = (const uint8_t *)((uintptr_t)third & ~(uintptr_t)(SEALED_PAGE - 1));
  uint64_t before = fnv1a(FNV_OFFSET, code, SEALED_PAGE);
  int error = unseal();
  if (error) {
    print("sealed: %s\n", unseal_error(error));
    exit_program(64 + (unsigned)error);
  }
  kernel_begin();
  on_every_hart(work);
  kernel_end();
  for (unsigned hart = 0; hart < hart_count(); hart++) {
    expect(values[hart] == in_plaintext(hart + 1), "sealed code computes what the loop computes");
  }
  expect(fnv1a(FNV_OFFSET, code, SEALED_PAGE) == before, "loads see the same bytes once the code can be run");
  return 0;
}
