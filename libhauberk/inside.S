# Where a program enters its context, and where it ends.
#include "tee.h"

  .section .entry, "ax"
  .globl tee_entry
tee_entry:
  .word TEE_INSTRUCTION(TEE_ENTER)
  .option push
  .option norvc
  j 2f
  .option pop
# SHA-256 of the key of the private parts, which hauberk-attest puts here when it seals them
  .globl tee_key_digest
tee_key_digest:
  .zero 32
2:
  .option push
  .option norelax
  la gp, __global_pointer$
  .option pop
  la sp, tee_stack_end
  mv a0, a2
  mv a1, a3
  mv a2, a4
  mv a3, a5
  mv a4, a6
  mv a5, a7
  call tee_main
  mv a1, a0
  li a0, 0
  .word TEE_INSTRUCTION(TEE_EXIT)
1:
  j 1b
