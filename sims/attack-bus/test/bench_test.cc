// The bench's own parts: what the judge relies on.
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>

#include "scoreboard.h"
#include "tally.h"
#include "targets.h"
#include "traffic.h"
#include "wire_watch.h"

namespace hauberk::bus {
namespace {

Message message(uint8_t peer, uint64_t command, uint8_t group = 0) {
  Message made;
  made.peer = peer;
  made.group = group;
  made.command = command;
  return made;
}

Scheme twoGroups() {
  Scheme scheme;
  scheme.beatWords = 4;
  scheme.lineBeats = 4;
  scheme.groups = {0xf, 0x7};
  return scheme;
}

TEST(Scoreboard, KnowsWhatComesNext) {
  Scoreboard board;
  board.sent(2, 0, message(kHome, 7));
  board.sent(3, 0, message(kHome, 8));
  EXPECT_EQ(board.missing(), 2u);
  board.received(kHome, 0, message(2, 7));
  board.received(kHome, 0, message(3, 8));
  EXPECT_EQ(board.wrong, 0u);
  EXPECT_EQ(board.right, 2u);
  EXPECT_EQ(board.missing(), 0u);
}

TEST(Scoreboard, NoticesOrderSenderContentAndInvention) {
  for (const Message& received : {message(2, 8), message(3, 7), message(2, 7, 1)}) {
    Scoreboard board;
    board.sent(2, 0, message(kHome, 7));
    board.sent(2, 0, message(kHome, 8));
    board.received(kHome, 0, received);
    EXPECT_EQ(board.wrong, 1u);
    EXPECT_EQ(board.missing(), 2u);
  }
}

TEST(Scoreboard, GroupsHaveNoOrderAmongEachOther) {
  Scoreboard board;
  board.sent(2, 0, message(kHome, 7, 0));
  board.sent(2, 0, message(kHome, 8, 1));
  board.received(kHome, 0, message(2, 8, 1));
  board.received(kHome, 0, message(2, 7, 0));
  EXPECT_EQ(board.wrong, 0u);
}

class WireWatchTest : public testing::Test {
 protected:
  void send(uint32_t plain, uint32_t mask) {
    const uint32_t data[4] = {plain, plain + 1, plain + 2, plain + 3};
    BeatData cipher{};
    for (unsigned i = 0; i < 4; i++) cipher[i] = data[i] ^ (mask + i);
    watch_.sent(cipher, data);
  }
  const Scheme scheme_ = twoGroups();
  WireWatch watch_{scheme_};
};

TEST_F(WireWatchTest, SeesAMaskThatHidesTwoThings) {
  send(100, 4000);
  send(200, 5000);
  EXPECT_EQ(watch_.reused, 0u);
  send(300, 4000);
  EXPECT_EQ(watch_.reused, 1u);
  EXPECT_EQ(watch_.inTheClear, 0u);
}

TEST_F(WireWatchTest, SeesDataInTheClear) {
  const uint32_t data[4] = {1, 2, 3, 4};
  BeatData cipher{1, 2, 3, 4};
  watch_.sent(cipher, data);
  EXPECT_EQ(watch_.inTheClear, 1u);
}

TEST_F(WireWatchTest, ForgetsWhatWillNotHaveHappened) {
  send(100, 4000);
  watch_.mark();
  send(100, 5000);
  watch_.back();
  send(100, 5000);
  EXPECT_EQ(watch_.reused, 0u);
  send(100, 4000);
  EXPECT_EQ(watch_.reused, 1u);
}

TEST(Targets, TellsBeatsApart) {
  Beat beat;
  EXPECT_TRUE(is(Target::Command, beat));
  beat.hasData = true;
  EXPECT_TRUE(is(Target::Data, beat));
  beat.kind = kAuthentication;
  EXPECT_TRUE(is(Target::Mac, beat));
  EXPECT_FALSE(is(Target::Data, beat));
  beat.kind = kSetUp;
  EXPECT_TRUE(is(Target::Share, beat));
}

TEST(Targets, NeverMeetsTheSenderNorWhoDoesNotBelong) {
  const Scheme scheme = twoGroups();
  Random random(1);
  Beat beat;
  beat.group = 1;
  beat.source = 1;
  beat.destination = 0;
  for (unsigned i = 0; i < 200; i++) {
    EXPECT_EQ(draw(Spread::All, beat, scheme, random), 0x5);
    EXPECT_EQ(draw(Spread::Destination, beat, scheme, random), 0x1);
    EXPECT_EQ(draw(Spread::Bystander, beat, scheme, random), 0x4);
    const MemberSet some = draw(Spread::Some, beat, scheme, random);
    EXPECT_NE(some, 0);
    EXPECT_EQ(some & ~0x5, 0);
  }
}

TEST(Traffic, SendsOnlyWhatMayBeSent) {
  const Scheme scheme = twoGroups();
  Traffic traffic(scheme, 1);
  traffic.on = true;
  traffic.load.idleOneIn = 1;
  Inputs inputs;
  unsigned seen = 0;
  for (unsigned i = 0; i < 200; i++) {
    traffic.drive(inputs);
    for (unsigned member = 0; member < kMembers; member++) {
      for (unsigned channel = 0; channel < kChannels; channel++) {
        const SendPort& port = inputs.send[member][channel];
        if (!port.valid) continue;
        seen++;
        EXPECT_TRUE(sends(member, channel));
        EXPECT_TRUE((member == kHome) != (port.message.peer == kHome));
        EXPECT_TRUE(scheme.belongs(member, port.message.group) &&
                    scheme.belongs(port.message.peer, port.message.group));
        for (unsigned word = port.message.beats * scheme.beatWords; word < kLineWords; word++) {
          EXPECT_EQ(port.message.data[word], 0u);
        }
        traffic.accepted(member, channel);
      }
    }
  }
  EXPECT_GT(seen, 1000u);
}

TEST(Traffic, KeepsAMessageUntilItIsTaken) {
  const Scheme scheme = twoGroups();
  Traffic traffic(scheme, 1);
  traffic.post(2, 0, message(kHome, 9));
  EXPECT_THROW(traffic.post(2, 0, message(kHome, 10)), std::runtime_error);
  EXPECT_FALSE(traffic.idle());
  Inputs inputs;
  for (unsigned i = 0; i < 3; i++) {
    traffic.drive(inputs);
    EXPECT_TRUE(inputs.send[2][0].valid);
    EXPECT_EQ(inputs.send[2][0].message.command, 9u);
  }
  traffic.accepted(2, 0);
  EXPECT_TRUE(traffic.idle());
}

TEST(Tally, IsMetOnlyByWhatIsExpected) {
  Tally tally;
  tally.expected = Expected::Detected;
  EXPECT_FALSE(tally.met()) << "nothing was attempted";
  tally.attempts = tally.detected = 5;
  EXPECT_TRUE(tally.met());
  tally.harmless = 1;
  EXPECT_FALSE(tally.met()) << "what is claimed must be noticed";
  tally.expected = Expected::Harmless;
  EXPECT_TRUE(tally.met());
  tally.missed = 1;
  EXPECT_FALSE(tally.met());
  tally.expected = Expected::NotClaimed;
  EXPECT_TRUE(tally.met());
  tally.expected = Expected::Peace;
  tally.missed = 0;
  tally.falseAlarms = 1;
  EXPECT_FALSE(tally.met());
}

TEST(SchemeFile, SaysWhatIsWrong) {
  EXPECT_THROW(Scheme::read("/nowhere/scheme.json"), std::runtime_error);
  const std::string path = testing::TempDir() + "scheme.json";
  std::ofstream(path) << R"({"name": "X"})";
  try {
    Scheme::read(path);
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string(error.what()).find("beatWords"), std::string::npos) << error.what();
  }
  std::remove(path.c_str());
}

}  // namespace
}  // namespace hauberk::bus
