// What may become a context: parts of address spaces, whose pages the supervisor keeps where they are until it takes
// the permit back. Otherwise a program that ends could leave pages behind that are still a context's.
#include "contexts.h"

#define MOST_PERMITS 64

static struct {
  enum { NONE, GIVEN, ENDING } state;
  uint64_t root, start, end;
} permits[MOST_PERMITS];

bool find_permit(uint64_t satp, uint64_t start, uint64_t end, unsigned *number) {
  for (unsigned i = 0; i < MOST_PERMITS; i++) {
    if (permits[i].state != GIVEN || permits[i].root != root_of(satp)) continue;
    if (start < permits[i].start || end > permits[i].end) continue;
    *number = i;
    return true;
  }
  return false;
}

bool is_permitted(const context *context) { return permits[context->permit].state == GIVEN; }

sbi_result allow(uint64_t root, uint64_t start, uint64_t pages) {
  sbi_result given = {TEE_FULL, 0};
  if (start % TEE_PAGE || start >> USER_BITS || !pages || pages > (1UL << USER_BITS) / TEE_PAGE)
    return (sbi_result){TEE_INVALID, 0};
  enter_exclusive();
  for (unsigned i = 0; i < MOST_PERMITS && given.error; i++) {
    if (permits[i].state != NONE) continue;
    permits[i].root = root;
    permits[i].start = start;
    permits[i].end = start + pages * TEE_PAGE;
    permits[i].state = GIVEN;
    given = (sbi_result){SBI_SUCCESS, i};
  }
  leave_exclusive();
  return given;
}

int64_t end_permit(uint64_t number) {
  int64_t error = 0;
  enter_exclusive();
  if (number >= MOST_PERMITS || permits[number].state == NONE) {
    error = TEE_INVALID;
  } else {
    permits[number].state = ENDING;
    for (unsigned i = 0; i < context_count(); i++)
      if (contexts[i].state != FREE && contexts[i].permit == number && kill_suspended(i + 1)) error = TEE_STATE;
    if (!error) permits[number].state = NONE;
  }
  leave_exclusive();
  return error;
}

context *context_at(uint64_t permit, uint64_t address) {
  for (unsigned i = 0; i < context_count(); i++) {
    context *at = &contexts[i];
    if (at->state != FREE && at->permit == permit && address >= at->start && address < at->end) return at;
  }
  return NULL;
}
