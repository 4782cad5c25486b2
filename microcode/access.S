# A call on another stack; and access to memory as whom a trap interrupted, of what may not be there: eight bytes at a
# time if all are multiples of eight, otherwise a byte.
#
#   copy_in(to, from, size, status)    from there into the firmware's memory
#   copy_out(to, from, size, status)   from the firmware's memory to there
#
# status: bits of mstatus to set meanwhile, MPRV among them. The result is 0, or the cause of the trap that an access
# took; mtval says where. What else a trap changes is put back.
  .section .text, "ax"

  .globl call_on_stack
call_on_stack:
  addi sp, sp, -16
  sd ra, 0(sp)
  sd s0, 8(sp)
  mv s0, sp
  mv sp, a0
  mv a0, a2
  jalr a1
  mv sp, s0
  ld ra, 0(sp)
  ld s0, 8(sp)
  addi sp, sp, 16
  ret

  .macro begin
  la t0, fault
  csrrw t0, mtvec, t0
  csrr t1, mepc
  csrr t2, mstatus
  .endm

  .globl copy_in
copy_in:
  begin
  or t3, a0, a1
  or t3, t3, a2
  andi t3, t3, 7
  bnez t3, 1f
2:
  beqz a2, end
  csrs mstatus, a3
  ld t3, 0(a1)
  csrw mstatus, t2
  sd t3, 0(a0)
  addi a0, a0, 8
  addi a1, a1, 8
  addi a2, a2, -8
  j 2b
1:
  beqz a2, end
  csrs mstatus, a3
  lbu t3, 0(a1)
  csrw mstatus, t2
  sb t3, 0(a0)
  addi a0, a0, 1
  addi a1, a1, 1
  addi a2, a2, -1
  j 1b

  .globl copy_out
copy_out:
  begin
1:
  beqz a2, end
  lbu t3, 0(a1)
  csrs mstatus, a3
  sb t3, 0(a0)
  csrw mstatus, t2
  addi a0, a0, 1
  addi a1, a1, 1
  addi a2, a2, -1
  j 1b

end:
  csrw mtvec, t0
  li a0, 0
  ret

  .balign 4
fault:
  csrr a0, mcause
  csrw mepc, t1
  csrw mstatus, t2
  csrw mtvec, t0
  ret
