// The bench's own parts: what the judge relies on.
#include <gtest/gtest.h>

#include "attack_class.h"
#include "client.h"
#include "memory.h"
#include "pads.h"
#include "reference.h"

namespace hauberk::engine {
namespace {

TEST(Image, GoesBackToItsMark) {
  Image image(256);
  image.put(3, 7);
  image.mark();
  image.put(3, 8);
  image.put(200, 9);
  EXPECT_EQ(*image.at(200), 9);
  image.back();
  EXPECT_EQ(*image.at(3), 7);
  EXPECT_EQ(*image.at(200), 0);
}

/** Drives a memory by hand. */
class MemoryBench : public testing::Test {
 protected:
  void request(bool write, uint32_t address, uint64_t value) {
    for (unsigned beat = 0; beat < (write ? 8u : 1u); beat++) {
      Outputs outputs;
      outputs.memory.valid = true;
      outputs.memory.write = write;
      outputs.memory.address = address;
      outputs.memory.size = 6;
      outputs.memory.id = id_;
      outputs.memory.mask = 0xff;
      outputs.memory.data = value + beat;
      step(outputs);
    }
    id_++;
  }
  std::vector<uint64_t> answers(unsigned cycles) {
    std::vector<uint64_t> data;
    for (unsigned i = 0; i < cycles; i++) {
      Outputs outputs;
      outputs.memoryReady = true;
      const Inputs inputs = step(outputs);
      if (inputs.memory.valid && !inputs.memory.write) data.push_back(inputs.memory.data);
    }
    return data;
  }
  Inputs step(const Outputs& outputs) {
    Inputs inputs;
    memory_.drive(inputs);
    memory_.observe(inputs, outputs);
    return inputs;
  }

  Memory memory_{4096, 64, 1};
  uint16_t id_ = 0;
};

TEST_F(MemoryBench, AnswersWhatWasWritten) {
  request(true, 64, 100);
  answers(40);
  request(false, 64, 0);
  EXPECT_EQ(answers(40), (std::vector<uint64_t>{100, 101, 102, 103, 104, 105, 106, 107}));
  EXPECT_EQ(memory_.lies, 0u);
  EXPECT_TRUE(memory_.idle());
}

TEST_F(MemoryBench, CountsLiesThatReachTheEngine) {
  memory_.stored.put(64, 1);
  request(false, 0, 0);
  answers(40);
  EXPECT_EQ(memory_.lies, 0u) << "nobody asked for the changed line";
  request(false, 64, 0);
  answers(40);
  EXPECT_EQ(memory_.lies, 1u);
  EXPECT_EQ(memory_.firstLie, 64u);
}

/** Holds the answers to reads of one line. */
class LineHolder : public Interposer {
 public:
  bool passes(Reply& reply) override {
    if (reply.write || reply.address != 64) return true;
    reply.held = true;
    reply.due = ~uint64_t{0};
    return true;
  }
};

TEST_F(MemoryBench, OthersPassAnAnswerThatIsHeldUntilItIsReleased) {
  LineHolder holder;
  memory_.interposer = &holder;
  for (uint32_t line : {0u, 64u, 128u}) memory_.stored.put(line, static_cast<uint8_t>(1 + line));
  for (bool inOrder : {true, false}) {
    memory_.timing.inOrder = inOrder;
    request(false, 64, 0);
    request(false, 0, 0);
    request(false, 128, 0);
    const std::vector<uint64_t> passed = answers(200);
    ASSERT_EQ(passed.size(), 16u);
    EXPECT_EQ(passed[0] + passed[8], 1u + 129u);
    EXPECT_FALSE(memory_.idle());
    memory_.release();
    EXPECT_EQ(answers(9), (std::vector<uint64_t>{65, 0, 0, 0, 0, 0, 0, 0}));
    EXPECT_TRUE(memory_.idle());
  }
  memory_.interposer = nullptr;
}

TEST_F(MemoryBench, LogsWhatIsAskedForAndWhen) {
  std::vector<Asked> log;
  memory_.log = &log;
  request(true, 64, 100);
  answers(40);
  request(false, 128, 0);
  ASSERT_EQ(log.size(), 2u) << "a line for a burst";
  EXPECT_TRUE(log[0].write);
  EXPECT_EQ(log[0].address, 64u);
  EXPECT_EQ(log[0].cycle, 1u);
  EXPECT_FALSE(log[1].write);
  EXPECT_EQ(log[1].address, 128u);
  EXPECT_EQ(log[1].cycle, 49u);
}

TEST_F(MemoryBench, RefusesAnIdentifierThatIsInUse) {
  request(false, 0, 0);
  id_ = 0;
  EXPECT_THROW(request(false, 64, 0), std::runtime_error);
}

/** An engine that answers reads with a value of the test's choice. */
class ClientBench : public testing::Test {
 protected:
  void serve(const Transfer& transfer, uint8_t value, bool denied = false) {
    client_.ask(transfer);
    Inputs inputs;
    client_.drive(inputs);
    const Request first = inputs.client;
    while (inputs.client.valid) {
      Outputs outputs;
      outputs.clientReady = true;
      client_.observe(inputs, outputs);
      inputs = Inputs();
      client_.drive(inputs);
    }
    for (unsigned beat = 0; beat < (first.write ? 1 : first.beats()); beat++) {
      Outputs outputs;
      outputs.client = {true, first.write, first.id, first.size, 0x0101010101010101u * value, denied};
      inputs = Inputs();
      client_.drive(inputs);
      client_.observe(inputs, outputs);
    }
  }
  static Transfer fill(uint32_t address, uint8_t value) {
    Transfer transfer;
    transfer.write = true;
    transfer.address = address;
    std::memset(transfer.data, value, sizeof transfer.data);
    return transfer;
  }

