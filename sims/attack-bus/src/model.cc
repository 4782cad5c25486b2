#include "model.h"

#include <algorithm>

#include "VBusUnderAttack.h"
#include "verilated_model.h"

namespace hauberk::bus {

namespace {

/** Wires of as many words as the scheme has. */
template <size_t kWidth, size_t kWords>
void put(VlWide<kWidth>& wires, const std::array<uint32_t, kWords>& words) {
  static_assert(kWidth <= kWords);
  std::copy(words.begin(), words.begin() + kWidth, wires.data());
}

template <size_t kWidth, size_t kWords>
void get(std::array<uint32_t, kWords>& words, const VlWide<kWidth>& wires) {
  static_assert(kWidth <= kWords);
  std::copy(wires.data(), wires.data() + kWidth, words.begin());
}

#define MEMBERS(WITH) WITH(0) WITH(1) WITH(2) WITH(3)
#define CHANNELS(WITH, m) WITH(m, 0) WITH(m, 1) WITH(m, 2) WITH(m, 3) WITH(m, 4)

#define DRIVE_MESSAGE(m, c)                                 \
  top.io_send_##m##_##c##_valid = in.send[m][c].valid;      \
  if (in.send[m][c].valid) {                                \
    const Message& message = in.send[m][c].message;         \
    top.io_send_##m##_##c##_bits_peer = message.peer;       \
    top.io_send_##m##_##c##_bits_group = message.group;     \
    top.io_send_##m##_##c##_bits_command = message.command; \
    top.io_send_##m##_##c##_bits_beats = message.beats;     \
    put(top.io_send_##m##_##c##_bits_data, message.data);   \
  }                                                         \
  top.io_receive_##m##_##c##_ready = in.receiveReady[m][c];

#define DRIVE_CONTROL(m)                                                 \
  top.io_control_##m##_command_valid = in.control[m].command;            \
  top.io_control_##m##_command_bits_operation = in.control[m].operation; \
  top.io_control_##m##_command_bits_group = in.control[m].group;         \
  top.io_control_##m##_command_bits_members = in.control[m].members;     \
  top.io_control_##m##_command_bits_interval = in.control[m].interval;   \
  top.io_control_##m##_keyWrite_valid = in.control[m].keyWrite;          \
  top.io_control_##m##_keyWrite_bits_slot = in.control[m].slot;          \
  top.io_control_##m##_keyWrite_bits_word = in.control[m].word;          \
  top.io_control_##m##_keyWrite_bits_data = in.control[m].key;           \
  top.io_control_##m##_random_valid = true;                              \
  top.io_control_##m##_random_bits = in.control[m].random;

#define DRIVE_TAP(m)                                             \
  top.io_taps_##m##_replace = taps[m].replace;                   \
  top.io_taps_##m##_valid = taps[m].valid;                       \
  top.io_taps_##m##_grant = taps[m].grant;                       \
  top.io_taps_##m##_beat_kind = taps[m].beat.kind;               \
  top.io_taps_##m##_beat_group = taps[m].beat.group;             \
  top.io_taps_##m##_beat_source = taps[m].beat.source;           \
  top.io_taps_##m##_beat_destination = taps[m].beat.destination; \
  top.io_taps_##m##_beat_channel = taps[m].beat.channel;         \
  top.io_taps_##m##_beat_command = taps[m].beat.command;         \
  top.io_taps_##m##_beat_hasData = taps[m].beat.hasData;         \
  top.io_taps_##m##_beat_last = taps[m].beat.last;               \
  put(top.io_taps_##m##_beat_data, taps[m].beat.data);

#define READ_MESSAGE(m, c)                                         \
  outputs_.sendReady[m][c] = top.io_send_##m##_##c##_ready;        \
  outputs_.receive[m][c].valid = top.io_receive_##m##_##c##_valid; \
  if (outputs_.receive[m][c].valid) {                              \
    Message& message = outputs_.receive[m][c].message;             \
    message.peer = top.io_receive_##m##_##c##_bits_peer;           \
    message.group = top.io_receive_##m##_##c##_bits_group;         \
    message.command = top.io_receive_##m##_##c##_bits_command;     \
    message.beats = top.io_receive_##m##_##c##_bits_beats;         \
    get(message.data, top.io_receive_##m##_##c##_bits_data);       \
  }

#define READ_BEAT(to, from)                  \
  (to).kind = top.from##_kind;               \
  (to).group = top.from##_group;             \
  (to).source = top.from##_source;           \
  (to).destination = top.from##_destination; \
  (to).channel = top.from##_channel;         \
  (to).command = top.from##_command;         \
  (to).hasData = top.from##_hasData;         \
  (to).last = top.from##_last;               \
  get((to).data, top.from##_data);

#define READ_STATUS(m)                                                \
  outputs_.status[m].refusal = top.io_control_##m##_refusal;          \
  outputs_.status[m].keyRefusal = top.io_control_##m##_keyRefusal;    \
  outputs_.status[m].drawsRandom = top.io_control_##m##_random_ready; \
  outputs_.status[m].agreed = top.io_control_##m##_agreed;            \
  outputs_.status[m].alarm = top.io_control_##m##_alarm;              \
  outputs_.view.requests[m] = top.io_view_requests_##m;               \
  if (outputs_.view.requests[m]) {                                    \
    READ_BEAT(outputs_.view.offers[m], io_view_offers_##m)            \
  }

class Bus : public VerilatedModel<Model, Inputs, VBusUnderAttack> {
 public:
  const Outputs& settle(const Inputs& in) override {
#define DRIVE_MEMBER(m) CHANNELS(DRIVE_MESSAGE, m) DRIVE_CONTROL(m)
    MEMBERS(DRIVE_MEMBER)
    return settle(in.taps);
  }

  const Outputs& settle(const Taps& taps) override {
    MEMBERS(DRIVE_TAP)
    top.clock = 0;
    top.eval();
#define READ_MEMBER(m) CHANNELS(READ_MESSAGE, m) READ_STATUS(m)
    MEMBERS(READ_MEMBER)
    outputs_.view.tick = top.io_view_tick;
    outputs_.view.taken = top.io_view_taken;
    outputs_.view.shown = top.io_view_shown;
    READ_BEAT(outputs_.view.beat, io_view_beat)
    return outputs_;
  }

 private:
  Outputs outputs_;
};

}  // namespace

std::unique_ptr<Model> makeModel() { return std::make_unique<Bus>(); }

}  // namespace hauberk::bus
