# A program whose context draws a secret, and waits in a call. What it gives is the secret. Each instruction has four bytes.
#include "user.h"

  .option norvc
  .section .text.start, "ax"
  .globl enter
enter:
  .word TEE_INSTRUCTION(TEE_ENTER)
1:
  .word TEE_INSTRUCTION(TEE_RANDOM)
  beqz a0, 1b
  li s0, OWN_ZERO
  sd a0, 0(s0)
  li s2, OWN_END
  li a7, CALL_NUMBER
  j 2f
  .org enter + HELD_LINE - OWN - 4
2:
  ecall
  # HELD_LINE
  ld a0, 0(s0)
  .word TEE_INSTRUCTION(TEE_EXIT)
3:
  j 3b
  .org enter + HELD_LINE - OWN + 64
