#include "adversary.h"

#include "random.h"
#include "user_error.h"

namespace hauberk {

Adversary::Adversary(const std::vector<AttackScript>& scripts, const MetadataMap& map, DramStorage& storage)
    : map_(map), storage_(storage) {
  for (const AttackScript& script : scripts) {
    if (!script.onBus()) add(script);
  }
}

void Adversary::add(const AttackScript& script) {
  check(script);
  Plan plan;
  plan.script = script;
  if (script.kind == AttackKind::Replay) plan.places = map_.places(script);
  plans_.push_back(plan);
  AttackRecord record;
  record.script = script.text;
  log_.push_back(record);
}

void Adversary::check(const AttackScript& script) const {
  const auto inside = [&](uint64_t address, uint64_t bytes) {
    return storage_.contains(address) && bytes <= storage_.base() + storage_.bytes() - address;
  };
  const auto refuse = [&](const char* field) {
    throw UserError("attack " + script.text + ": the field " + field + ", with its bytes, lies outside the DRAM");
  };
  if (!inside(script.address, script.kind == AttackKind::Flip ? script.bit / 8 + 1 : script.bytes)) refuse("addr");
  const bool two = script.kind == AttackKind::Splice || script.kind == AttackKind::Alias;
  if (two && !inside(script.with, script.bytes)) refuse("with");
}

std::vector<uint8_t> Adversary::bytesAt(const std::vector<DramPlace>& places) const {
  std::vector<uint8_t> bytes;
  for (const DramPlace& place : places) {
    for (uint64_t i = 0; i < place.bytes; i++) {
      const uint64_t at = place.address + i;
      bytes.push_back(static_cast<uint8_t>(storage_.read(at) >> (8 * (at % 8))));
    }
  }
  return bytes;
}

void Adversary::put(AttackRecord& record, const std::vector<DramPlace>& places, const std::vector<uint8_t>& bytes) {
  size_t next = 0;
  for (const DramPlace& place : places) {
    for (uint64_t i = 0; i < place.bytes; i++) {
      const uint64_t at = place.address + i;
      const auto shift = static_cast<unsigned>(8 * (at % 8));
      const uint64_t value = uint64_t{bytes[next++]} << shift;
      if ((storage_.read(at) >> shift & 0xff) == value >> shift) continue;
      storage_.write(at, value, static_cast<uint8_t>(1u << (at % 8)));
      record.bytesChanged++;
    }
  }
}

void Adversary::strike(const Plan& plan, AttackRecord& record) {
  const AttackScript& script = plan.script;
  const std::vector<DramPlace> here = {{script.address, script.bytes}};
  switch (script.kind) {
    case AttackKind::Flip: {
      const std::vector<DramPlace> place = {{script.address + script.bit / 8, 1}};
      put(record, place, {static_cast<uint8_t>(bytesAt(place)[0] ^ 1u << script.bit % 8)});
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
      const std::vector<DramPlace> there = {{script.with, script.bytes}};
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

void Adversary::begin(uint64_t now) {
  now_ = now;
  for (size_t i = 0; i < plans_.size(); i++) {
    Plan& plan = plans_[i];
    if (plan.script.kind == AttackKind::Replay && plan.script.from == now) plan.old = bytesAt(plan.places);
    if (plan.script.at == now) strike(plan, log_[i]);
  }
}

const AttackScript* Adversary::applying(AttackKind kind, uint64_t address) {
  for (size_t i = 0; i < plans_.size(); i++) {
    const AttackScript& script = plans_[i].script;
    if (script.kind != kind || !script.active(now_) || !script.covers(address)) continue;
    AttackRecord& record = log_[i];
    if (!record.struck) record.cycle = now_;
    record.struck = true;
    record.bursts++;
    return &script;
  }
  return nullptr;
}

uint64_t Adversary::route(uint64_t address) {
  const AttackScript* script = applying(AttackKind::Alias, address);
  return script == nullptr ? address : address - script->address + script->with;
}

bool Adversary::loses(uint64_t address) { return applying(AttackKind::Drop, address) != nullptr; }

uint64_t Adversary::delay(uint64_t address) {
  const AttackScript* script = applying(AttackKind::Delay, address);
  return script == nullptr ? 0 : script->cycles;
}

}  // namespace hauberk
