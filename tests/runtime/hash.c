#include "hauberk.h"

uint64_t fnv1a(uint64_t hash, const void *data, size_t size) {
  const uint8_t *bytes = data;
  for (size_t i = 0; i < size; i++) hash = (hash ^ bytes[i]) * FNV_PRIME;
  return hash;
}
