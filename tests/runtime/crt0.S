# Entry and trap entry of a program. All harts enter at _start with a0 = hart id.
#include "platform.h"

  .section .text.start, "ax"
  .globl _start
_start:
  csrw mie, zero
  li t0, 0x2000               # mstatus.FS = initial, interrupts off
  csrw mstatus, t0
  fscsr zero
  .option push
  .option norelax
  la gp, __global_pointer$
  .option pop
  csrr a0, mhartid
  la t0, trap_entry
  csrw mtvec, t0

  li t0, MAX_HARTS
  bgeu a0, t0, no_stack
  jal set_stack

  li t0, CLINT_MSIP_BASE      # whoever woke us: that request is served
  slli t1, a0, 2
  add t0, t0, t1
  sw zero, 0(t0)
  fence iorw, iorw
  li t0, 8                    # software interrupts wake and, once enabled, end a hart
  csrw mie, t0

  bnez a0, other_hart

  la t0, __bss_start
  la t1, __bss_end
1:
  bgeu t0, t1, 2f
  sd zero, 0(t0)
  addi t0, t0, 8
  j 1b
2:
  fence rw, rw
  la t0, memory_ready
  li t1, 1
  sw t1, 0(t0)
  tail start_hart0

other_hart:
  la t0, memory_ready
1:
  lw t1, 0(t0)
  beqz t1, 1b
  fence rw, rw
  tail serve_work

no_stack:
  wfi
  j no_stack

set_stack:                    # clobbers t0, t1; hart id is read again because a trap has no register to spare
  csrr t0, mhartid
  addi t0, t0, 1
  slli t0, t0, STACK_SHIFT
  la sp, __stacks
  add sp, sp, t0
  ret

# No trap returns: an exception ends the program, and the one interrupt we take asks for the end of the program.
# So the stack may start afresh, which also survives a stack overflow.
  .balign 4
trap_entry:
  jal set_stack
  csrr a0, mcause
  csrr a1, mepc
  csrr a2, mtval
  tail handle_trap

  .section .data
  .balign 64                  # a line of its own, polled by the waiting harts
memory_ready:
  .word 0
  .zero 60

#ifdef HTIF
  .globl tohost, fromhost     # the host finds them by name and size, and polls the first from before the program starts
  .size tohost, 8
  .size fromhost, 8
tohost:
  .dword 0
fromhost:
  .dword 0
#endif

  .section .noinit, "aw", @nobits
  .balign 64
__stacks:
  .zero MAX_HARTS << STACK_SHIFT
