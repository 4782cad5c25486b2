# Entry of a program under Linux without a C library, and of its threads.
#include <asm/unistd.h>

  .section .text.start, "ax"
  .globl _start
_start:
  .option push
  .option norelax
  la gp, __global_pointer$
  .option pop
  mv a0, sp
  andi sp, sp, -16
  tail start_program

# start_thread(stack, flags, alive, function, argument): the thread calls function(argument) on that stack and ends; the
# kernel sets *alive to 0 when it has.
  .globl start_thread
start_thread:
  mv t0, a2
  mv t1, a3
  mv t2, a4
  mv t3, a0
  mv a0, a1                   # clone(flags, stack, parent's tid, tls, child's tid)
  mv a1, t3
  mv a2, zero
  mv a3, zero
  mv a4, t0
  li a7, __NR_clone
  ecall
  beqz a0, 1f
  ret
1:
  mv a0, t2
  jalr t1
  li a0, 0
  li a7, __NR_exit
  ecall
