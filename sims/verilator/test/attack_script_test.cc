#include "attack_script.h"

#include <gtest/gtest.h>

#include "user_error.h"

namespace hauberk {
namespace {

std::string refusal(const std::string& text) {
  try {
    AttackScript::parse(text);
  } catch (const UserError& error) {
    return error.what();
  }
  return "(not refused)";
}

TEST(AttackScripts, AreReadWithTheirDefaults) {
  const AttackScript replay = AttackScript::parse("replay:addr=0x80001000,at=5000");
  EXPECT_EQ(replay.kind, AttackKind::Replay);
  EXPECT_EQ(replay.address, 0x80001000u);
  EXPECT_EQ(replay.from, 0u);
  EXPECT_EQ(replay.at, 5000u);
  EXPECT_EQ(replay.bytes, 64u);
  EXPECT_TRUE(replay.replays("data"));
  EXPECT_FALSE(replay.replays("tag"));
  const AttackScript all = AttackScript::parse("replay:addr=0,at=2,from=1,what=data+tag+counter");
  EXPECT_TRUE(all.replays("data") && all.replays("tag") && all.replays("counter"));
  EXPECT_EQ(AttackScript::parse("flip:addr=1,at=2,bit=511").bit, 511u);
  EXPECT_EQ(AttackScript::parse("alias:addr=64,with=128,at=2,until=9").until, 9u);
}

TEST(AttackScripts, LastFromAtUntilUntil) {
  const AttackScript drop = AttackScript::parse("drop:addr=64,at=10,until=20");
  EXPECT_FALSE(drop.active(9));
  EXPECT_TRUE(drop.active(10));
  EXPECT_FALSE(drop.active(20));
  EXPECT_TRUE(drop.covers(127));
  EXPECT_FALSE(drop.covers(63));
  EXPECT_FALSE(drop.covers(128));
}

TEST(AttackScripts, HoldForEverOrForSomeCycles) {
  const AttackScript hold = AttackScript::parse("hold:addr=64,at=10,what=tag+node1");
  EXPECT_EQ(hold.cycles, kForEver);
  EXPECT_TRUE(hold.replays("tag") && hold.replays("node1"));
  EXPECT_FALSE(hold.replays("node0") || hold.replays("data"));
  EXPECT_EQ(AttackScript::parse("hold:addr=64,at=10,for=30").cycles, 30u);
  EXPECT_NE(refusal("hold:addr=64,at=10,for=0").find("the field for is 0"), std::string::npos);
  EXPECT_NE(refusal("hold:addr=64,at=10,what=image").find("names the image"), std::string::npos);
  EXPECT_NE(refusal("hold:addr=64,at=10,what=node").find("the field what names \"node\""), std::string::npos);
  EXPECT_NE(refusal("hold:addr=64,at=10,cycles=3").find("no field \"cycles\"; it has addr, at, bytes, for"),
            std::string::npos);
}

TEST(AttackScripts, HaveMasksOfWholeBytes) {
  const AttackScript script = AttackScript::parse("xor:addr=64,at=10,mask=00fF10");
  EXPECT_EQ(script.mask, (std::vector<uint8_t>{0, 0xff, 0x10}));
  EXPECT_EQ(script.bytes, 3u);
  for (const char* mask : {"", "123", "0x12", "1g"}) {
    EXPECT_NE(refusal(std::string("xor:addr=64,at=10,mask=") + mask).find("the field mask must be whole bytes"),
              std::string::npos)
        << mask;
  }
}

TEST(AttackScripts, NameTheFieldThatIsWrong) {
  EXPECT_NE(refusal("melt:addr=0")
                .find("no attack \"melt\"; there are alias, bus-drop, bus-flip, bus-replay, bus-spoof, delay, drop"),
            std::string::npos);
  EXPECT_NE(refusal("flip:addr=0,at=1").find("the field bit is missing"), std::string::npos);
  EXPECT_NE(refusal("flip:addr=0,at=soon,bit=1").find("the field at must be a number"), std::string::npos);
  EXPECT_NE(refusal("flip:addr=0,at=-1,bit=1").find("the field at must be a number"), std::string::npos);
  EXPECT_NE(refusal("flip:addr=0,at=1,bit=1,with=3").find("no field \"with\"; it has addr, at, bit"),
            std::string::npos);
  EXPECT_NE(refusal("flip:addr=0,addr=1,at=1,bit=1").find("the field addr is given twice"), std::string::npos);
  EXPECT_NE(refusal("flip:addr,at=1,bit=1").find("the field addr has no value"), std::string::npos);
  EXPECT_NE(refusal("replay:addr=0,at=5,from=5").find("the field from must be an earlier cycle"), std::string::npos);
  EXPECT_NE(refusal("replay:addr=0,at=5,what=all").find("the field what names \"all\""), std::string::npos);
  EXPECT_NE(refusal("drop:addr=0,at=5,until=5").find("the field until must be a later cycle"), std::string::npos);
  EXPECT_NE(refusal("random:addr=0,at=5,bytes=0").find("the field bytes is 0"), std::string::npos);
  EXPECT_NE(refusal("alias:addr=0,with=8,at=5").find("the field with must differ"), std::string::npos);
}

}  // namespace
}  // namespace hauberk
