// Verilated hardware under attack behind plain pins: what a bench sees of it, without a header of Verilator's.
#pragma once

#include <cstdint>
#include <vector>

namespace hauberk {

/** @tparam Inputs what drives the pins; its default is what they are during reset
 *  @tparam Outputs what the pins show */
template <typename Inputs, typename Outputs>
class AttackedModel {
 public:
  virtual ~AttackedModel() = default;

  /** Drives the inputs of the current cycle and returns its outputs. */
  virtual const Outputs& settle(const Inputs& inputs) = 0;

  /** Ends the current cycle. */
  virtual void clock() = 0;
  virtual void reset() = 0;

  /** Every register and memory. */
  virtual std::vector<uint8_t> save() = 0;
  virtual void restore(const std::vector<uint8_t>& state) = 0;
};

}  // namespace hauberk
