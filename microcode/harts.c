// Harts: start, stop, and what one asks of another. A request is a bit in the other's word and its software interrupt.
#include "machine.h"

enum { STARTED = 0, STOPPED = 1, START_PENDING = 2 };  // as SBI counts them
enum { INTERRUPT = 1, FENCE_INSTRUCTIONS = 2, FENCE_ADDRESSES = 4, FLUSH = 8, STOP = 16 };

// Who asks sets bits, then takes a number; whoever waits does so until that number is served.
static struct {
  _Alignas(CACHE_LINE) volatile uint32_t requests, asked, served;
  volatile uint32_t state;
  uint64_t start, argument;
} harts[MAX_HARTS] = {[0 ... MAX_HARTS - 1] = {.state = STOPPED}};

static uint32_t load(const volatile uint32_t *from) { return __atomic_load_n(from, __ATOMIC_ACQUIRE); }

static bool has(hart_set set, unsigned hart) {
  if (set.base == UINT64_MAX) return true;
  return hart >= set.base && hart - set.base < 64 && set.mask >> (hart - set.base) & 1;
}

// Returns the number of the request.
static uint32_t request(unsigned hart, uint32_t what) {
  __atomic_fetch_or(&harts[hart].requests, what, __ATOMIC_RELEASE);
  const uint32_t number = __atomic_add_fetch(&harts[hart].asked, 1, __ATOMIC_RELEASE);
  fence_all();
  set_software_interrupt(hart, 1);
  return number;
}

static unsigned count;
static uintptr_t protector;

unsigned hart_count(void) { return count; }

// A hart may be asked to start before it comes here. Until it starts, it has nothing to fence: it enters the supervisor
// with empty TLBs and a fence.i.
void wait_for_start(unsigned hart) {
  WRITE_CSR(mie, MACHINE_SOFTWARE);
  while (load(&harts[hart].state) != START_PENDING) {
    wait_for_interrupt();
    serve_requests(hart);
  }
  const uint64_t start = harts[hart].start, argument = harts[hart].argument;
  __atomic_store_n(&harts[hart].state, STARTED, __ATOMIC_RELEASE);
  enter_supervisor(hart, start, argument);
}

// From here on it may be started again.
void stop_hart(unsigned hart) {
  __atomic_store_n(&harts[hart].state, STOPPED, __ATOMIC_RELEASE);
  leave_stack(hart);
}

sbi_result start_hart(uint64_t hart, uint64_t start, uint64_t argument) {
  if (hart >= hart_count()) return (sbi_result){SBI_INVALID_PARAMETER, 0};
  if (load(&harts[hart].state) != STOPPED) return (sbi_result){SBI_ALREADY_AVAILABLE, 0};
  harts[hart].start = start;
  harts[hart].argument = argument;
  __atomic_store_n(&harts[hart].state, START_PENDING, __ATOMIC_RELEASE);
  request((unsigned)hart, 0);
  return (sbi_result){SBI_SUCCESS, 0};
}

sbi_result hart_status(uint64_t hart) {
  if (hart >= hart_count()) return (sbi_result){SBI_INVALID_PARAMETER, 0};
  return (sbi_result){SBI_SUCCESS, load(&harts[hart].state)};
}

sbi_result send_interrupt(hart_set set) {
  for (unsigned hart = 0; hart < hart_count(); hart++)
    if (has(set, hart)) request(hart, INTERRUPT);
  return (sbi_result){SBI_SUCCESS, 0};
}

// While it waits for the others, this hart serves them: two that fence each other would wait for ever.
static sbi_result fence(hart_set set, uint32_t what) {
  const unsigned self = hart_id();
  uint32_t numbers[MAX_HARTS];
  for (unsigned hart = 0; hart < hart_count(); hart++)
    numbers[hart] = has(set, hart) ? request(hart, what) : load(&harts[hart].served);
  for (unsigned hart = 0; hart < hart_count(); hart++) {
    while ((int32_t)(load(&harts[hart].served) - numbers[hart]) < 0) serve_requests(self);
  }
  return (sbi_result){SBI_SUCCESS, 0};
}

