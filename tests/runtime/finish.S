# The end of a program, and of Linux.
#include "platform.h"

  .section .text, "ax"
# finish(value, protector). Caches are flushed from the cores towards memory: L1, last-level cache, protector. From the
# first flush on nothing may dirty a cache: an eviction after the counter flush would leave a counter in the protector
# that DRAM does not have. Hence registers only, and hence assembly. Before the result leaves, a protector that logs
# accesses checks its log; any other ignores that.
  .globl finish
finish:
  fence iorw, iorw
#ifdef HAS_CACHE_FLUSH
  .word 0xfc000073            # CFLUSH.D.L1 x0
  fence iorw, iorw
  li t1, HEADER_BASE
  ld t1, HEADER_CACHE(t1)
  beqz t1, 4f
  li t0, CACHE_CMD_FLUSH
  sd t0, CACHE_CMD(t1)
  fence iorw, iorw
1:
  ld t0, CACHE_STATUS(t1)
  andi t0, t0, CACHE_STATUS_FLUSH_BUSY
  bnez t0, 1b
4:
#endif
  beqz a1, 2f
  li t2, PROTECTOR_STATUS_CHECK_BUSY
  li t0, PROTECTOR_CMD_CHECK
  sd t0, PROTECTOR_CMD(a1)
  fence iorw, iorw
1:
  ld t0, PROTECTOR_STATUS(a1)
  and t0, t0, t2
  bnez t0, 1b
  li t0, PROTECTOR_CMD_FLUSH
  sd t0, PROTECTOR_CMD(a1)
  fence iorw, iorw
1:
  ld t0, PROTECTOR_STATUS(a1)
  andi t0, t0, PROTECTOR_STATUS_FLUSH_BUSY
  bnez t0, 1b
2:
#ifdef HTIF
  la t0, tohost
1:
  ld t1, 0(t0)                # not yet taken: the last character
  bnez t1, 1b
  sd a0, 0(t0)
#else
  li t0, FINISHER_BASE
  sw a0, 0(t0)
#endif
3:
  wfi
  j 3b
