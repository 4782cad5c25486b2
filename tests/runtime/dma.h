// The DMA master for tests (WithTestDma).
#ifndef HAUBERK_DMA_H
#define HAUBERK_DMA_H

#include <stdint.h>

#include "registers.h"

static inline volatile uint64_t *dma_at(uintptr_t offset) { return (volatile uint64_t *)(DMA_BASE + offset); }

static inline void dma_begin(uint64_t from, uint64_t to, uint64_t bytes) {
  __asm__ volatile("fence" ::: "memory");
  *dma_at(DMA_SOURCE) = from;
  *dma_at(DMA_DESTINATION) = to;
  *dma_at(DMA_GO) = bytes;
}

// What ended it: DMA_STATUS_DENIED_READ or DMA_STATUS_DENIED_WRITE, or 0
static inline uint64_t dma_end(void) {
  uint64_t status;
  do status = *dma_at(DMA_STATUS);
  while (status & DMA_STATUS_BUSY);
  __asm__ volatile("fence" ::: "memory");
  return status;
}

static inline uint64_t dma_copy(uint64_t from, uint64_t to, uint64_t bytes) {
  dma_begin(from, to, bytes);
  return dma_end();
}

#endif
