# Registers of floating point, which a context may have: the sources in C are compiled without.
  .option arch, +d
  .section .text, "ax"

  .globl save_floats
save_floats:
  .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
  fsd f\n, 8*\n(a0)
  .endr
  frcsr t0
  sd t0, 256(a0)
  ret

  .globl zero_floats
zero_floats:
  .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
  fmv.d.x f\n, zero
  .endr
  fscsr zero
  ret

  .globl load_floats
load_floats:
  .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
  fld f\n, 8*\n(a0)
  .endr
  ld t0, 256(a0)
  fscsr t0
  ret
