// Memory map and registers of the stand-alone SoC that the boot ROM touches; docs/ describes them for programmers.
#ifndef HAUBERK_BOOTROM_PLATFORM_H
#define HAUBERK_BOOTROM_PLATFORM_H

#define FINISHER_BASE 0x100000
#define FINISHER_FAIL 0x3333
#define BOOT_REFUSED 0xb0   // exit code of a run whose package or protector the boot ROM refused
#define TRAPPED_EARLY 0xb1  // exit code of a run whose program trapped before it set mtvec

#define CLINT_MSIP 0x2000000

#define HEADER_BASE 0x10020000
#define HEADER_WRAPPED_KEY_0 0x00
#define HEADER_WRAPPED_KEY_1 0x08
#define HEADER_WRAPPED_KEY_2 0x10
#define HEADER_ENTRY 0x18
#define HEADER_HARTS 0x20
#define HEADER_PROTECTOR 0x28  // base of the protector's registers, 0 when the SoC has none
#define HEADER_EXTENT 0x30     // blocks the package brings to each engine

#define PROTECTOR_COMMAND 0x10
#define PROTECTOR_STATUS 0x18
#define PROTECTOR_WRAPPED_KEY_0 0x20
#define PROTECTOR_WRAPPED_KEY_1 0x28
#define PROTECTOR_WRAPPED_KEY_2 0x30
#define PROTECTOR_EXTENT 0x58

#define COMMAND_UNWRAP (1 << 0)
#define COMMAND_DYNAMIC_KEY (1 << 1)
#define COMMAND_ARM (1 << 2)
#define COMMAND_LOCK (1 << 3)

#define STATUS_INITIALIZED (1 << 0)
#define STATUS_STATIC_KEY (1 << 1)
#define STATUS_DYNAMIC_KEY (1 << 2)
#define STATUS_ARMED (1 << 3)
#define STATUS_LOCKED (1 << 4)
#define STATUS_UNWRAP_FAILED (1 << 5)
#define STATUS_ALARM (1 << 8)
#define STATUS_HALTED (1 << 9)

#define MIP_MSIP (1 << 3)

#endif
