#include "scripted_adversary.h"

#include "random.h"
#include "user_error.h"

namespace hauberk {

ScriptedAdversary::ScriptedAdversary(const std::vector<AttackScript>& scripts, const MetadataMap& map,
                                     AttackedMemory& memory)
    : map_(map), memory_(memory) {
  for (const AttackScript& script : scripts) {
    if (!script.onBus()) add(script);
  }
}

void ScriptedAdversary::add(const AttackScript& script) {
  check(script);
  Plan plan;
  plan.script = script;
  if (script.kind == AttackKind::Replay || script.kind == AttackKind::Hold) plan.places = map_.places(script);
  plans_.push_back(plan);
  AttackRecord record;
  record.script = script.text;
  log_.push_back(record);
}

void ScriptedAdversary::check(const AttackScript& script) const {
  const auto refuse = [&](const char* field) {
    throw UserError("attack " + script.text + ": the field " + field + ", with its bytes, lies outside the memory");
  };
  if (!memory_.holds(script.address, script.kind == AttackKind::Flip ? script.bit / 8 + 1 : script.bytes))
    refuse("addr");
  const bool two = script.kind == AttackKind::Splice || script.kind == AttackKind::Alias;
  if (two && !memory_.holds(script.with, script.bytes)) refuse("with");
}

std::vector<uint8_t> ScriptedAdversary::bytesAt(const std::vector<MemoryPlace>& places) const {
  std::vector<uint8_t> bytes;
  for (const MemoryPlace& place : places) {
    for (uint64_t i = 0; i < place.bytes; i++) bytes.push_back(memory_.byteAt(place.address + i));
  }
  return bytes;
}

void ScriptedAdversary::put(AttackRecord& record, const std::vector<MemoryPlace>& places,
                            const std::vector<uint8_t>& bytes) {
  size_t next = 0;
  for (const MemoryPlace& place : places) {
    for (uint64_t i = 0; i < place.bytes; i++) {
      const uint8_t byte = bytes[next++];
      if (memory_.byteAt(place.address + i) == byte) continue;
      memory_.putByte(place.address + i, byte);
      record.bytesChanged++;
    }
  }
}

void ScriptedAdversary::strike(const Plan& plan, AttackRecord& record) {
  const AttackScript& script = plan.script;
  const std::vector<MemoryPlace> here = {{script.address, script.bytes}};
  switch (script.kind) {
    case AttackKind::Flip: {
      const std::vector<MemoryPlace> place = {{script.address + script.bit / 8, 1}};
      put(record, place, {static_cast<uint8_t>(bytesAt(place)[0] ^ 1u << script.bit % 8)});
      break;
    }
    case AttackKind::Xor: {
      std::vector<uint8_t> bytes = bytesAt(here);
      for (size_t i = 0; i < bytes.size(); i++) bytes[i] ^= script.mask[i];
      put(record, here, bytes);
      break;
    }
    case AttackKind::Random: {
      Random noise(script.seed);
      std::vector<uint8_t> bytes(script.bytes);
      for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(noise.next());
      put(record, here, bytes);
      break;
    }
    case AttackKind::Splice: {
      const std::vector<MemoryPlace> there = {{script.with, script.bytes}};
      const std::vector<uint8_t> kept = bytesAt(here);
      put(record, here, bytesAt(there));
      put(record, there, kept);
      break;
    }
    case AttackKind::Replay:
      put(record, plan.places, plan.old);
      break;
    default:
      return;
  }
  record.struck = true;
  record.cycle = now_;
}

void ScriptedAdversary::begin(uint64_t now) {
  now_ = now;
  for (size_t i = 0; i < plans_.size(); i++) {
    Plan& plan = plans_[i];
    if (plan.script.kind == AttackKind::Replay && plan.script.from == now) plan.old = bytesAt(plan.places);
    if (plan.script.at == now) strike(plan, log_[i]);
  }
}

void ScriptedAdversary::noteBurst(AttackRecord& record) const {
  if (!record.struck) record.cycle = now_;
  record.struck = true;
  record.bursts++;
}

const AttackScript* ScriptedAdversary::applying(AttackKind kind, uint64_t address) {
  for (size_t i = 0; i < plans_.size(); i++) {
    const AttackScript& script = plans_[i].script;
    if (script.kind != kind || !script.active(now_) || !script.covers(address)) continue;
    noteBurst(log_[i]);
    return &script;
  }
  return nullptr;
}

uint64_t ScriptedAdversary::route(uint64_t address) {
  const AttackScript* script = applying(AttackKind::Alias, address);
  return script == nullptr ? address : address - script->address + script->with;
}

bool ScriptedAdversary::loses(uint64_t address) { return applying(AttackKind::Drop, address) != nullptr; }

uint64_t ScriptedAdversary::delay(uint64_t address) {
  const AttackScript* script = applying(AttackKind::Delay, address);
  return script == nullptr ? 0 : script->cycles;
}

uint64_t ScriptedAdversary::hold(uint64_t address, uint64_t bytes) {
  for (size_t i = 0; i < plans_.size(); i++) {
    const Plan& plan = plans_[i];
    if (plan.script.kind != AttackKind::Hold || !plan.script.active(now_)) continue;
    for (const MemoryPlace& place : plan.places) {
      if (address >= place.address + place.bytes || place.address >= address + bytes) continue;
      noteBurst(log_[i]);
      return plan.script.cycles;
    }
  }
  return 0;
}

}  // namespace hauberk