sbi_result fence_instructions(hart_set set) { return fence(set, FENCE_INSTRUCTIONS); }
sbi_result fence_addresses(hart_set set) { return fence(set, FENCE_ADDRESSES); }

static volatile uint32_t harts_flushed, exclusive, owner, stopping, stopped;

void enter_exclusive(void) {
  while (__atomic_exchange_n(&exclusive, 1, __ATOMIC_ACQUIRE)) serve_requests(hart_id());
  owner = hart_id() + 1;
}

void leave_exclusive(void) {
  owner = 0;
  __atomic_store_n(&exclusive, 0, __ATOMIC_RELEASE);
}

bool is_exclusive(void) { return owner == hart_id() + 1; }

void stop_harts(void) {
  const unsigned self = hart_id();
  while (load(&stopped)) {
  }
  __atomic_store_n(&stopping, 1, __ATOMIC_RELEASE);
  for (unsigned hart = 0; hart < hart_count(); hart++)
    if (hart != self) request(hart, STOP);
  while (load(&stopped) != hart_count() - 1) {
  }
}

void release_harts(void) { __atomic_store_n(&stopping, 0, __ATOMIC_RELEASE); }

void serve_requests(unsigned hart) {
  set_software_interrupt(hart, 0);
  fence_all();
  const uint32_t asked = load(&harts[hart].asked);
  const uint32_t wanted = __atomic_exchange_n(&harts[hart].requests, 0, __ATOMIC_ACQ_REL);
  if (wanted & INTERRUPT) SET_CSR(mip, SUPERVISOR_SOFTWARE);
  if (wanted & FENCE_INSTRUCTIONS) flush_instruction_cache();
  if (wanted & FENCE_ADDRESSES) {
    context_fence();
    flush_tlb();
  }
  if (wanted & STOP) {
    flush_data_cache();
    __atomic_fetch_add(&stopped, 1, __ATOMIC_RELEASE);
    while (load(&stopping)) {
    }
    __atomic_fetch_sub(&stopped, 1, __ATOMIC_RELEASE);
  }
  if (wanted & FLUSH) {
    flush_data_cache();
    __atomic_fetch_add(&harts_flushed, 1, __ATOMIC_RELEASE);
    for (;;) wait_for_interrupt();
  }
  __atomic_store_n(&harts[hart].served, asked, __ATOMIC_RELEASE);
}

void end_run(uint32_t value) {
  const unsigned self = hart_id();
  // A hart that stops the others would wait for those that have ended
  if (!is_exclusive()) enter_exclusive();
  release_harts();
  for (unsigned hart = 0; hart < hart_count(); hart++)
    if (hart != self) request(hart, FLUSH);
  while (load(&harts_flushed) != hart_count() - 1) {
  }
  finish(value, protector);
}

// What a hart has to have before it enters the supervisor for the first time.
static void open_machine(void) {
  WRITE_CSR(pmpaddr7, UINT64_MAX);  // all of memory, to everybody
  WRITE_CSR(pmpcfg0, 0x1fUL << 56);
  contexts_close();
  delegate();
  WRITE_CSR(mcounteren, 7);
  WRITE_CSR(scounteren, 7);
}

extern const uint8_t device_tree[], kernel[];
extern volatile uint32_t harts_arrived;

void start_hart0(void) {
  const uint64_t harts_there = mmio_read64(BOOT_HEADER_BASE + HEADER_HARTS);
  count = harts_there < MAX_HARTS ? (unsigned)harts_there : MAX_HARTS;
  protector = mmio_read64(BOOT_HEADER_BASE + HEADER_PROTECTOR);
  // What brings the others here may be in memory that is the kernel's
  while (load(&harts_arrived) < harts_there) {
  }
  contexts_open();
  open_machine();
  WRITE_CSR(mie, MACHINE_SOFTWARE);
  harts[0].state = STARTED;
  enter_supervisor(0, (uint64_t)(uintptr_t)kernel, (uint64_t)(uintptr_t)device_tree);
}

void start_other_hart(unsigned hart) {
  open_machine();
  wait_for_start(hart);
}
