// DRAM behind program, heap and stack. In no section of the program: every byte of one is sent over serial TileLink
// before the program starts, zero or not, at some 20 bytes in 1,000 cycles.
#ifndef HAUBERK_FREE_MEMORY_H
#define HAUBERK_FREE_MEMORY_H

#include <stdint.h>

static volatile uint64_t* const free_memory = (uint64_t*)0x80400000UL;

#endif
