# The first instructions of a package with secure contexts: hart 0 copies the microcode into its memory on the chip, has
# it verified, and all harts go on there. The supervisor may change these instructions then, so start_hart0 waits until all harts have left them.
#include "platform.h"

  .section .loader, "awx"
  .globl load_microcode
load_microcode:
  bnez a0, 2f
  la t0, microcode_loaded
  la t1, microcode_start
  la t2, microcode_end
1:
  ld t3, 0(t0)
  sd t3, 0(t1)
  addi t0, t0, 8
  addi t1, t1, 8
  bltu t1, t2, 1b
  fence iorw, iorw
  # Nothing of the copy runs before it is verified. A scheme that verifies before use has no check to wait for; without a
  # protector nothing is safe.
  li t0, BOOT_HEADER_BASE
  ld t0, HEADER_PROTECTOR(t0)
  beqz t0, .
  li t1, PROTECTOR_CMD_CHECK
  sd t1, PROTECTOR_CMD(t0)
  fence iorw, iorw
  li t2, PROTECTOR_STATUS_CHECK_BUSY | PROTECTOR_STATUS_ALARM
1:
  ld t1, PROTECTOR_STATUS(t0)
  and t1, t1, t2
  bnez t1, 1b
  la t0, is_there
  li t1, 1
  sw t1, 0(t0)
  j 3f
2:
  la t0, is_there
1:
  lw t1, 0(t0)
  beqz t1, 1b
  fence rw, rw
3:
  fence.i
  tail _start

  .balign 4
is_there:
  .word 0
