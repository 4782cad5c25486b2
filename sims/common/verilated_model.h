// Clock, reset and states of a Verilated model, the same whatever its pins are.
#pragma once

#include <verilated.h>

#include <cstdint>
#include <vector>

#include "snapshot.h"

namespace hauberk {

/** @tparam Base the model's interface
 *  @tparam Inputs what `settle` of the interface takes
 *  @tparam Top Verilator's class */
template <typename Base, typename Inputs, typename Top>
class VerilatedModel : public Base {
 public:
  ~VerilatedModel() override { top.final(); }

  void clock() final {
    top.clock = 1;
    top.eval();
  }

  void reset() final {
    constexpr int kResetCycles = 4;
    top.reset = 1;
    for (int i = 0; i < kResetCycles; i++) {
      this->settle(Inputs());
      clock();
    }
    top.reset = 0;
  }

  std::vector<uint8_t> save() final {
    StateWriter writer;
    writer << top;
    return writer.take();
  }
  void restore(const std::vector<uint8_t>& state) final {
    reader_.begin(state);
    reader_ >> top;
  }

 private:
  VerilatedContext context_;
  StateReader reader_;

 protected:
  Top top{&context_};
};

}  // namespace hauberk
