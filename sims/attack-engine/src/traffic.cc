#include "traffic.h"

#include <algorithm>

namespace hauberk::engine {

namespace {

/** Where hot sets lie: so few that in a large memory, too, what was written is written again. */
constexpr uint32_t kHotPlaces = 48;

}  // namespace

uint32_t RandomTraffic::block() {
  if (hotLeft_ == 0) {
    hotLeft_ = 1 + random_.below(200);
    hotSize_ = 1 + random_.below(32);
    hotBase_ = random_.below(kHotPlaces) * std::max(1u, blocks_ / kHotPlaces);
  }
  hotLeft_--;
  if (stride != 0) return (hotBase_ + random_.below(hotSize_) * stride) % blocks_;
  return random_.oneIn(4) ? random_.below(blocks_) : (hotBase_ + random_.below(hotSize_)) % blocks_;
}

bool RandomTraffic::next(Transfer& transfer) {
  if (left_ == 0) return false;
  left_--;
  transfer = Transfer();
  transfer.size = !random_.oneIn(partOneIn) ? size_ : static_cast<uint8_t>(random_.below(size_ + 1u));
  const uint32_t within = random_.below(1u << size_) >> transfer.size << transfer.size;
  transfer.address = (block() << size_) + within;
  transfer.write = random_.oneIn(writeOneIn);
  if (!transfer.write) return true;
  for (unsigned i = 0; i < kMostBlockBytes; i += 8) {
    const uint64_t word = random_.next();
    std::memcpy(transfer.data + i, &word, 8);
  }
  transfer.partial = random_.oneIn(partOneIn + 1);
  if (transfer.partial) transfer.enabled = random_.next();
  return true;
}

bool ConstantTraffic::next(Transfer& transfer) {
  if (left_ == 0) return false;
  left_--;
  transfer = Transfer();
  transfer.write = true;
  transfer.address = random_.below(blocks_) << size_;
  transfer.size = size_;
  std::memset(transfer.data, kValue, kMostBlockBytes);
  return true;
}

}  // namespace hauberk::engine
