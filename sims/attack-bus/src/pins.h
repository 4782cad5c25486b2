// Ports of one bus under attack as plain values, for one clock cycle.
#pragma once

#include <array>
#include <cstdint>

namespace hauberk::bus {

constexpr unsigned kMembers = 4;  // the home node and three tiles
constexpr unsigned kHome = 0;
constexpr unsigned kChannels = 5;  // A to E
constexpr unsigned kLineWords = 16;
constexpr unsigned kMostBeatWords = 8;
constexpr unsigned kMostGroups = 4;
constexpr unsigned kCommandBits = 60;

/** Kinds of beats, as in `FrameKind` of the generator. */
enum Kind : uint8_t { kTransfer, kAuthentication, kSetUp, kPad };

/** Causes of alarms, as in `BusAlarm`. */
enum Alarm : uint8_t { kNoAlarm, kOwnPid, kMismatch, kOutOfTurn, kSilent, kOverrun, kOther, kCollision };

using BeatData = std::array<uint32_t, kMostBeatWords>;
using LineData = std::array<uint32_t, kLineWords>;

/** The shared bus's lines in a bus cycle. */
struct Beat {
  uint8_t kind = 0;
  uint8_t group = 0;
  uint8_t source = 0;
  uint8_t destination = 0;
  uint8_t channel = 0;
  uint64_t command = 0;
  bool hasData = false;
  bool last = false;
  BeatData data{};

  bool isTransfer() const { return kind == kTransfer; }
  bool operator==(const Beat& other) const {
    return kind == other.kind && group == other.group && source == other.source && destination == other.destination &&
           channel == other.channel && command == other.command && hasData == other.hasData && last == other.last &&
           data == other.data;
  }
  bool operator!=(const Beat& other) const { return !(*this == other); }
};

/** A message of the layer above; `peer` is who it is for where it is sent, and who sent it where it is received. */
struct Message {
  uint8_t peer = 0;
  uint8_t group = 0;
  uint64_t command = 0;
  uint8_t beats = 0;
  LineData data{};

  bool operator==(const Message& other) const {
    return peer == other.peer && group == other.group && command == other.command && beats == other.beats &&
           data == other.data;
  }
};

/** What is done to the wires of one member in this cycle. */
struct Tap {
  bool replace = false;
  bool valid = false;
  Beat beat;
  bool grant = false;

  void silence() {
    replace = true;
    valid = false;
  }
  void show(const Beat& shown) {
    replace = valid = true;
    beat = shown;
  }
};
using Taps = std::array<Tap, kMembers>;

/** What an adversary sees. */
struct View {
  bool tick = false;
  bool taken = false;
  bool shown = false;
  Beat beat;
  std::array<bool, kMembers> requests{};
  std::array<Beat, kMembers> offers{};
};

/** Operations on the group information table, as in `GroupOperation`. */
enum Operation : uint8_t { kAllocate, kOpen, kRelease };

struct Control {
  bool command = false;
  uint8_t operation = 0;
  uint8_t group = 0;
  uint8_t members = 0;
  uint32_t interval = 0;
  bool keyWrite = false;
  uint8_t slot = 0;
  uint8_t word = 0;
  uint64_t key = 0;
  uint64_t random = 0;  // always valid
};

struct Status {
  uint8_t refusal = 0;
  uint8_t keyRefusal = 0;
  bool drawsRandom = false;
  uint8_t agreed = 0;  // a bit a group
  uint8_t alarm = 0;
};

struct SendPort {
  bool valid = false;
  Message message;
};

struct ReceivePort {
  bool valid = false;
  Message message;
};

/** What the bench drives. */
struct Inputs {
  std::array<std::array<SendPort, kChannels>, kMembers> send;
  std::array<std::array<bool, kChannels>, kMembers> receiveReady{};
  std::array<Control, kMembers> control;
  Taps taps;
};

struct Outputs {
  std::array<std::array<bool, kChannels>, kMembers> sendReady{};
  std::array<std::array<ReceivePort, kChannels>, kMembers> receive;
  std::array<Status, kMembers> status;
  View view;
};

/** Whether members send on this channel to the home node; else the home node sends on it to tiles. */
constexpr bool toHome(unsigned channel) { return channel % 2 == 0; }
constexpr bool sends(unsigned member, unsigned channel) { return (member == kHome) != toHome(channel); }
constexpr bool receives(unsigned member, unsigned channel) { return !sends(member, channel); }

}  // namespace hauberk::bus
