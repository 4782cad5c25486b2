// Random traffic: half of it whole blocks, writes with holes now and then, hot sets of blocks that change.
#pragma once

#include "client.h"
#include "scheme.h"

namespace hauberk::engine {

class RandomTraffic : public Source {
 public:
  RandomTraffic(const Scheme& scheme, uint32_t count, Random& random)
      : blocks_(scheme.blocks()), size_(scheme.blockSize()), left_(count), random_(random) {}

  bool next(Transfer& transfer) override;

  /** Blocks nearby in the address or a whole cache set apart; 0: anywhere. */
  uint32_t stride = 0;
  uint32_t writeOneIn = 2;
  uint32_t partOneIn = 2;  // transfers of less than a block

 private:
  uint32_t block();

  uint32_t blocks_;
  uint8_t size_;
  uint32_t left_;
  Random& random_;
  uint32_t hotBase_ = 0, hotSize_ = 1, hotLeft_ = 0;
};

/** Writes of one value only, whole blocks or parts of them: equal plaintext everywhere. */
class ConstantTraffic : public Source {
 public:
  ConstantTraffic(const Scheme& scheme, uint32_t blocks, uint32_t count, Random& random)
      : blocks_(blocks), size_(scheme.blockSize()), left_(count), random_(random) {}
  bool next(Transfer& transfer) override;

  static constexpr uint8_t kValue = 0x5a;

 private:
  uint32_t blocks_;
  uint8_t size_;
  uint32_t left_;
  Random& random_;
};

}  // namespace hauberk::engine
