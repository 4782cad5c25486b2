#include "bus_adversary.h"

#include "user_error.h"

namespace hauberk {

BusAdversary::BusAdversary(const std::vector<AttackScript>& scripts, const std::optional<BusConfig>& bus) {
  for (const AttackScript& script : scripts) {
    if (!script.onBus()) continue;
    if (!bus) throw UserError("attack " + script.text + ": this SoC has no bus outside its chips to attack");
    members_ = bus->members;
    widthBits_ = bus->widthBits;
    check(script);
    scripts_.push_back(script);
    AttackRecord record;
    record.script = script.text;
    log_.push_back(record);
    if (script.kind == AttackKind::BusReplay) recorded_[script.from];
  }
}

void BusAdversary::check(const AttackScript& script) const {
  const auto refuse = [&](const std::string& complaint) {
    throw UserError("attack " + script.text + ": " + complaint);
  };
  const std::string numbers = "there are members 0 to " + std::to_string(members_ - 1);
  if (script.member && *script.member >= members_) refuse("the field to names no member; " + numbers);
  if (script.kind == AttackKind::BusSpoof && script.pid >= members_)
    refuse("the field pid names no member; " + numbers);
  if (script.kind == AttackKind::BusFlip && script.bit >= widthBits_) {
    refuse("the field bit lies outside the " + std::to_string(widthBits_) + " data lines");
  }
}

bool BusAdversary::meets(const AttackScript& script, unsigned source, unsigned member) const {
  if (member >= members_) return false;
  return script.member ? *script.member == member : member != source;
}

bool BusAdversary::strikes(const AttackScript& script, const BusView& view, BusTaps& taps) {
  const bool isNow = view.passesData() && transfers_ == script.transfer;
  const bool isIdle = !view.shown && transfers_ > script.transfer;
  BusTap tap;
  tap.replace = true;
  switch (script.kind) {
    case AttackKind::BusDrop:
      if (!isNow) return false;
      tap.beat = view.beat;
      break;
    case AttackKind::BusFlip:
      if (!isNow) return false;
      tap.valid = true;
      tap.beat = view.beat;
      tap.beat.data[script.bit / 32] ^= 1u << script.bit % 32;
      break;
    case AttackKind::BusReplay:
      if (!isIdle) return false;
      tap.valid = true;
      tap.beat = recorded_.at(script.from);
      break;
    case AttackKind::BusSpoof:
      if (!isIdle) return false;
      tap.valid = true;
      tap.beat = latest_;
      tap.beat.source = static_cast<uint8_t>(script.pid);
      tap.beat.last = true;
      break;
    default:
      return false;
  }
  const bool spoof = script.kind == AttackKind::BusSpoof;
  for (unsigned member = 0; member < kMostBusMembers; member++) {
    if (spoof ? member == script.pid : meets(script, tap.beat.source, member)) taps[member] = tap;
  }
  return true;
}

bool BusAdversary::tamper(uint64_t now, const BusView& view, BusTaps& taps) {
  if (!view.tick) return false;
  bool struck = false;
  for (size_t i = 0; i < scripts_.size(); i++) {
    if (log_[i].struck || !strikes(scripts_[i], view, taps)) continue;
    struck = log_[i].struck = true;
    log_[i].cycle = now;
    log_[i].bursts++;
  }
  if (view.passesData()) {
    const auto record = recorded_.find(transfers_);
    if (record != recorded_.end()) record->second = view.beat;
    latest_ = view.beat;
    transfers_++;
  }
  return struck;
}

}  // namespace hauberk
