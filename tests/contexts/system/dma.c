// In the kernel's place, on an SoC with a DMA master (WithTestDma): what the kernel has it do to a context's pages.
#include "dma.h"

#include "kernel.h"

// A context's pages are neither read nor written while it is there, and its registers and the microcode never.
static void is_kept_from_dma(void) {
  process *process = interrupted(WORK_SPIN);
  const uint64_t page = new_page();
  const uint64_t denied = denials();
  for (unsigned i = 0; i < OWN_PAGES; i++) {
    expect(dma_copy(process->own[i], page, TEE_PAGE) == DMA_STATUS_DENIED_READ);
    expect(dma_copy(page, process->own[i], TEE_PAGE) == DMA_STATUS_DENIED_WRITE);
    expect(dma_copy(page, process->own[i] + TEE_PAGE - 8, 8) == DMA_STATUS_DENIED_WRITE);
  }
  expect(denials() == denied + 3 * OWN_PAGES);
  for (unsigned word = 0; word < TEE_PAGE / 8; word++) expect(!words_of(page)[word]);
  expect(dma_copy(CONTEXTS_BASE, page, 8) == DMA_STATUS_DENIED_READ);
  expect(dma_copy(page, CONTEXTS_BASE + CONTEXTS_OWNER, 8) == DMA_STATUS_DENIED_WRITE);
  expect(dma_copy(MICROCODE_BASE, page, 8) == DMA_STATUS_DENIED_READ);
  expect(dma_copy(page, MICROCODE_BASE + MICROCODE_BYTES - 8, 8) == DMA_STATUS_DENIED_WRITE);
  expect(released(process) == 0 && is_cleared(process));
  // They are the kernel's again
  expect(dma_copy(process->outside, process->own[0], TEE_PAGE) == 0);
  for (unsigned word = 0; word < TEE_PAGE / 8; word++)
    expect(words_of(process->own[0])[word] == words_of(process->outside)[word]);
}

void boot(void) {
  open_floats();
  enable_contexts();
  RUN(is_kept_from_dma);
  end_run();
}
