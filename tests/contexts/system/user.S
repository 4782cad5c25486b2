# The kernel's way to a program and back, the program's code outside its context, and where the program comes from.
#include "user.h"

  .option arch, +d
  .section .text.start, "ax"
  .globl start
start:
  la sp, stacks
  li t0, STACK
  add sp, sp, t0
  tail boot

  .globl start_other
start_other:                  # a0 = hart, a1 = top of stack
  mv sp, a1
  tail boot_other

  .text
# run_user(user *): goes on as the program whose registers, and pc behind them, are there; comes back at its next trap.
  .globl run_user
run_user:
  addi sp, sp, -224
  .irp n, 1, 3, 4, 8, 9, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27
  sd x\n, 8*\n(sp)
  .endr
  ld t0, 256(a0)
  csrw sepc, t0
  csrw sscratch, a0
  la t0, trapped
  csrw stvec, t0
  sd sp, 0(a0)                # in the place of x0
  ld sp, 16(a0)
  .irp n, 1, 3, 4, 6, 7, 8, 9, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
  ld x\n, 8*\n(a0)
  .endr
  csrr t0, cycle
  sd t0, 264(a0)
  ld t0, 40(a0)
  ld a0, 80(a0)
  sret

  .balign 4
trapped:
  csrrw a0, sscratch, a0
  sd t0, 40(a0)
  csrr t0, cycle
  sd t0, 272(a0)
  .irp n, 1, 3, 4, 6, 7, 8, 9, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
  sd x\n, 8*\n(a0)
  .endr
  sd sp, 16(a0)
  ld sp, 0(a0)
  csrr t0, sscratch
  sd t0, 80(a0)
  csrr t0, sepc
  sd t0, 256(a0)
  .irp n, 1, 3, 4, 8, 9, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27
  ld x\n, 8*\n(sp)
  .endr
  addi sp, sp, 224
  ret

# The number of floating-point registers that are not 0, their control register among them
  .globl floats_in_use
floats_in_use:
  li a0, 0
  .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
  fmv.x.d t0, f\n
  snez t0, t0
  add a0, a0, t0
  .endr
  frcsr t0
  snez t0, t0
  add a0, a0, t0
  ret

# All floating-point registers, and the rounding mode, are something
  .globl use_floats
use_floats:
  li t0, 0x123
  .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
  fmv.d.x f\n, t0
  .endr
  li t0, 0x21
  fscsr t0
  ret

  .globl open_floats
open_floats:                  # and a return from here is to a program
  li t0, 0x6000
  csrs sstatus, t0
  li t0, 0x100
  csrc sstatus, t0
  ret

  .globl cause_of_load, cause_of_store, cause_of_fetch, cause_of_entry
cause_of_entry:               # an instruction of contexts, by the kernel
  la t0, 1f
  csrw stvec, t0
  .word TEE_INSTRUCTION(TEE_ENTER)
  li a0, 0
  ret
cause_of_load:
  la t0, 1f
  csrw stvec, t0
  ld t0, 0(a0)
  li a0, 0
  ret
cause_of_store:
  la t0, 1f
  csrw stvec, t0
  sd t0, 0(a0)
  li a0, 0
  ret
cause_of_fetch:               # without page tables: the kernel's own execute no devices
  csrw satp, zero
  sfence.vma
  la t0, 1f
  csrw stvec, t0
  jr a0
  .balign 4
1:
  csrr a0, scause
  li t0, 0x100                # the next return is to a program once more
  csrc sstatus, t0
  ret

# Outside: the program is called with its arguments, and the gate is behind that.
  .section .rodata
  .balign 8
  .globl outside, outside_end
outside:
  li t0, OWN
  jr t0
  .balign 4
  .globl outside_gate
outside_gate:
  .word TEE_INSTRUCTION(TEE_RESUME)
  .word TEE_INSTRUCTION(TEE_RESUME)
  li a7, DONE
  ecall
  .globl outside_stray
outside_stray:
  .word TEE_INSTRUCTION(TEE_RESUME)
  .word TEE_INSTRUCTION(TEE_EXIT)
  .word TEE_INSTRUCTION(TEE_SIGN)
  .word TEE_INSTRUCTION(TEE_KEY)
  .word TEE_INSTRUCTION(TEE_RANDOM)
  .word TEE_INSTRUCTION(TEE_DECRYPT)
  .word TEE_INSTRUCTION(TEE_SET_KEY)
  .word TEE_INSTRUCTION(31)
  .balign 8
outside_end:

  .globl message, message_for_another
message:
  .incbin MESSAGES, 0, 113
message_for_another:
  .incbin MESSAGES, 113, 113

  .globl private_pages
private_pages:
  .incbin MESSAGES, 226, 2 * TEE_PAGE

  .balign 8
  .globl program_code
program_code:
  .incbin PROGRAM
  .balign 8
  .globl program_end
program_end:

  .section .noinit, "aw", @nobits
  .balign 4096
stacks:
  .zero 2 * STACK
