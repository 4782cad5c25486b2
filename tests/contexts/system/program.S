# A program that enters a secure context. Its first instruction does, and what follows is the context's.
#include "user.h"

  .option arch, +d
  .section .text.start, "ax"
  .globl enter
enter:
  .word TEE_INSTRUCTION(TEE_ENTER)
  j begin
  # Here, so that the program uses its first line of code again when it ends
leave:
  .word TEE_INSTRUCTION(TEE_EXIT)
1:
  j 1b
  .balign 16
  # The same program, but by its hash: it may be entered here, too
  .word TEE_INSTRUCTION(TEE_ENTER)
begin:
  # All that is no argument
  mv a1, ra
  .irp n, 2, 3, 4, 5, 6, 7, 8, 9, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
  or a1, a1, x\n
  .endr
  .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
  fmv.x.d a3, f\n
  or a1, a1, a3
  .endr
  li sp, OWN_TABLES
  mv a0, a2
  call program
  j leave

# All registers but sp, a0 and a7 hold what depends on their number. spin(flag) goes on until the word is set;
# call_full(number, result) makes a call. Both give the number of registers that are not as they were.
  .macro fill
  .irp n, 1, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 14, 15, 16, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
  li x\n, 0x5a5a0000 + \n
  .endr
  .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
  fmv.d.x f\n, x31
  .endr
  .endm

  .macro compare
  .irp n, 1, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 14, 15, 16, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30
  li x31, 0x5a5a0000 + \n
  xor x31, x31, x\n
  snez x31, x31
  ld x\n, 8(sp)
  add x\n, x\n, x31
  sd x\n, 8(sp)
  .endr
  .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
  fmv.x.d x30, f\n
  li x31, 0x5a5a0000 + 31
  xor x31, x31, x30
  snez x31, x31
  ld x30, 8(sp)
  add x30, x30, x31
  sd x30, 8(sp)
  .endr
  .endm

  .macro keep
  addi sp, sp, -256
  sd ra, 0(sp)
  sd zero, 8(sp)
  sd gp, 16(sp)
  sd tp, 24(sp)
  .irp n, 8, 9, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27
  sd x\n, 32 + 8*\n(sp)
  .endr
  .endm

  .text
  .globl spin
spin:
  keep
  fill
1:
  ld a7, 0(a0)
  beqz a7, 1b
  j give_back

  .globl call_full
call_full:
  keep
  mv a7, a0
  sd a1, 32(sp)
  fill
  ecall
  ld t0, 32(sp)
  sd a0, 0(t0)
  li t0, 0x5a5a0000 + 5
give_back:                    # and the number of what was changed
  compare
  ld a0, 8(sp)
  ld ra, 0(sp)
  ld gp, 16(sp)
  ld tp, 24(sp)
  .irp n, 8, 9, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27
  ld x\n, 32 + 8*\n(sp)
  .endr
  addi sp, sp, 256
  ret
