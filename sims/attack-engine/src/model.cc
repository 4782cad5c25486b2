#include "model.h"

#include "VMemoryProtectionEngine.h"
#include "verilated_model.h"

namespace hauberk::engine {

namespace {

/** Engines whose counters no program steers have no such port. */
template <typename Top>
auto drive(Top& top, const Hint& hint, int) -> decltype(void(top.io_hint_valid)) {
  top.io_hint_valid = hint.valid;
  top.io_hint_bits_kind = hint.kind;
  top.io_hint_bits_block = hint.block;
  top.io_hint_bits_id = hint.id;
}
template <typename Top>
void drive(Top&, const Hint&, long) {}

class Engine : public VerilatedModel<Model, Inputs, VMemoryProtectionEngine> {
 public:
  const Outputs& settle(const Inputs& in) override {
    top.io_client_request_valid = in.client.valid;
    top.io_client_request_bits_write = in.client.write;
    top.io_client_request_bits_partial = in.client.partial;
    top.io_client_request_bits_address = in.client.address;
    top.io_client_request_bits_size = in.client.size;
    top.io_client_request_bits_id = in.client.id;
    top.io_client_request_bits_mask = in.client.mask;
    top.io_client_request_bits_data = in.client.data;
    top.io_client_response_ready = in.clientReady;
    top.io_memory_request_ready = in.memoryReady;
    top.io_memory_response_valid = in.memory.valid;
    top.io_memory_response_bits_write = in.memory.write;
    top.io_memory_response_bits_id = in.memory.id;
    top.io_memory_response_bits_size = in.memory.size;
    top.io_memory_response_bits_data = in.memory.data;
    top.io_memory_response_bits_denied = in.memory.denied;
    top.io_keyWrite_valid = in.keyWrite;
    top.io_keyWrite_bits_slot = in.keySlot;
    top.io_keyWrite_bits_word = in.keyWord;
    top.io_keyWrite_bits_data = in.keyData;
    top.io_keyZeroize_valid = in.keyZeroize;
    top.io_keyZeroize_bits = in.zeroizeSlot;
    top.io_control_arm = in.arm;
    top.io_control_flush = in.flush;
    top.io_control_check = in.check;
    top.io_control_halt = 0;
    top.io_control_imageBlocks = in.imageBlocks;
    drive(top, in.hint, 0);
    top.clock = 0;
    top.eval();
    outputs_.clientReady = top.io_client_request_ready;
    outputs_.client.valid = top.io_client_response_valid;
    outputs_.client.write = top.io_client_response_bits_write;
    outputs_.client.id = top.io_client_response_bits_id;
    outputs_.client.size = top.io_client_response_bits_size;
    outputs_.client.data = top.io_client_response_bits_data;
    outputs_.client.denied = top.io_client_response_bits_denied;
    outputs_.memory.valid = top.io_memory_request_valid;
    outputs_.memory.write = top.io_memory_request_bits_write;
    outputs_.memory.partial = top.io_memory_request_bits_partial;
    outputs_.memory.address = top.io_memory_request_bits_address;
    outputs_.memory.size = top.io_memory_request_bits_size;
    outputs_.memory.id = top.io_memory_request_bits_id;
    outputs_.memory.mask = top.io_memory_request_bits_mask;
    outputs_.memory.data = top.io_memory_request_bits_data;
    outputs_.memoryReady = top.io_memory_response_ready;
    outputs_.wantsKey = top.io_keyWanted_valid;
    outputs_.wantedSlot = top.io_keyWanted_bits;
    Status& status = outputs_.status;
    status.initialised = top.io_status_initialised;
    status.usable = top.io_status_usable_0 | top.io_status_usable_1 << 1 | top.io_status_usable_2 << 2;
    status.armed = top.io_status_armed;
    status.flushing = top.io_status_flushing;
    status.checking = top.io_status_checking;
    status.rekeying = top.io_status_rekeying;
    status.unverified = top.io_status_unverified;
    status.halted = top.io_status_halted;
    status.steered = top.io_statistics_steeredWrites;
    status.alarm = top.io_status_alarm;
    status.cause = top.io_status_cause;
    status.address = top.io_status_address;
    return outputs_;
  }

 private:
  Outputs outputs_;
};

}  // namespace

std::unique_ptr<Model> makeModel() { return std::make_unique<Engine>(); }

}  // namespace hauberk::engine
