// One bus with its members' messages, its adversary, and the judgement of what became of an attack.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "adversary.h"
#include "model.h"
#include "scheme.h"
#include "tally.h"
#include "scoreboard.h"
#include "traffic.h"
#include "wire_watch.h"

namespace hauberk::bus {

class Bench {
 public:
  Bench(const Scheme& scheme, uint64_t seed);

  const Scheme& scheme;
  Random random;
  Traffic traffic;
  Scoreboard board;
  WireWatch watch;
  Adversary* adversary = nullptr;
  uint64_t cycles = 0;
  uint64_t busCycles = 0;
  uint64_t transfers = 0;     // beats of messages that were taken
  std::vector<Beat> history;  // all that was taken since reset
  std::string complaint;      // why an attempt was missed, if that is not plain
  /** From the first false beat to the alarm; transfers are those of its group that are authenticated. */
  uint64_t transfersToAlarm = 0;
  uint64_t busCyclesToAlarm = 0;
  uint64_t cyclesToAlarm = 0;

  const Status& status(unsigned member) const { return outputs_->status[member]; }
  bool alarmed() const { return alarm_.passed; }
  bool agreed() const;
  uint8_t cause() const;

  void tick();
  void busCycle();
  void idle(unsigned busCycles);
  void reset();
  /** Keys for every group, the same as ever or new ones. */
  void drawKeys();
  /** Allocates every group, writes keys, opens; does not wait. */
  void openGroups();
  /** Until data may pass; false if that never comes. */
  bool waitAgreed(unsigned busCycles);
  /** Reset, groups, agreement. */
  void boot();
  /** Sends `count` random messages and waits until they are received. */
  bool run(uint64_t count);
  /** Until nothing is under way. */
  bool drain(unsigned busCycles);

  /** A state to come back to. */
  void mark();
  void back();

  /** Nobody has attacked yet: what is counted from the first false beat on is counted from here. */
  void forget();

  /** After an attack has begun: waits for the alarm as long as the scheme may take for it. */
  Outcome judge();

 private:
  void observe();
  bool failsClosed();

  std::unique_ptr<Model> model_ = makeModel();
  Inputs inputs_;
  const Outputs* outputs_ = nullptr;
  std::vector<uint64_t> keys_;
  unsigned sentBeats_[kMembers] = {};
  /** The first false beat, and the alarm. */
  struct Moment {
    bool passed = false;
    uint64_t authenticated = 0, busCycles = 0, cycles = 0;
  };
  void note(Moment& moment) const { moment = {true, authenticated_[struckGroup_], busCycles, cycles}; }
  Moment strike_, alarm_;
  unsigned struckGroup_ = 0;
  std::array<uint64_t, kMostGroups> authenticated_{};  // transfers of each group

  struct Mark {
    std::vector<uint8_t> state;
    Traffic::Ports ports;
    Load load;
    Scoreboard board;
    std::vector<Beat> history;
    unsigned sentBeats[kMembers];
  };
  std::unique_ptr<Mark> mark_;
};

}  // namespace hauberk::bus
