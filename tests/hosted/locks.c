#include "hosted.h"

void spin_acquire(spin_lock *lock) {
  while (__atomic_exchange_n(&lock->locked, 1, __ATOMIC_ACQUIRE)) {
    while (lock->locked) let_others_run();
  }
}

void spin_release(spin_lock *lock) { __atomic_store_n(&lock->locked, 0, __ATOMIC_RELEASE); }

void barrier_wait(barrier *meeting, unsigned members) {
  const uint32_t generation = __atomic_load_n(&meeting->generation, __ATOMIC_ACQUIRE);
  if (__atomic_add_fetch(&meeting->arrived, 1, __ATOMIC_ACQ_REL) == members) {
    meeting->arrived = 0;
    __atomic_store_n(&meeting->generation, generation + 1, __ATOMIC_RELEASE);
  } else {
    while (__atomic_load_n(&meeting->generation, __ATOMIC_ACQUIRE) == generation) let_others_run();
  }
}
