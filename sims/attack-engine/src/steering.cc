#include "steering.h"

namespace hauberk::engine {

namespace {

Hint hint(Hint::Kind kind, uint32_t block, unsigned id) {
  Hint made;
  made.valid = true;
  made.kind = kind;
  made.block = block;
  made.id = static_cast<uint8_t>(id);
  return made;
}

}  // namespace

void Steering::draw() {
  constexpr uint32_t kNexts[] = {16, 256, 4096};
  manners = Manners();
  manners.programs = random_.below(3);
  manners.lostOneIn = random_.oneIn(3) ? 2 + random_.below(4) : 0;
  manners.lateOneIn = random_.oneIn(3) ? 2 + random_.below(4) : 0;
  manners.nextOneIn = kNexts[random_.below(3)];
  manners.hostileOneIn = manners.programs == 0 || random_.oneIn(2) ? 1 + random_.below(8) : 0;
}

void Steering::say(Hint::Kind kind, uint32_t block, unsigned id) { said_.push_back(hint(kind, block, id)); }

void Steering::reset() {
  said_.clear();
  late_ = Hint();
}

/** A compiler gives an id to an array: here to some neighbours. Each program has its own. */
Hint Steering::right(const Transfer& transfer) const {
  constexpr uint32_t kArray = 16;
  const uint32_t block = transfer.address / scheme_.blockBytes;
  const unsigned id = (block / kArray * 5 + program_ * 3) % scheme_.pairs->ids;
  return hint(transfer.write ? Hint::Store : Hint::Load, block, id);
}

/** Most name what exists, near the blocks in use. */
Hint Steering::anything() {
  constexpr unsigned kIds = 128;
  const uint32_t all = scheme_.localBytes / scheme_.blockBytes;
  const auto kind = static_cast<Hint::Kind>(random_.below(4));
  switch (random_.below(8)) {
    case 0:
      return hint(Hint::Next, 0, random_.below(random_.oneIn(4) ? kIds : scheme_.pairs->registers));
    case 1:
      return hint(kind, random_.below(all), random_.below(kIds));
    case 2:
      return hint(random_.oneIn(2) ? Hint::Store : Hint::Load, random_.below(scheme_.blocks()), random_.below(12));
    default:
      return hint(random_.oneIn(3) ? Hint::Load : Hint::Store, random_.below(24), random_.below(12));
  }
}

void Steering::drive(Inputs& inputs, const Transfer* begun) {
  inputs.hint = Hint();
  if (!scheme_.takesHints()) return;
  if (!said_.empty()) {
    inputs.hint = said_.front();
    said_.pop_front();
    return;
  }
  constexpr uint32_t kTurn = 300;
  if (manners.programs > 1 && random_.oneIn(kTurn)) program_ = random_.below(manners.programs);
  if (begun != nullptr && manners.programs > 0) {
    if (late_.valid) {
      inputs.hint = late_;
      late_ = Hint();
    } else if (manners.lateOneIn != 0 && random_.oneIn(manners.lateOneIn)) {
      late_ = right(*begun);
    } else if (manners.lostOneIn == 0 || !random_.oneIn(manners.lostOneIn)) {
      inputs.hint = right(*begun);
    }
  } else if (manners.programs > 0 && random_.oneIn(manners.nextOneIn)) {
    inputs.hint = hint(Hint::Next, 0, random_.below(scheme_.pairs->registers));
  } else if (manners.hostileOneIn != 0 && random_.oneIn(manners.hostileOneIn)) {
    inputs.hint = anything();
  }
}

}  // namespace hauberk::engine
