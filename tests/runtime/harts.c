#include "hauberk.h"
#include "internal.h"

// One request at a time: hart 0 fills it in and wakes the others, who count themselves done. `ready` counts the harts
// that have reached serve_work: before that a wake-up could be lost.
static struct {
  _Alignas(CACHE_LINE) void (*work)(unsigned hart, unsigned harts);
  volatile uint32_t done;
  volatile uint32_t ready;
} request;

static void wait_until(const volatile uint32_t *count, uint32_t value) {
  while (__atomic_load_n(count, __ATOMIC_ACQUIRE) != value) {
  }
}

#ifdef HTIF
// Every hart has a register for its timer, and behind the last is none: what is written there is not kept.
unsigned hart_count(void) {
  static unsigned found;
  if (found) return found;
  unsigned harts = 0;
  do {
    mmio_write64(CLINT_MTIMECMP_BASE + 8 * harts, UINT64_MAX);
  } while (mmio_read64(CLINT_MTIMECMP_BASE + 8 * harts) && ++harts < MAX_HARTS);
  return found = harts;
}
#else
unsigned hart_count(void) { return (unsigned)mmio_read64(BOOT_HEADER_BASE + HEADER_HARTS); }
#endif

void await_harts(void) { wait_until(&request.ready, hart_count() - 1); }

void on_every_hart(void (*work)(unsigned hart, unsigned harts)) {
  unsigned harts = hart_count();
  request.work = work;
  request.done = 0;
  fence_all();
  for (unsigned hart = 1; hart < harts; hart++) set_software_interrupt(hart, 1);
  work(0, harts);
  wait_until(&request.done, harts - 1);
}

// Sleeps until a software interrupt is pending and takes it off. Interrupts are disabled here, so one that comes
// between the check and the wfi still wakes the hart.
static void await_wake_up(void) {
  while (!software_interrupt_pending()) wait_for_interrupt();
  set_software_interrupt(hart_id(), 0);
  while (software_interrupt_pending()) {  // the interrupt's wire falls some cycles after the store
  }
  fence_all();
}

// The life of every hart but 0. Each wake-up is a request or the exit. Interrupts are enabled during the work, so that
// a hart stuck in it can be fetched for the exit.
void serve_work(void) {
  unsigned hart = hart_id();
  __atomic_fetch_add(&request.ready, 1, __ATOMIC_RELEASE);
  for (;;) {
    await_wake_up();
    if (exit_requested) follow_exit();
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
