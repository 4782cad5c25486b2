# All registers at once, for test.c.
  .option arch, +d

# A hart may come with anything in its registers
  .section .text.first, "ax"
  .globl first
first:
  li t0, 8
  csrw mie, t0
  csrw mscratch, t0
  j _start

  .section .text, "ax"

# trap_with(registers): a trap with these in x1 to x31. It comes back to `captured`, or to where it was called
  .globl trap_with
trap_with:
  la t0, kept_stack
  sd sp, 0(t0)
  sd ra, 8(t0)
  .irp n, 8, 9, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27
  sd x\n, 8*\n(t0)
  .endr
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
  ld sp, 0(t0)
  ld ra, 8(t0)
  .irp n, 8, 9, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27
  ld x\n, 8*\n(t0)
  .endr
  ret

  .globl set_floats
set_floats:
  .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
  fld f\n, 8*\n(a0)
  .endr
  ld t0, 256(a0)
  fscsr t0
  ret

  .globl get_floats
get_floats:
  .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
  fsd f\n, 8*\n(a0)
  .endr
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
