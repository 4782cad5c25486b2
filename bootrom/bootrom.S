// Boot ROM of every Hauberk SoC. It reads from the boot header what this SoC and this program package are, has the
// memory protector (where there is one) take its keys and arm itself, and only then lets any hart leave for DRAM.
// No key passes through it: the wrapped key it copies is useless without the fuses, which software cannot read.
//
// Every hart starts at offset 0x40. Rocket Chip places the device tree right behind this file, at `_dtb`.

#include "platform.h"
#include "registers.h"

        .option norvc
        .option norelax                 // the linker moves nothing: the image ends exactly at _dtb
        .section .text.start, "ax"
        .globl  _start
_start:
        j       reset

        .org    0x40
reset:
        csrwi   mie, 0
        la      t0, trapped
        csrw    mtvec, t0               // nothing here may trap: if it does, say so instead of hanging
        li      s0, HEADER_BASE
        csrr    t0, mhartid
        bnez    t0, secondary

primary:
        ld      s1, HEADER_PROTECTOR(s0)
        beqz    s1, release             // no protector in this SoC

        ld      t0, HEADER_WRAPPED_KEY_0(s0)
        ld      t1, HEADER_WRAPPED_KEY_1(s0)
        ld      t2, HEADER_WRAPPED_KEY_2(s0)
        sd      t0, PROTECTOR_WRAPPED_KEY_0(s1)
        sd      t1, PROTECTOR_WRAPPED_KEY_1(s1)
        sd      t2, PROTECTOR_WRAPPED_KEY_2(s1)
        ld      t0, HEADER_IMAGE_BLOCKS(s0)
        sd      t0, PROTECTOR_IMAGE_BLOCKS(s1)
        fence   io, io
        li      t0, PROTECTOR_CMD_UNWRAP
        sd      t0, PROTECTOR_CMD(s1)
        li      t0, PROTECTOR_CMD_DYNAMIC_KEY
        sd      t0, PROTECTOR_CMD(s1)
        li      a2, PROTECTOR_STATUS_INITIALIZED | PROTECTOR_STATUS_STATIC_KEY | PROTECTOR_STATUS_DYNAMIC_KEY
        jal     await

        li      t0, PROTECTOR_CMD_ARM
        sd      t0, PROTECTOR_CMD(s1)
        li      t0, PROTECTOR_CMD_LOCK
        sd      t0, PROTECTOR_CMD(s1)
        li      a2, PROTECTOR_STATUS_ARMED | PROTECTOR_STATUS_LOCKED
        jal     await

// Hart 0 wakes the others by software interrupt. The interrupt is a level: a hart that comes late still finds it.
release:
        fence   iorw, iorw
        ld      t0, HEADER_HARTS(s0)
        li      t1, CLINT_MSIP
        li      t2, 1
1:      addi    t0, t0, -1
        blez    t0, enter
        addi    t1, t1, 4
        sw      t2, 0(t1)
        j       1b

secondary:
        slli    t0, t0, 2
        li      t1, CLINT_MSIP
        add     t1, t1, t0
        csrwi   mie, MIP_MSIP           // only so that wfi wakes up: mstatus.MIE stays 0
1:      wfi
        csrr    t0, mip
        andi    t0, t0, MIP_MSIP
        beqz    t0, 1b
        sw      zero, 0(t1)
        fence   io, io
2:      csrr    t0, mip                 // leave with no software interrupt pending
        andi    t0, t0, MIP_MSIP
        bnez    t0, 2b
        csrwi   mie, 0

enter:
        ld      t0, HEADER_ENTRY(s0)
        csrr    a0, mhartid
        la      a1, _dtb
        fence.i
        jr      t0

// Waits until every status bit in a2 is set; a refusal by the protector ends the run.
await:
        li      t2, PROTECTOR_STATUS_UNWRAP_FAILED | PROTECTOR_STATUS_ALARM | PROTECTOR_STATUS_HALTED
1:      ld      t0, PROTECTOR_STATUS(s1)
        and     t1, t0, t2
        bnez    t1, fail
        and     t1, t0, a2
        bne     t1, a2, 1b
        ret

fail:
        li      t1, FINISHER_FAIL | (BOOT_REFUSED << 16)
end:
        li      t0, FINISHER_BASE
        sw      t1, 0(t0)
1:      wfi
        j       1b

// A trap of the program comes here, too, until it sets mtvec: it has mepc in DRAM, or wherever it jumped to.
        .balign 4                       // mtvec ignores the two low bits
trapped:
        csrr    t0, mepc
        la      t1, _start
        bltu    t0, t1, early
        la      t1, _dtb
        bltu    t0, t1, fail
early:
        li      t1, FINISHER_FAIL | (TRAPPED_EARLY << 16)
        j       end
