# Entry of an embedded program. Hart 0 runs it and any other sleeps. There is no LR/SC and no AMO, here and in all that
# these programs are linked from: memory behind a data cache of 0 KB has neither.
  .section .text.start, "ax"
  .globl _start
_start:
  csrw mie, zero
  li t0, 0x1a000              # mstatus: FS = initial, XS = dirty for instructions that steer counters, interrupts off
  csrw mstatus, t0
  fscsr zero
  .option push
  .option norelax
  la gp, __global_pointer$
  .option pop
  la t0, trap_entry
  csrw mtvec, t0
  csrr t0, mhartid
  bnez t0, sleep

  la sp, __stack_top
  la tp, __tls_base           # errno of the C library
  la t0, __bss_start
  la t1, __bss_end
1:
  bgeu t0, t1, 2f
  sd zero, 0(t0)
  addi t0, t0, 8
  j 1b
2:
  tail run_program

sleep:
  wfi
  j sleep

# No trap returns, so the stack may start afresh, which also survives a stack overflow.
  .balign 4
trap_entry:
  la sp, __stack_top
  csrr a0, mcause
  csrr a1, mepc
  csrr a2, mtval
  tail handle_trap

  .section .noinit, "aw", @nobits
  .balign 64
  .zero 128 << 10             # LAME keeps working sets on its stack
__stack_top:
