// Clock, reset and states of a Verilated model, the same whatever its pins are.
#pragma once

#include <verilated.h>

#include <cstdint>
#include <vector>

#if VM_COVERAGE
#include <verilated_cov.h>

#include <cstring>
#else
#include "snapshot.h"
#endif

namespace hauberk {

/** @tparam Base the model's interface
 *  @tparam Inputs what `settle` of the interface takes
 *  @tparam Top Verilator's class */
template <typename Base, typename Inputs, typename Top>
class VerilatedModel : public Base {
 public:
  ~VerilatedModel() override {
    top.final();
#if VM_COVERAGE
    context_.coveragep()->write("coverage.dat");  // for scripts/coverage
#endif
  }

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

#if VM_COVERAGE
  // Verilator does not save models that count what runs. These are built flat: all state is in one object, and none of
  // it elsewhere.
  std::vector<uint8_t> save() final {
    const auto* state = reinterpret_cast<const uint8_t*>(top.rootp);
    return {state, state + sizeof(*top.rootp)};
  }
  void restore(const std::vector<uint8_t>& state) final {
    std::memcpy(static_cast<void*>(top.rootp), state.data(), state.size());
  }
#else
  std::vector<uint8_t> save() final {
    StateWriter writer;
    writer << top;
    return writer.take();
  }
  void restore(const std::vector<uint8_t>& state) final {
    reader_.begin(state);
    reader_ >> top;
  }
#endif

 private:
  VerilatedContext context_;
#if !VM_COVERAGE
  StateReader reader_;
#endif

 protected:
  Top top{&context_};
};

}  // namespace hauberk
