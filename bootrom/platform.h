// What the boot ROM knows of the stand-alone SoC beside the registers of registers.h; docs/ describes it for
// programmers.
#ifndef HAUBERK_BOOTROM_PLATFORM_H
#define HAUBERK_BOOTROM_PLATFORM_H

#define FINISHER_BASE 0x100000
#define FINISHER_FAIL 0x3333
#define BOOT_REFUSED 0xb0   // exit code of a run whose package or protector the boot ROM refused
#define TRAPPED_EARLY 0xb1  // exit code of a run whose program trapped before it set mtvec

#define CLINT_MSIP 0x2000000

#define MIP_MSIP (1 << 3)

#endif
