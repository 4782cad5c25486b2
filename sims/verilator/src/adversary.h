// Carries out attack scripts on the DRAM of a SoC, and keeps a log of what was done when.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "attack_script.h"
#include "bus_interposer.h"
#include "dram_storage.h"
#include "metadata_map.h"

namespace hauberk {

/** What became of one script. */
struct AttackRecord {
  std::string script;
  bool struck = false;
  uint64_t cycle = 0;         // of the first effect
  uint64_t bytesChanged = 0;  // of DRAM, by attacks that happen once
  uint64_t bursts = 0;        // lost, led astray or delayed, by attacks that last
};

class Adversary : public BusInterposer {
 public:
  /** Throws UserError for a script that does not fit the DRAM; what is done to the bus is not its business. */
  Adversary(const std::vector<AttackScript>& scripts, const MetadataMap& map, DramStorage& storage);

  /** One more script, which begins no earlier than the next cycle. Throws UserError as the constructor does. */
  void add(const AttackScript& script);

  /** Begins cycle `now`: does what is due. */
  void begin(uint64_t now);
  const std::vector<AttackRecord>& log() const { return log_; }

  uint64_t route(uint64_t address) override;
  bool loses(uint64_t address) override;
  uint64_t delay(uint64_t address) override;

 private:
  struct Plan {
    AttackScript script;
    std::vector<DramPlace> places;  // a replay: what is put back
    std::vector<uint8_t> old;
  };

  void check(const AttackScript& script) const;
  std::vector<uint8_t> bytesAt(const std::vector<DramPlace>& places) const;
  void put(AttackRecord& record, const std::vector<DramPlace>& places, const std::vector<uint8_t>& bytes);
  void strike(const Plan& plan, AttackRecord& record);
  /** The first script of this kind that applies to an address now, and its log; null if there is none. */
  const AttackScript* applying(AttackKind kind, uint64_t address);

  MetadataMap map_;
  DramStorage& storage_;
  std::vector<Plan> plans_;
  std::vector<AttackRecord> log_;
  uint64_t now_ = 0;
};

}  // namespace hauberk
