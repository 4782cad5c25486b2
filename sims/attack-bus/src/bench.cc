#include "bench.h"

#include <algorithm>
#include <stdexcept>

namespace hauberk::bus {

namespace {

constexpr unsigned kNotReceived = 64;  // bus cycles in which a message that is under way arrives
constexpr unsigned kPlenty = 4000;     // bus cycles in which anything comes to its end while nobody attacks

}  // namespace

Bench::Bench(const Scheme& s, uint64_t seed) : scheme(s), random(seed), traffic(s, random.next()), watch(s) {
  drawKeys();
  reset();
}

/** Of who raised it. */
uint8_t Bench::cause() const {
  for (const Status& s : outputs_->status) {
    if (s.alarm != kNoAlarm && s.alarm != kOther) return s.alarm;
  }
  return kNoAlarm;
}

bool Bench::agreed() const {
  for (unsigned group = 0; group < scheme.groups.size(); group++) {
    for (unsigned member = 0; member < kMembers; member++) {
      if (scheme.belongs(member, group) && !(status(member).agreed >> group & 1)) return false;
    }
  }
  return true;
}

void Bench::tick() {
  traffic.drive(inputs_);
  outputs_ = &model_->settle(inputs_);
  if (outputs_->view.tick && adversary != nullptr) {
    const View view = outputs_->view;
    adversary->tamper(view, inputs_.taps);
    outputs_ = &model_->settle(inputs_.taps);
    adversary->taken(outputs_->view);
    if (adversary->struck && !strike_.passed) {
      const auto shown =
          std::find_if(inputs_.taps.begin(), inputs_.taps.end(), [](const Tap& tap) { return tap.valid; });
      struckGroup_ = view.taken || shown == inputs_.taps.end() ? view.beat.group : shown->beat.group;
      note(strike_);
    }
  }
  if (!alarm_.passed && cause() != kNoAlarm) note(alarm_);
  observe();
  model_->clock();
  inputs_.taps = Taps();
  for (Control& control : inputs_.control) control.command = control.keyWrite = false;
  cycles++;
}

void Bench::observe() {
  const View& view = outputs_->view;
  if (view.tick) {
    busCycles++;
    if (view.taken) history.push_back(view.beat);
    for (unsigned member = 0; member < kMembers; member++) {
      const bool granted = (view.taken && view.beat.source == member) || inputs_.taps[member].grant;
      const Beat& beat = view.offers[member];
      if (!granted || !view.requests[member] || !beat.isTransfer()) continue;
      transfers++;
      authenticated_[beat.group] += beat.hasData || scheme.commands;
      // Who sees that it is not alone keeps its data to itself: then there are zeros, which no mask makes
      const bool withheld = std::all_of(beat.data.begin(), beat.data.end(), [](uint32_t word) { return word == 0; });
      if (beat.hasData && !withheld) {
        const Message& message = traffic.message(member, beat.channel);
        watch.sent(beat.data, &message.data[sentBeats_[member] * scheme.beatWords]);
      }
      sentBeats_[member] = beat.last ? 0 : sentBeats_[member] + 1;
    }
  }
  for (unsigned member = 0; member < kMembers; member++) {
    for (unsigned channel = 0; channel < kChannels; channel++) {
      if (inputs_.send[member][channel].valid && outputs_->sendReady[member][channel]) {
        board.sent(member, channel, inputs_.send[member][channel].message);
        traffic.accepted(member, channel);
      }
      const ReceivePort& port = outputs_->receive[member][channel];
      if (port.valid && inputs_.receiveReady[member][channel]) board.received(member, channel, port.message);
    }
    if (status(member).drawsRandom) inputs_.control[member].random = random.next();
  }
}

void Bench::busCycle() {
  do tick();
  while (!outputs_->view.tick);
}

void Bench::idle(unsigned busCycles) {
  for (unsigned i = 0; i < busCycles; i++) busCycle();
}

void Bench::reset() {
  traffic.clear();
  traffic.on = false;
  board = Scoreboard();
  history.clear();
  inputs_ = Inputs();
  for (Control& control : inputs_.control) control.random = random.next();
  std::fill(std::begin(sentBeats_), std::end(sentBeats_), 0);
  model_->reset();
  alarm_ = Moment();
  outputs_ = &model_->settle(inputs_);
}

void Bench::drawKeys() {
  keys_.resize(2 * scheme.groups.size());
  for (uint64_t& word : keys_) word = random.next();
}

/** Software at each member allocates all groups and writes their keys, then opens them a little sooner or later. */
void Bench::openGroups() {
  if (scheme.groupEntries == 0) return;
  uint8_t unopened[kMembers] = {};
  for (unsigned group = 0; group < scheme.groups.size(); group++) {
    for (unsigned step = 0; step < 3; step++) {
      for (unsigned member = 0; member < kMembers; member++) {
        Control& control = inputs_.control[member];
        control.command = step == 0;
        control.operation = kAllocate;
        control.group = control.slot = static_cast<uint8_t>(group);
        control.members = scheme.groups[group];
        control.interval = scheme.interval;
        control.keyWrite = step > 0 && scheme.belongs(member, group);
        control.word = static_cast<uint8_t>(step - 1);
        control.key = keys_[2 * group + (step + 1) % 2];
        unopened[member] = static_cast<uint8_t>(unopened[member] | (scheme.belongs(member, group) ? 1u << group : 0));
      }
      tick();
      for (const Status& s : outputs_->status) {
        if (s.refusal != 0 || s.keyRefusal != 0) throw std::runtime_error("a group cannot be allocated");
      }
    }
  }
  for (unsigned tries = 0; tries < 1000; tries++) {
    bool done = true;
    unsigned opens[kMembers];
    for (unsigned member = 0; member < kMembers; member++) {
      opens[member] = kMostGroups;
      if (unopened[member] == 0) continue;
      done = false;
      const unsigned group = random.below(static_cast<uint32_t>(scheme.groups.size()));
      if (!(unopened[member] >> group & 1) || !random.oneIn(8)) continue;
      opens[member] = group;
      inputs_.control[member].command = true;
      inputs_.control[member].operation = kOpen;
      inputs_.control[member].group = static_cast<uint8_t>(group);
    }
    if (done) return;
    tick();
    for (unsigned member = 0; member < kMembers; member++) {
      const bool opened = opens[member] < kMostGroups && status(member).refusal == 0;
      if (opened) unopened[member] = static_cast<uint8_t>(unopened[member] & ~(1u << opens[member]));
    }
  }
  throw std::runtime_error("a group cannot be opened");
}

bool Bench::waitAgreed(unsigned busCycles) {
  for (unsigned i = 0; i < busCycles && !alarmed(); i++) {
    if (scheme.groupEntries == 0 || agreed()) return true;
    busCycle();
  }
  return false;
}

void Bench::boot() {
  adversary = nullptr;
  reset();
  openGroups();
  if (!waitAgreed(kPlenty)) throw std::runtime_error("the members do not agree while nobody attacks");
}

bool Bench::run(uint64_t count) {
  traffic.begun = 0;
  traffic.most = count;
  traffic.on = true;
  uint64_t right = board.right;
  for (unsigned timeout = kPlenty; traffic.begun < count; timeout--) {
    if (timeout == 0 || alarmed()) return false;
    if (board.right != right) timeout = kPlenty;
    right = board.right;
    busCycle();
  }
  traffic.on = false;
  traffic.most = ~uint64_t{0};
  return drain(kPlenty);
}

bool Bench::drain(unsigned busCycles) {
  traffic.on = false;
  for (unsigned i = 0; i < busCycles; i++) {
    if (alarmed()) return false;
    if (traffic.idle() && board.missing() == 0) return true;
    busCycle();
  }
  return false;
}

void Bench::mark() {
  mark_.reset(new Mark{model_->save(), traffic.ports(), traffic.load, board, history, {}});
  std::copy(std::begin(sentBeats_), std::end(sentBeats_), mark_->sentBeats);
  watch.mark();
}

void Bench::back() {
  adversary = nullptr;
  forget();
  model_->restore(mark_->state);
  traffic.restore(mark_->ports);
  traffic.load = mark_->load;
  traffic.on = false;
  board = mark_->board;
  history = mark_->history;
  std::copy(std::begin(mark_->sentBeats), std::end(mark_->sentBeats), sentBeats_);
  watch.back();
  const auto control = inputs_.control;
  inputs_ = Inputs();
  inputs_.control = control;
  outputs_ = &model_->settle(inputs_);
}

void Bench::forget() {
  strike_ = alarm_ = Moment();
  complaint.clear();
  transfersToAlarm = busCyclesToAlarm = cyclesToAlarm = 0;
}

Outcome Bench::judge() {
  // Who attacks an idle bus must be found out, too
  const unsigned busy = random.oneIn(3) ? 0 : random.below(scheme.timeout);
  // A member that shows its own MAC takes that for a good one, so its timeout may begin a heartbeat after the attack
  const unsigned timeout = scheme.timeout + scheme.heartbeat + 16;
  for (unsigned i = 0; i < timeout && !alarmed(); i++) {
    traffic.on = i < busy;
    busCycle();
  }
  traffic.on = false;
  if (alarmed()) {
    transfersToAlarm = alarm_.authenticated - strike_.authenticated;
    busCyclesToAlarm = alarm_.busCycles - strike_.busCycles;
    cyclesToAlarm = alarm_.cycles - strike_.cycles;
    if (!failsClosed()) {
      complaint = "a member goes on after the alarm";
      return Outcome::Missed;
    }
  }
  const bool timed = cause() != kSilent && adversary != nullptr && adversary->timed;
  if (alarmed() && timed && transfersToAlarm > scheme.interval + scheme.window + adversary->uncounted) {
    complaint = "the alarm came " + std::to_string(transfersToAlarm) + " transfers late";
    return Outcome::Missed;
  }
  if (scheme.secrecy && watch.inTheClear > 0) {
    complaint = "data left in the clear";
    return Outcome::Missed;
  }
  if (scheme.masksPerSender && watch.reused > 0) {
    complaint = "a mask was used twice";
    return Outcome::Missed;
  }
  if (alarmed()) return Outcome::Detected;
  drain(kNotReceived);
  if (!traffic.idle()) complaint = "the bus stands still without an alarm";
  if (board.wrong > 0 || board.missing() > 0 || !traffic.idle()) return Outcome::Missed;
  return Outcome::Harmless;
}

/** After an alarm every member is silent. */
bool Bench::failsClosed() {
  busCycle();
  busCycle();
  traffic.on = true;
  for (unsigned i = 0; i < 4; i++) {
    busCycle();
    for (unsigned member = 0; member < kMembers; member++) {
      if (status(member).alarm == kNoAlarm || outputs_->view.requests[member]) return false;
    }
  }
  traffic.on = false;
  return true;
}

}  // namespace hauberk::bus
