// The wires of the shared bus between the tiles and the system bus, as its owner sees and drives them (SimBusPins).
#pragma once

#include <array>
#include <cstdint>

namespace hauberk {

constexpr unsigned kMostBusMembers = 5;

/** The shared bus's lines in a bus cycle. */
struct BusBeat {
  static constexpr uint8_t kTransfer = 0, kSetUp = 2;  // hauberk.bus.FrameKind

  uint8_t kind = 0;
  uint8_t group = 0;
  uint8_t source = 0;
  uint8_t destination = 0;
  uint8_t channel = 0;
  bool hasData = false;
  bool last = false;
  std::array<uint32_t, 3> command{};
  std::array<uint32_t, 16> data{};
};

/** What the shared bus carries in this cycle; it counts if a bus cycle ends. */
struct BusView {
  bool tick = false;
  bool shown = false;
  bool taken = false;
  BusBeat beat;

  /** Data pass. */
  bool passesData() const { return taken && beat.kind == BusBeat::kTransfer && beat.hasData; }
};

/** What a member receives in place of what there is. */
struct BusTap {
  bool replace = false;
  bool valid = false;  // else it receives nothing
  BusBeat beat;
};
using BusTaps = std::array<BusTap, kMostBusMembers>;

}  // namespace hauberk
