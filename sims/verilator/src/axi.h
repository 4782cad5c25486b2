// Pins of one AXI4 port as plain values: what a master drives and what a memory answers in one clock cycle.
#pragma once

#include <cstdint>

namespace hauberk {

struct AxiAddress {
  bool valid = false;
  uint32_t id = 0;
  uint64_t address = 0;
  uint8_t length = 0;  // beats - 1
  uint8_t size = 0;    // log2 of the bytes of a beat
  uint8_t burst = 1;   // 0 fixed, 1 incrementing, 2 wrapping
};

struct AxiWriteBeat {
  bool valid = false;
  uint64_t data = 0;
  uint8_t strobe = 0;
  bool last = false;
};

/** Driven by the SoC. */
struct AxiMasterPins {
  AxiAddress ar;
  AxiAddress aw;
  AxiWriteBeat w;
  bool rReady = false;
  bool bReady = false;
};

/** Driven by the memory; a function of its state only, never of this cycle's master pins. */
struct AxiSlavePins {
  bool arReady = false;
  bool awReady = false;
  bool wReady = false;
  bool rValid = false;
  uint32_t rId = 0;
  uint64_t rData = 0;
  uint8_t rResponse = 0;
  bool rLast = false;
  bool bValid = false;
  uint32_t bId = 0;
  uint8_t bResponse = 0;
};

constexpr uint8_t kAxiOkay = 0;
constexpr uint8_t kAxiDecodeError = 3;

}  // namespace hauberk