  Client client_{4096, 4, 1};
};

TEST_F(ClientBench, KnowsARightAnswerFromAWrongOne) {
  serve(fill(128, 5), 0);
  serve(Transfer::read(128, 6), 5);
  EXPECT_EQ(client_.wrong, 0u);
  serve(Transfer::read(160, 2), 6);
  EXPECT_EQ(client_.wrong, 1u);
  EXPECT_EQ(client_.firstWrong, 160u);
  EXPECT_TRUE(client_.idle());
}

TEST_F(ClientBench, CountsBeatsThatAreUsedAndThoseThatAreFalse) {
  serve(fill(128, 5), 0);
  serve(Transfer::read(128, 6), 5);
  EXPECT_EQ(client_.readBeats, 8u);
  EXPECT_EQ(client_.wrongBeats, 0u);
  serve(Transfer::read(136, 3), 6);
  serve(Transfer::read(128, 6), 6, true);
  EXPECT_EQ(client_.readBeats, 9u) << "a denied beat is not used";
  EXPECT_EQ(client_.wrongBeats, 1u);
}

TEST_F(ClientBench, GivesAnAnswerToNobodyWhoForgotIt) {
  Answer forgotten;
  Transfer read = Transfer::read(128, 6);
  read.report = &forgotten;
  client_.ask(read);
  client_.forget(&forgotten);
  serve(Transfer::read(0, 6), 1);
  EXPECT_FALSE(forgotten.come);
}

TEST_F(ClientBench, ADenialIsNoWrongAnswer) {
  serve(fill(128, 5), 0);
  serve(Transfer::read(128, 6), 6, true);
  EXPECT_EQ(client_.wrong, 0u);
  EXPECT_EQ(client_.denied, 1u);
}

TEST_F(ClientBench, ExpectsZerosOnlyIfTold) {
  serve(Transfer::read(0, 6), 9);
  EXPECT_EQ(client_.wrong, 0u);
  client_.expect(true);
  serve(Transfer::read(0, 6), 9);
  EXPECT_EQ(client_.wrong, 1u);
}

TEST_F(ClientBench, RefusesAnAnswerNobodyAskedFor) {
  Inputs inputs;
  inputs.clientReady = true;
  Outputs outputs;
  outputs.client.valid = true;
  EXPECT_THROW(client_.observe(inputs, outputs), std::runtime_error);
}

TEST_F(ClientBench, WithdrawsWhatIsNotTaken) {
  client_.ask(Transfer::read(0, 6));
  client_.ask(Transfer::read(64, 6));
  Inputs inputs;
  client_.drive(inputs);
  EXPECT_TRUE(inputs.client.valid);
  client_.withdraw();
  EXPECT_TRUE(client_.idle());
  inputs = Inputs();
  client_.drive(inputs);
  EXPECT_FALSE(inputs.client.valid);
}

/** Blocks of 8 bytes that a client writes and that reach memory under these pads. */
class PadLogBench : public testing::Test {
 protected:
  void write(uint32_t block, uint64_t plain, uint64_t pad) {
    for (unsigned i = 0; i < 8; i++) {
      plain_.put(8 * block + i, static_cast<uint8_t>(plain >> 8 * i));
      known_.put(8 * block + i, 1);
    }
    log_.written(8 * block, plain_, known_);
    const uint64_t cipher = plain ^ pad;
    log_.stored(8 * block, reinterpret_cast<const uint8_t*>(&cipher));
  }
  Image plain_{256}, known_{256};
  PadLog log_{8};
};

TEST_F(PadLogBench, SeesAPadUsedTwice) {
  write(1, 5, 100);
  write(2, 6, 101);
  write(1, 7, 102);
  EXPECT_FALSE(log_.repeated);
  write(3, 9, 101);
  EXPECT_TRUE(log_.repeated);
  EXPECT_EQ(log_.firstRepeated, 24u);
}

TEST_F(PadLogBench, KnowsPadsUntilItsMarkForEver) {
  write(1, 5, 100);
  log_.mark();
  write(1, 6, 101);
  log_.back();
  write(1, 7, 101);
  EXPECT_FALSE(log_.repeated) << "what was done since the mark was taken back";
  write(2, 8, 100);
  EXPECT_TRUE(log_.repeated);
}

TEST(Reference, EncryptsTheExampleOfFips197) {
  const uint64_t key[2] = {0x0001020304050607, 0x08090a0b0c0d0e0f};
  const AesBlock plain = {0x00, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77,
                          0x88, 0x99, 0xaa, 0xbb, 0xcc, 0xdd, 0xee, 0xff};
  const AesBlock cipher = {0x69, 0xc4, 0xe0, 0xd8, 0x6a, 0x7b, 0x04, 0x30,
                           0xd8, 0xcd, 0xb7, 0x80, 0x70, 0xb4, 0xc5, 0x5a};
  EXPECT_EQ(encryptAes(key, plain), cipher);
}

/** The example of counter mode in docs/formats.md: AES block 1 of a block. */
TEST(Reference, HasThePadsOfTheFormats) {
  const uint64_t key[2] = {0x0001020304050607, 0x08090a0b0c0d0e0f};
  const AesBlock data = {0x73, 0x7a, 0x81, 0x88, 0x8f, 0x96, 0x9d, 0xa4,
                         0xab, 0xb2, 0xb9, 0xc0, 0xc7, 0xce, 0xd5, 0xdc};
  const AesBlock cipher = {0x5e, 0x2c, 0xe4, 0xba, 0xec, 0x8a, 0x5e, 0x37,
                           0xc2, 0x9f, 0x16, 0x7a, 0xa9, 0x79, 0xb3, 0x54};
  const AesBlock pad = dataPad(key, 5, 7, 1);
  for (unsigned i = 0; i < 16; i++) EXPECT_EQ(data[i] ^ pad[i], cipher[i]) << i;
}

}  // namespace
}  // namespace hauberk::engine
