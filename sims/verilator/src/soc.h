// The verilated SoC behind plain values: the only file that knows the names of SimTop's pins is soc.cc.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "alarm.h"
#include "axi.h"
#include "bus.h"
#include "counters.h"
#include "credentials.h"
#include "shared_bus.h"
#include "package.h"
#include "pad_log.h"
#include "roots.h"

namespace hauberk {

/** Everything the harness drives besides clock and reset. */
struct SocInputs {
  AxiSlavePins memory;
  bool entropyValid = false;
  uint64_t entropy = 0;
  bool busEntropyValid = false;
  uint64_t busEntropy = 0;

  /** Of secure contexts; always there. */
  uint64_t contextEntropy = 0;
  std::optional<uint8_t> uart;
};

/** Everything the harness looks at in a cycle. */
struct SocOutputs {
  AxiMasterPins memory;
  bool entropyReady = false;
  std::optional<uint8_t> uart;

  /** The byte that the console was offered is taken. */
  bool uartReady = false;
  std::optional<uint32_t> finish;
  Alarm alarm;

  /** The protector has set all of its metadata to their first state; never so without a protector. */
  bool initialised = false;

  /** Of the shared bus; quiet without one. */
  bool busEntropyReady = false;
  BusAlarm busAlarm;
  std::optional<BusShare> busShare;
  std::optional<PadAnnouncement> padAnnouncement;

  /** Of secure contexts; quiet without them. */
  bool contextEntropyReady = false;
};

struct CoreState {
  uint64_t pc = 0;
  uint64_t retired = 0;
};

/** The keys in the fuses of the bus: that of its first group, and each member's own. */
struct BusFuses {
  Key128 groupKey{};
  std::array<Key128, 5> deviceKeys{};
};

class Soc {
 public:
  static constexpr int kMaximalCores = 4;

  Soc(const Package& package, const std::optional<Key128>& deviceKey, const BusFuses& busFuses,
      const Credentials& credentials);
  ~Soc();

  /** Holds reset for a few cycles. */
  void reset();

  /** Drives the inputs of a cycle and gives the outputs that go with them, before the clock's edge. */
  SocOutputs settle(const SocInputs& inputs);

  /** The shared bus in this cycle, and what is done to its wires until it is over. */
  BusView busView() const;
  void tamper(const BusTaps& taps);

  /** The clock's edge that ends the cycle. */
  void clock();

  CoreState core(int index) const;
  ProtectorCounters counters() const;
  CacheCounters cacheCounters() const;
  BusCounters busCounters() const;
  bool isProtected() const;
  Roots roots() const;

  /** Waves from now on. Throws UserError but in a debug build. */
  void openWaves(const std::string& path);

 private:
  struct Model;
  std::unique_ptr<Model> model_;
};

}  // namespace hauberk
