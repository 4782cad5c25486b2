// Carries out attack scripts on external memory, and keeps a log of what was done when.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "attack_script.h"
#include "attacked_memory.h"
#include "memory_interposer.h"
#include "metadata_map.h"

namespace hauberk {

/** What became of one script. */
struct AttackRecord {
  std::string script;
  bool struck = false;
  uint64_t cycle = 0;         // of the first effect
  uint64_t bytesChanged = 0;  // of memory, by attacks that happen once
  uint64_t bursts = 0;        // lost, led astray, delayed or held, by attacks that last
};

class ScriptedAdversary : public MemoryInterposer {
 public:
  /** Throws UserError for a script that does not fit the memory; what is done to the bus is not its business. */
  ScriptedAdversary(const std::vector<AttackScript>& scripts, const MetadataMap& map, AttackedMemory& memory);

  /** One more script, which begins no earlier than the next cycle. Throws UserError as the constructor does. */
  void add(const AttackScript& script);

  /** Begins cycle `now`: does what is due. */
  void begin(uint64_t now);
  const std::vector<AttackRecord>& log() const { return log_; }

  uint64_t route(uint64_t address) override;
  bool loses(uint64_t address) override;
  uint64_t delay(uint64_t address) override;
  uint64_t hold(uint64_t address, uint64_t bytes) override;

 private:
  struct Plan {
    AttackScript script;
    std::vector<MemoryPlace> places;  // a replay: what is put back; a hold: what is held
    std::vector<uint8_t> old;
  };

  void check(const AttackScript& script) const;
  std::vector<uint8_t> bytesAt(const std::vector<MemoryPlace>& places) const;
  void put(AttackRecord& record, const std::vector<MemoryPlace>& places, const std::vector<uint8_t>& bytes);
  void strike(const Plan& plan, AttackRecord& record);
  /** The first script of this kind that applies to an address now, and its log; null if there is none. */
  const AttackScript* applying(AttackKind kind, uint64_t address);
  void noteBurst(AttackRecord& record) const;

  MetadataMap map_;
  AttackedMemory& memory_;
  std::vector<Plan> plans_;
  std::vector<AttackRecord> log_;
  uint64_t now_ = 0;
};

}  // namespace hauberk
