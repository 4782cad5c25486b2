# Entry of all harts, a0 = hart; trap entry; and the way down to the supervisor.
#include "platform.h"

#define FRAME 256  // sizeof(trap_frame)

  .section .text.start, "ax"
  .globl _start
_start:
  csrw mie, zero
  csrw mscratch, zero
  la t0, harts_arrived
  li t1, 1
  amoadd.w zero, t1, (t0)
  li t0, MAX_HARTS
  bgeu a0, t0, no_stack
  la t0, trap_entry
  csrw mtvec, t0
  call set_stack
  bnez a0, 2f

  la t0, __bss_start
  la t1, __bss_end
1:
  sd zero, 0(t0)
  addi t0, t0, 8
  bltu t0, t1, 1b
  fence rw, rw
  la t0, memory_ready
  li t1, 1
  sw t1, 0(t0)
  tail start_hart0

2:
  la t0, memory_ready
1:
  lw t1, 0(t0)
  beqz t1, 1b
  fence rw, rw
  tail start_other_hart

no_stack:
  wfi
  j no_stack

set_stack:                    # of hart a0, below its own frame; clobbers t0
  addi t0, a0, 1
  slli t0, t0, STACK_SHIFT
  la sp, __stacks - FRAME
  add sp, sp, t0
  ret

  .globl leave_stack
leave_stack:
  call set_stack
  tail wait_for_start

# mscratch is the frame of whom this hart runs, and zero while its firmware runs: nothing here may trap.
  .balign 4
trap_entry:
  csrrw sp, mscratch, sp
  beqz sp, trap_in_firmware
  .irp n, 1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
  sd x\n, 8*\n(sp)
  .endr
  csrrw t0, mscratch, zero
  sd t0, 16(sp)
  sd zero, 0(sp)
  mv s0, sp
  csrr a0, mhartid
  call set_stack
  mv a0, s0
  call serve_trap

  .globl go_on
go_on:                        # as whose frame a0 is
  csrw mscratch, a0
  mv sp, a0
  .irp n, 1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
  ld x\n, 8*\n(sp)
  .endr
  ld sp, 16(sp)
  mret

  .globl go_on_shown
go_on_shown:                  # the same, with 0 in all but the registers of a context that are shown
  csrw mscratch, a0
  mv sp, a0
  .irp n, 9, 10, 11, 12, 13, 14, 15, 16, 17
  ld x\n, 8*\n(sp)
  .endr
  .irp n, 1, 3, 4, 5, 6, 7, 8, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
  li x\n, 0
  .endr
  ld sp, 16(sp)
  mret

trap_in_firmware:             # and another trap comes here, too
  csrw mscratch, zero
  csrr a0, mhartid
  call set_stack
  csrr a0, mcause
  csrr a1, mepc
  csrr a2, mtval
  tail die_of_trap

# enter_supervisor(hart, start, argument): the stack is as empty as at the start, whoever calls.
  .globl enter_supervisor
enter_supervisor:
  call set_stack
  csrw mscratch, sp
  csrw mepc, a1
  csrw satp, zero
  csrw sie, zero
  li t0, 0x1800               # mstatus.MPP = supervisor
  csrc mstatus, t0
  li t0, 0x0800
  csrs mstatus, t0
  mv a1, a2
  fence.i
  mret

  .section .data
  .balign 64
memory_ready:
  .word 0
  .globl harts_arrived
harts_arrived:
  .word 0

  .section .noinit, "aw", @nobits
  .balign 64
  .globl __stacks
__stacks:
  .zero MAX_HARTS << STACK_SHIFT
