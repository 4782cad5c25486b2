// The bus under attack: Verilator's model behind plain pins. Only model.cc is compiled against a scheme's Verilog.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "pins.h"

namespace hauberk::bus {

class Model {
 public:
  Model();
  ~Model();

  /** Drives the inputs of the current cycle and returns its outputs. */
  const Outputs& settle(const Inputs& inputs);

  /** The same with other taps only. */
  const Outputs& settle(const Taps& taps);

  /** Ends the current cycle. */
  void clock();
  void reset();

  /** Every register and memory of the bus. */
  std::vector<uint8_t> save();
  void restore(const std::vector<uint8_t>& state);

 private:
  struct Verilated;
  std::unique_ptr<Verilated> verilated_;
  Outputs outputs_;
};

}  // namespace hauberk::bus
