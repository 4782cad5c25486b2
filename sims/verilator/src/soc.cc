#include "soc.h"

#include <verilated.h>

#include "VSimTop.h"

#if VM_TRACE
#include <verilated_fst_c.h>
#else
#include "user_error.h"
#endif

namespace hauberk {

struct Soc::Model {
  /** No threads but this one, which the model has no use for, and which a forked process would lack. */
  struct Context : VerilatedContext {
    Context() { threads(1); }
  };
  Context context;
  VSimTop top{&context};
#if VM_TRACE
  std::unique_ptr<VerilatedFstC> waves;
#endif

  Model() {
    const char* noPlusArguments[] = {"simulator"};
    context.commandArgs(1, noPlusArguments);  // Rocket Chip's plusarg_reader insists on there being a list
  }

  void evaluate() {
    top.eval();
#if VM_TRACE
    if (waves) waves->dump(context.time());
#endif
    context.timeInc(1);
  }
};

namespace {

/** Burns a key, its first byte the most significant, into fuses that hold nothing yet. */
template <typename Key, typename Pins>
void burn(const Key& key, Pins& fuses) {
  for (size_t i = 0; i < key.size(); i++) fuses[key.size() / 4 - 1 - i / 4] |= uint32_t{key[i]} << (24 - 8 * (i % 4));
}

}  // namespace

Soc::Soc(const Package& package, const std::optional<Key128>& deviceKey, const BusFuses& busFuses,
         const Credentials& credentials)
    : model_(new Model) {
  VSimTop& top = model_->top;
  if (deviceKey) {
    burn(*deviceKey, top.fuse_deviceKey);
    top.fuse_valid = 1;
  }
  burn(busFuses.groupKey, top.bus_fuse_groupKey);
  burn(busFuses.deviceKeys[0], top.bus_fuse_deviceKeys_0);
  burn(busFuses.deviceKeys[1], top.bus_fuse_deviceKeys_1);
  burn(busFuses.deviceKeys[2], top.bus_fuse_deviceKeys_2);
  burn(busFuses.deviceKeys[3], top.bus_fuse_deviceKeys_3);
  burn(busFuses.deviceKeys[4], top.bus_fuse_deviceKeys_4);
  top.bus_fuse_valid = 1;
  if (credentials.processorSecret) {
    burn(*credentials.processorSecret, top.decryption_secret);
    top.decryption_secretValid = 1;
  }
  if (credentials.contextSecret) {
    burn(*credentials.contextSecret, top.contexts_secret);
    top.contexts_secretValid = 1;
  }
  if (credentials.token) {
    // A token that is there answers when it is asked
    top.decryption_token_present = 1;
    top.decryption_token_answer_valid = 1;
    burn(credentials.token->secret, top.decryption_token_answer_bits_secret);
    burn(credentials.token->check, top.decryption_token_answer_bits_check);
  }
  top.header_wrappedKey_0 = package.wrappedKey[0];
  top.header_wrappedKey_1 = package.wrappedKey[1];
  top.header_wrappedKey_2 = package.wrappedKey[2];
  top.header_entry = package.entry;
  top.header_imageBlocks = package.imageBlocks;
}

Soc::~Soc() {
#if VM_TRACE
  if (model_->waves) model_->waves->close();
#endif
  model_->top.final();
}

void Soc::reset() {
  constexpr int kResetCycles = 16;
  model_->top.reset = 1;
  for (int i = 0; i < kResetCycles; i++) {
    settle(SocInputs());
    clock();
  }
  model_->top.reset = 0;
}

SocOutputs Soc::settle(const SocInputs& inputs) {
  VSimTop& top = model_->top;
  const AxiSlavePins& memory = inputs.memory;
  top.mem_ar_ready = memory.arReady;
  top.mem_aw_ready = memory.awReady;
  top.mem_w_ready = memory.wReady;
  top.mem_r_valid = memory.rValid;
  top.mem_r_bits_id = memory.rId;
  top.mem_r_bits_data = memory.rData;
  top.mem_r_bits_resp = memory.rResponse;
  top.mem_r_bits_last = memory.rLast;
  top.mem_b_valid = memory.bValid;
  top.mem_b_bits_id = memory.bId;
  top.mem_b_bits_resp = memory.bResponse;
  top.entropy_valid = inputs.entropyValid;
  top.entropy_bits = inputs.entropy;
  top.bus_entropy_valid = inputs.busEntropyValid;
  top.bus_entropy_bits = inputs.busEntropy;
  top.contexts_entropy_valid = 1;
  top.contexts_entropy_bits = inputs.contextEntropy;
  top.uart_rx_valid = inputs.uart.has_value();
  top.uart_rx_bits = inputs.uart.value_or(0);
  top.clock = 0;
  model_->evaluate();

  SocOutputs outputs;
  AxiMasterPins& master = outputs.memory;
  master.ar = {bool(top.mem_ar_valid), top.mem_ar_bits_id,   top.mem_ar_bits_addr,
               top.mem_ar_bits_len,    top.mem_ar_bits_size, top.mem_ar_bits_burst};
  master.aw = {bool(top.mem_aw_valid), top.mem_aw_bits_id,   top.mem_aw_bits_addr,
               top.mem_aw_bits_len,    top.mem_aw_bits_size, top.mem_aw_bits_burst};
  master.w = {bool(top.mem_w_valid), top.mem_w_bits_data, top.mem_w_bits_strb, bool(top.mem_w_bits_last)};
  master.rReady = top.mem_r_ready;
  master.bReady = top.mem_b_ready;
  outputs.entropyReady = top.entropy_ready;
  if (top.uart_tx_valid) outputs.uart = top.uart_tx_bits;
  outputs.uartReady = top.uart_rx_ready;
  if (top.finish_valid) outputs.finish = top.finish_bits;
  outputs.alarm = {bool(top.alarm_raised), top.alarm_cause, top.alarm_address, bool(top.alarm_halted)};
  outputs.initialised = top.initialised;
  outputs.busEntropyReady = top.bus_entropy_ready;
  outputs.contextEntropyReady = top.contexts_entropy_ready;
  outputs.busAlarm = {bool(top.bus_alarm_raised), top.bus_alarm_pid, top.bus_alarm_cause};
  if (top.bus_view_taken && top.bus_view_beat_kind == BusBeat::kSetUp && top.bus_view_beat_group == 0) {
    const auto& data = top.bus_view_beat_data;
    outputs.busShare = BusShare{top.bus_view_beat_source, data[0] | uint64_t{data[1]} << 32};
  }
  if (top.bus_announced_valid) {
    outputs.padAnnouncement =
        PadAnnouncement{top.bus_announced_bits_block, top.bus_announced_bits_writer, top.bus_announced_bits_count};
  }
  return outputs;
}

void Soc::clock() {
  model_->top.clock = 1;
  model_->evaluate();
}

BusView Soc::busView() const {
  const VSimTop& top = model_->top;
  BusView view;
  view.tick = top.bus_view_tick;
  view.shown = top.bus_view_shown;
  view.taken = top.bus_view_taken;
  BusBeat& beat = view.beat;
  beat.kind = top.bus_view_beat_kind;
  beat.group = top.bus_view_beat_group;
  beat.source = top.bus_view_beat_source;
  beat.destination = top.bus_view_beat_destination;
  beat.channel = top.bus_view_beat_channel;
  beat.hasData = top.bus_view_beat_hasData;
  beat.last = top.bus_view_beat_last;
  for (size_t i = 0; i < beat.command.size(); i++) beat.command[i] = top.bus_view_beat_command[i];
  for (size_t i = 0; i < beat.data.size(); i++) beat.data[i] = top.bus_view_beat_data[i];
  return view;
}

#define DRIVE_TAP(m)                                              \
  top.bus_taps_##m##_replace = taps[m].replace;                   \
  top.bus_taps_##m##_valid = taps[m].valid;                       \
  top.bus_taps_##m##_beat_kind = taps[m].beat.kind;               \
  top.bus_taps_##m##_beat_group = taps[m].beat.group;             \
  top.bus_taps_##m##_beat_source = taps[m].beat.source;           \
  top.bus_taps_##m##_beat_destination = taps[m].beat.destination; \
  top.bus_taps_##m##_beat_channel = taps[m].beat.channel;         \
  top.bus_taps_##m##_beat_hasData = taps[m].beat.hasData;         \
  top.bus_taps_##m##_beat_last = taps[m].beat.last;               \
  for (size_t i = 0; i < taps[m].beat.command.size(); i++)        \
    top.bus_taps_##m##_beat_command[i] = taps[m].beat.command[i]; \
  for (size_t i = 0; i < taps[m].beat.data.size(); i++) top.bus_taps_##m##_beat_data[i] = taps[m].beat.data[i];

void Soc::tamper(const BusTaps& taps) {
  VSimTop& top = model_->top;
  DRIVE_TAP(0)
  DRIVE_TAP(1)
  DRIVE_TAP(2)
  DRIVE_TAP(3)
  DRIVE_TAP(4)
  model_->evaluate();
}

CoreState Soc::core(int index) const {
  const VSimTop& top = model_->top;
  switch (index) {
    case 0:
      return {top.core_pc_0, top.core_retired_0};
    case 1:
      return {top.core_pc_1, top.core_retired_1};
    case 2:
      return {top.core_pc_2, top.core_retired_2};
    default:
      return {top.core_pc_3, top.core_retired_3};
  }
}

ProtectorCounters Soc::counters() const {
#define COPY(field, object, key) counters.field = model_->top.statistics_##field;
  ProtectorCounters counters;
  PROTECTOR_RECORDED(COPY)
#undef COPY
  return counters;
}

CacheCounters Soc::cacheCounters() const {
#define COPY(field, object, key) counters.field = model_->top.lastLevelCache_##field;
  CacheCounters counters;
  CACHE_RECORDED(COPY)
#undef COPY
  return counters;
}

BusCounters Soc::busCounters() const {
#define COPY(field, object, key) counters.field = model_->top.bus_statistics_##field;
  BusCounters counters;
  BUS_RECORDED(COPY)
#undef COPY
  return counters;
}

bool Soc::isProtected() const { return model_->top.isProtected; }

Roots Soc::roots() const { return readRoots(model_->context); }

void Soc::openWaves([[maybe_unused]] const std::string& path) {
#if VM_TRACE
  model_->context.traceEverOn(true);
  model_->waves = std::make_unique<VerilatedFstC>();
  model_->top.trace(model_->waves.get(), 99);
  model_->waves->open(path.c_str());
#else
  throw UserError("this simulator was built without waves: build it with `make debug`");
#endif
}

}  // namespace hauberk
