# hauberk_enter(program, entry, arguments, result): calls the program's first instruction, which enters. It comes back
# behind the gate with all registers as they were, but a0, a1 and those of floating point.
#include "tee.h"

  .option arch, +d
  .text
  .balign 4
  .globl hauberk_enter
hauberk_enter:
  addi sp, sp, -128
  sd ra, 0(sp)
  sd a3, 8(sp)
  .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
  fsd fs\n, 16 + 8*\n(sp)
  .endr
  frcsr t0
  sd t0, 112(sp)
  mv t0, a1
  mv t1, a2
  la a1, gate
  ld a2, 0(t1)
  ld a3, 8(t1)
  ld a4, 16(t1)
  ld a5, 24(t1)
  ld a6, 32(t1)
  ld a7, 40(t1)
  jr t0
  .balign 4
gate:
  .word TEE_INSTRUCTION(TEE_RESUME)
  .word TEE_INSTRUCTION(TEE_RESUME)
  ld t0, 112(sp)
  fscsr t0
  ld ra, 0(sp)
  ld t0, 8(sp)
  .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
  fld fs\n, 16 + 8*\n(sp)
  .endr
  addi sp, sp, 128
  bnez a0, 1f
  sd a1, 0(t0)
1:
  ret
