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

static uint64_t time_calls(void) {
  register uint64_t before __asm__("a0"), behind __asm__("a1") = 0, number __asm__("a7") = CALL_NUMBER;
  do __asm__ volatile("rdcycle a0\necall\nrdcycle a1" : "=r"(before), "+r"(behind) : "r"(number) : "memory");
  while (before);
  return 0;
}

uint64_t program(uint64_t work) {
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
    default:
      return ~0UL;
  }
}
