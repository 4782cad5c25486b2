// Producer and consumers: hart 0 writes messages of one cache line into a ring of slots, the other harts take and
// digest them. A slot's turn says whether it is free for message n (turn n) or holds message n (turn n + 1). One hart
// alone does both sides in turn.
//
// Check: the digest of each message, computed from the generator without the ring.
#include "hauberk.h"

#define SLOTS 256  // 32 KiB
#define MESSAGES 1024
#define MESSAGE_WORDS (CACHE_LINE / 8)

typedef struct {
  _Alignas(CACHE_LINE) uint64_t message[MESSAGE_WORDS];
  _Alignas(CACHE_LINE) volatile uint32_t turn;
} slot;

static NOINIT slot ring[SLOTS];
static _Alignas(CACHE_LINE) uint32_t next_to_take;
static RESULTS uint64_t digests[MESSAGES];

static inline uint64_t word_of(unsigned message, unsigned word) {
  return (message * 0x9e3779b97f4a7c15UL) ^ (word + 1) * 0xc2b2ae3d27d4eb4fUL;
}

static inline uint64_t digest_step(uint64_t digest, uint64_t word) {
  digest += word;
  return digest ^ digest << 25 ^ digest >> 11;
}

static void wait_for_turn(const slot *place, uint32_t turn) {
  while (__atomic_load_n(&place->turn, __ATOMIC_ACQUIRE) != turn) {
  }
}

static void produce(unsigned message) {
  slot *place = &ring[message % SLOTS];
  wait_for_turn(place, message);
  for (unsigned word = 0; word < MESSAGE_WORDS; word++) place->message[word] = word_of(message, word);
  __atomic_store_n(&place->turn, message + 1, __ATOMIC_RELEASE);
}

static void consume(unsigned message) {
  slot *place = &ring[message % SLOTS];
  wait_for_turn(place, message + 1);
  uint64_t digest = 0;
  for (unsigned word = 0; word < MESSAGE_WORDS; word++) digest = digest_step(digest, place->message[word]);
  digests[message] = digest;
  __atomic_store_n(&place->turn, message + SLOTS, __ATOMIC_RELEASE);
}

static void produce_or_consume(unsigned hart, unsigned harts) {
  if (harts == 1) {
    for (unsigned first = 0; first < MESSAGES; first += SLOTS) {
      for (unsigned message = first; message < first + SLOTS; message++) produce(message);
      for (unsigned message = first; message < first + SLOTS; message++) consume(message);
    }
  } else if (hart == 0) {
    for (unsigned message = 0; message < MESSAGES; message++) produce(message);
  } else {
    unsigned message;
    while ((message = __atomic_fetch_add(&next_to_take, 1, __ATOMIC_RELAXED)) < MESSAGES) consume(message);
  }
}

int main(void) {
  for (unsigned i = 0; i < SLOTS; i++) ring[i].turn = i;

  kernel_begin();
  on_every_hart(produce_or_consume);
  kernel_end();

  for (unsigned message = 0; message < MESSAGES; message++) {
    uint64_t digest = 0;
    for (unsigned word = 0; word < MESSAGE_WORDS; word++) digest = digest_step(digest, word_of(message, word));
    expect(digests[message] == digest, "a message arrives as it was sent");
  }
  return 0;
}
