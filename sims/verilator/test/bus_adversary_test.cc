#include "bus_adversary.h"

#include <gtest/gtest.h>

#include "user_error.h"

namespace hauberk {
namespace {

std::optional<BusConfig> threeMembers() {
  BusConfig bus;
  bus.members = 3;
  bus.ratio = 10;
  bus.widthBits = 256;
  bus.secured = true;
  return bus;
}

BusAdversary adversary(const std::vector<std::string>& texts, const std::optional<BusConfig>& bus = threeMembers()) {
  std::vector<AttackScript> scripts;
  for (const std::string& text : texts) scripts.push_back(AttackScript::parse(text));
  return BusAdversary(scripts, bus);
}

std::string refusal(const std::string& text, const std::optional<BusConfig>& bus = threeMembers()) {
  try {
    adversary({text}, bus);
  } catch (const UserError& error) {
    return error.what();
  }
  return "(not refused)";
}

/** The end of a bus cycle in which member 1 sends the home node data that begin with this word. */
BusView transfer(uint32_t word) {
  BusView view;
  view.tick = view.shown = view.taken = true;
  view.beat.source = 1;
  view.beat.hasData = view.beat.last = true;
  view.beat.data[0] = word;
  return view;
}

BusView idle() {
  BusView view;
  view.tick = true;
  return view;
}

TEST(BusAdversary, KeepsATransferFromAllWhoListenOrFromOne) {
  BusAdversary all = adversary({"bus-drop:transfer=1"});
  BusTaps taps;
  EXPECT_FALSE(all.tamper(5, transfer(1), taps));
  EXPECT_FALSE(all.tamper(15, idle(), taps));
  EXPECT_TRUE(all.tamper(25, transfer(2), taps));
  EXPECT_TRUE(taps[0].replace && !taps[0].valid);
  EXPECT_FALSE(taps[1].replace);
  EXPECT_TRUE(taps[2].replace && !taps[2].valid);
  EXPECT_FALSE(taps[3].replace) << "there is no such member";
  EXPECT_TRUE(all.log().at(0).struck);
  EXPECT_EQ(all.log().at(0).cycle, 25u);
  BusTaps none;
  EXPECT_FALSE(all.tamper(35, transfer(3), none)) << "it happens once";

  BusAdversary one = adversary({"bus-drop:transfer=0,to=2"});
  BusTaps some;
  EXPECT_TRUE(one.tamper(5, transfer(1), some));
  EXPECT_FALSE(some[0].replace);
  EXPECT_TRUE(some[2].replace);
}

TEST(BusAdversary, WaitsForTheEndOfABusCycleAndCountsNothingButData) {
  BusAdversary flips = adversary({"bus-flip:transfer=0,bit=33"});
  BusTaps taps;
  BusView early = transfer(1);
  early.tick = false;
  EXPECT_FALSE(flips.tamper(1, early, taps));
  BusView mac = transfer(1);
  mac.beat.kind = 1;
  EXPECT_FALSE(flips.tamper(2, mac, taps));
  BusView command = transfer(1);
  command.beat.hasData = false;
  EXPECT_FALSE(flips.tamper(3, command, taps));
  EXPECT_TRUE(flips.tamper(4, transfer(7), taps));
  EXPECT_TRUE(taps[0].valid);
  EXPECT_EQ(taps[0].beat.data[0], 7u);
  EXPECT_EQ(taps[0].beat.data[1], 2u);
}

TEST(BusAdversary, ShowsOldAndFalseBeatsOnAnIdleMedium) {
  BusAdversary replays = adversary({"bus-replay:transfer=1,from=0", "bus-spoof:transfer=1,pid=1"});
  BusTaps taps;
  EXPECT_FALSE(replays.tamper(1, transfer(10), taps));
  EXPECT_FALSE(replays.tamper(2, transfer(11), taps));
  EXPECT_FALSE(replays.tamper(3, transfer(12), taps));
  EXPECT_TRUE(replays.tamper(4, idle(), taps));
  EXPECT_EQ(taps[0].beat.data[0], 10u);
  EXPECT_EQ(taps[2].beat.data[0], 10u);
  EXPECT_TRUE(taps[1].valid);
  EXPECT_EQ(taps[1].beat.source, 1u);
}

TEST(BusAdversary, RefusesWhatDoesNotFit) {
  EXPECT_NE(refusal("bus-drop:transfer=0", std::nullopt).find("no bus outside its chips"), std::string::npos);
  EXPECT_NE(refusal("bus-drop:transfer=0,to=3").find("the field to names no member"), std::string::npos);
  EXPECT_NE(refusal("bus-spoof:transfer=0,pid=3").find("the field pid names no member"), std::string::npos);
  EXPECT_NE(refusal("bus-flip:transfer=0,bit=256").find("outside the 256 data lines"), std::string::npos);
  EXPECT_NE(refusal("bus-replay:transfer=3,from=4").find("must not be a later transfer"), std::string::npos);
  EXPECT_NE(refusal("bus-flip:transfer=0").find("the field bit is missing"), std::string::npos);
  EXPECT_FALSE(adversary({"flip:addr=0,at=1,bit=1"}, std::nullopt).active()) << "that one is the memory's";
}

}  // namespace
}  // namespace hauberk
