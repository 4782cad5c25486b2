#include "hauberk.h"
#include "internal.h"

// One request at a time: hart 0 fills it in, raises the generation and wakes the others, who count themselves done.
static struct {
  _Alignas(CACHE_LINE) void (*work)(unsigned hart, unsigned harts);
  volatile uint32_t generation;
  volatile uint32_t done;
} request;

unsigned hart_count(void) { return (unsigned)mmio_read64(BOOT_HEADER_BASE + HEADER_HARTS); }

void on_every_hart(void (*work)(unsigned hart, unsigned harts)) {
  unsigned harts = hart_count();
  request.work = work;
  request.done = 0;
  __atomic_store_n(&request.generation, request.generation + 1, __ATOMIC_RELEASE);
  fence_all();
  for (unsigned hart = 1; hart < harts; hart++) set_software_interrupt(hart, 1);
  work(0, harts);
  while (__atomic_load_n(&request.done, __ATOMIC_ACQUIRE) != harts - 1) {
  }
}

// The life of every hart but 0. Interrupts are off while it waits, so one that comes between the check and the wfi
// still wakes it; they are on while it works, so that a hart stuck in its work can be fetched for the exit.
void serve_work(void) {
  unsigned hart = hart_id();
  uint32_t served = 0;
  for (;;) {
    if (exit_requested) follow_exit();
    if (__atomic_load_n(&request.generation, __ATOMIC_ACQUIRE) == served) {
      wait_for_interrupt();
      set_software_interrupt(hart, 0);
      fence_all();
      continue;
    }
    served++;
    enable_interrupts();
    request.work(hart, hart_count());
    disable_interrupts();
    __atomic_fetch_add(&request.done, 1, __ATOMIC_RELEASE);
  }
}

void spin_acquire(spin_lock *lock) {
  while (__atomic_exchange_n(&lock->locked, 1, __ATOMIC_ACQUIRE)) {
    while (lock->locked) {  // wait on a shared copy of the line instead of pulling it to and fro
    }
  }
}

void spin_release(spin_lock *lock) { __atomic_store_n(&lock->locked, 0, __ATOMIC_RELEASE); }

void barrier_wait(barrier *meeting, unsigned harts) {
  uint32_t generation = __atomic_load_n(&meeting->generation, __ATOMIC_ACQUIRE);
  if (__atomic_add_fetch(&meeting->arrived, 1, __ATOMIC_ACQ_REL) == harts) {
    meeting->arrived = 0;
    __atomic_store_n(&meeting->generation, generation + 1, __ATOMIC_RELEASE);
  } else {
    while (__atomic_load_n(&meeting->generation, __ATOMIC_ACQUIRE) == generation) {
    }
  }
}
