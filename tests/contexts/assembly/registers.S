# All registers at once, for test.c.
  .option arch, +d

#include "platform.h"

#define FIFTH 4
#define PROTECTOR 0x80c00000  // Makefile
#define OTHERS 3  // bits of its status that say nothing of a check
#define WHILE 10000000

# A hart may come with anything in its registers. The fifth is a protector, in memory, before it is a hart
  .section .first, "awx"
  .globl first
first:
  li t0, 8
  csrw mie, t0
  csrw mscratch, t0
  li t0, FIFTH
  bne a0, t0, load_microcode
  li t1, PROTECTOR
  li t3, PROTECTOR_CMD_CHECK
1:
  ld t0, PROTECTOR_CMD(t1)
  bne t0, t3, 1b
  # It is asked when all is there, and nothing runs before it has ended, and not after an alarm
  la t4, microcode_end
  ld t4, -8(t4)
  la t5, protector_saw
  sd t4, 0(t5)
  .irp status, PROTECTOR_STATUS_CHECK_BUSY + OTHERS, PROTECTOR_STATUS_ALARM + OTHERS, OTHERS
  li t0, WHILE
1:
  addi t0, t0, -1
  bnez t0, 1b
  la t4, harts_arrived
  lw t4, 0(t4)
  sd t4, 8(t5)
  bnez t4, 2f
  li t0, \status
  sd t0, PROTECTOR_STATUS(t1)
  .endr
2:
  j load_microcode
  .balign 8
  .globl protector_saw
protector_saw:
  .dword 0, -1

  .section .text, "ax"

# On each register of floating point, with its place behind a0
  .macro each_float operation
  .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
  \operation f\n, 8*\n(a0)
  .endr
  .endm

# On each register that a function keeps, with its place in kept_stack, which t0 has
  .macro each_kept operation
  \operation sp, 0(t0)
  \operation ra, 8(t0)
  .irp n, 8, 9, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27
  \operation x\n, 8*\n(t0)
  .endr
  .endm

# trap_with(registers): a trap with these in x1 to x31. It comes back to `captured`, or to where it was called
  .globl trap_with
trap_with:
  la t0, kept_stack
  each_kept sd
  mv t6, a0
  .irp n, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30
  ld x\n, 8*\n(t6)
  .endr
  ld x31, 8*31(t6)
  .globl trapped_at
trapped_at:
  ecall

# What goes on here has its registers looked at, and returns to who has called trap_with
  .globl capture
capture:
  csrw sscratch, t0
  la t0, captured
  .irp n, 1, 2, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
  sd x\n, 8*\n(t0)
  .endr
  csrr t1, sscratch
  sd t1, 8*5(t0)
  csrr t1, mscratch
  sd t1, 0(t0)
  la t0, kept_stack
  each_kept ld
  ret

  .globl set_floats
set_floats:
  each_float fld
  ld t0, 256(a0)
  fscsr t0
  ret

  .globl get_floats
get_floats:
  each_float fsd
  frcsr t0
  sd t0, 256(a0)
  ret

# In the supervisor: its hart and argument, and a trap
  .globl supervisor
supervisor:
  la t0, seen
  sd a0, 0(t0)
  sd a1, 8(t0)
  csrr t1, satp
  sd t1, 16(t0)
  csrr t1, sie
  sd t1, 24(t0)
  ecall

  .section .noinit, "aw", @nobits
  .balign 8
  .globl captured
captured:
  .zero 256
kept_stack:
  .zero 256
