// The SoC's memory map, as far as programs need it.
//
// With HTIF it is that of Chipyard's SoCs, and of Spike: CLINT and DRAM are where ours are, but the console and the end
// of a program are messages to the host, no boot header says how many harts there are, and no cache can be flushed.
#ifndef HAUBERK_PLATFORM_H
#define HAUBERK_PLATFORM_H

#include "registers.h"

#define FINISHER_BASE 0x100000
#define FINISHER_PASS 0x5555
#define FINISHER_FAIL 0x3333
#define CLINT_MSIP_BASE 0x2000000
#define CLINT_MTIMECMP_BASE 0x2004000
#define UART_BASE 0x10000000

// QEMU's virt board has our UART, finisher, CLINT and DRAM but no boot header: `make check` puts one into its DRAM.
#ifdef QEMU
#define BOOT_HEADER_BASE 0x80f00000
#else
#define BOOT_HEADER_BASE HEADER_BASE
#endif

#if !defined(QEMU) && !defined(HTIF)
#define HAS_CACHE_FLUSH
#endif

#define MAX_HARTS 4
#define STACK_SHIFT 13  // 8 KiB for each hart

#ifndef __ASSEMBLER__
#include <stdint.h>
static inline uint64_t mmio_read64(uintptr_t address) { return *(volatile uint64_t *)address; }
static inline void mmio_write64(uintptr_t address, uint64_t value) { *(volatile uint64_t *)address = value; }
static inline void mmio_write32(uintptr_t address, uint32_t value) { *(volatile uint32_t *)address = value; }
#endif

#endif
