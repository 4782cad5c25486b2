#include "scripted_adversary.h"

#include <gtest/gtest.h>

#include "dram_bench.h"
#include "user_error.h"

namespace hauberk {
namespace {

std::vector<AttackScript> scripts(const std::vector<std::string>& texts) {
  std::vector<AttackScript> scripts;
  for (const std::string& text : texts) scripts.push_back(AttackScript::parse(text));
  return scripts;
}

/** Two banks that take turns every 64 bytes; a counter line of 16 entries, tags, and nodes without entries of their
 * own. */
MetadataMap twoBanks() {
  return MetadataMap(
      kBase, kBytes, {{kBase, kBytes / 2, 64, 0}, {kBase, kBytes / 2, 64, 64}},
      {{"counter", 0, 0x4000, 16, 16, 32}, {"tag", 0, 0x5000, 32, 8, 64}, {"node", 1, 0x6000, 2, 128, 0}});
}

std::string refusal(const std::string& text, const MetadataMap& map = twoBanks()) {
  DramStorage storage(kBase, kBytes, 0);
  try {
    ScriptedAdversary adversary(scripts({text}), map, storage);
  } catch (const UserError& error) {
    return error.what();
  }
  return "(not refused)";
}

TEST(MetadataMap, FindsWhatBelongsToABlock) {
  // The sixth block of the second bank: its counter is word 5 of its line, its tag double word 5.
  const uint64_t data = kBase + 128 * 5 + 64 + 8;
  const auto places = twoBanks().places(
      AttackScript::parse("replay:addr=" + std::to_string(data) + ",at=1,bytes=8,what=counter+tag+path"));
  ASSERT_EQ(places.size(), 3u);
  EXPECT_EQ(places[0].address, kBase + 0x8000 + 64 + 5 * 4);
  EXPECT_EQ(places[0].bytes, 4u);
  EXPECT_EQ(places[1].address, kBase + 0xa000 + 64 + 5 * 8);
  EXPECT_EQ(places[1].bytes, 8u);
  EXPECT_EQ(places[2].address, kBase + 0xc000 + 64);
  EXPECT_EQ(places[2].bytes, 64u);
}

TEST(MetadataMap, FindsWhatBelongsToEveryBlockOfMany) {
  // Four blocks, two in each bank; the entries of a bank's two are neighbours
  const auto places = twoBanks().places(
      AttackScript::parse("replay:addr=" + std::to_string(kBase + 32) + ",at=1,bytes=192,what=counter"));
  const std::vector<MemoryPlace> expected{
      {kBase + 0x8000, 4}, {kBase + 0x8000 + 64, 4}, {kBase + 0x8000 + 4, 4}, {kBase + 0x8000 + 64 + 4, 4}};
  EXPECT_EQ(places, expected);
}

TEST(MetadataMap, KnowsTheEndOfTheData) {
  // 256 blocks in each of two banks
  const uint64_t last = kBase + 0x8000 - 64;
  const auto places = twoBanks().places(AttackScript::parse("replay:addr=" + std::to_string(last) + ",at=1,what=tag"));
  EXPECT_EQ(places, (std::vector<MemoryPlace>{{kBase + 2 * 0x5000 + 64 + 31 * 128 + 7 * 8, 8}}));
  const std::string behind = std::to_string(last + 64), both = std::to_string(last);
  EXPECT_NE(refusal("replay:addr=" + behind + ",at=1,what=tag").find("behind the data"), std::string::npos);
  EXPECT_NE(refusal("replay:addr=" + both + ",at=1,bytes=65,what=data+tag").find("behind the data"), std::string::npos);
  EXPECT_EQ(refusal("replay:addr=" + behind + ",at=1,what=data"), "(not refused)");
}

TEST(MetadataMap, FindsThePairOfAWord) {
  // Blocks of 8 bytes, two pairs of 4 bytes a line
  const MetadataMap words(kBase, kBytes, {{kBase, kBytes, 0, 0}}, {{"counter", 0, 0x4000, 64, 2, 32, 8}}, 8);
  const auto places =
      words.places(AttackScript::parse("replay:addr=" + std::to_string(kBase + 8 * 5) + ",at=1,bytes=16,what=counter"));
  EXPECT_EQ(places, (std::vector<MemoryPlace>{{kBase + 0x4000 + 20, 4}, {kBase + 0x4000 + 24, 4}}));
}

TEST(Adversary, FlipsSplicesAndReplaysInItsCycle) {
  DramStorage storage(kBase, kBytes, 0);
  storage.write(kBase, 0x1111, 0xff);
  storage.write(kBase + 64, 0x2222, 0xff);
  ScriptedAdversary adversary(scripts({"flip:addr=0x80000000,at=5,bit=8", "splice:addr=0x80000000,with=0x80000040,at=6",
                                       "replay:addr=0x80000000,from=4,at=7,bytes=128"}),
                              twoBanks(), storage);
  for (uint64_t now = 0; now < 6; now++) adversary.begin(now);
  EXPECT_EQ(storage.read(kBase), 0x1011u);
  adversary.begin(6);
  EXPECT_EQ(storage.read(kBase), 0x2222u);
  EXPECT_EQ(storage.read(kBase + 64), 0x1011u);
  adversary.begin(7);
  EXPECT_EQ(storage.read(kBase), 0x1111u);
  EXPECT_EQ(storage.read(kBase + 64), 0x2222u);
  EXPECT_EQ(adversary.log()[0].cycle, 5u);
  EXPECT_EQ(adversary.log()[0].bytesChanged, 1u);
  EXPECT_EQ(adversary.log()[1].bytesChanged, 4u);
  EXPECT_TRUE(adversary.log()[2].struck);
}

TEST(Adversary, InvertsTheBitsOfAMask) {
  DramStorage storage(kBase, kBytes, 0);
  storage.write(kBase, 0x1111, 0xff);
  ScriptedAdversary adversary(scripts({"xor:addr=0x80000001,at=5,mask=1200ff"}), twoBanks(), storage);
  for (uint64_t now = 0; now < 6; now++) adversary.begin(now);
  EXPECT_EQ(storage.read(kBase), 0xff000311u);
  EXPECT_EQ(adversary.log()[0].bytesChanged, 2u);
}

TEST(Adversary, HoldsWhatBelongsToABlock) {
  DramBench bench({10, 1, 8});
  // The tag of the bank's second block is the second in its line
  ScriptedAdversary adversary(scripts({"hold:addr=0x80000080,at=1,until=100,for=50,what=tag"}), twoBanks(),
                              bench.storage);
  bench.dram.interpose(adversary);
  const uint64_t tags = kBase + 0xa000;
  bench.read(tags, 8, 1);
  bench.run(30);
  ASSERT_EQ(bench.readBeats.size(), 8u) << "it does not begin before its cycle";
  adversary.begin(1);
  const uint64_t asked = bench.cycle;
  bench.read(tags, 8, 1);
  bench.read(kBase, 1, 2);
  bench.read(tags + 64, 1, 3);
  bench.run(100);
  ASSERT_EQ(bench.readBeats.size(), 18u);
  EXPECT_EQ(bench.readBeats[8].id, 2u);
  EXPECT_EQ(bench.readBeats[9].id, 3u);
  EXPECT_EQ(bench.readBeats[10].id, 1u);
  EXPECT_EQ(bench.readBeats[10].cycle - asked, 60u);
  EXPECT_EQ(adversary.log()[0].bursts, 1u);
  // Some bytes of the line are enough
  bench.read(tags, 1, 1);
  bench.run(40);
  EXPECT_EQ(bench.readBeats.size(), 19u);
  bench.read(tags + 8, 1, 1);
  bench.run(40);
  EXPECT_EQ(bench.readBeats.size(), 19u);
}

TEST(Adversary, LosesWritesWhileItLasts) {
  DramBench bench({10, 1, 8});
  ScriptedAdversary adversary(scripts({"drop:addr=0x80000040,at=0,until=1"}), twoBanks(), bench.storage);
  bench.dram.interpose(adversary);
  adversary.begin(0);
  bench.write(kBase + 64, std::vector<uint64_t>(8, 7));
  bench.write(kBase + 128, std::vector<uint64_t>(8, 8));
  bench.run(40);
  EXPECT_EQ(bench.responses.size(), 2u) << "a lost write is acknowledged";
  EXPECT_EQ(bench.storage.read(kBase + 64), 0u);
  EXPECT_EQ(bench.storage.read(kBase + 128), 8u);
  adversary.begin(1);
  bench.write(kBase + 64, std::vector<uint64_t>(8, 9));
  bench.run(40);
  EXPECT_EQ(bench.storage.read(kBase + 64), 9u);
  EXPECT_EQ(adversary.log()[0].bursts, 1u);
}

TEST(Adversary, LeadsAccessesAstrayAndDelaysAnswers) {
  DramBench bench({10, 1, 8});
  ScriptedAdversary adversary(
      scripts({"alias:addr=0x80000000,with=0x80000400,at=0", "delay:addr=0x80000800,at=0,cycles=25"}), twoBanks(),
      bench.storage);
  bench.dram.interpose(adversary);
  bench.storage.write(kBase + 0x400, 42, 0xff);
  bench.read(kBase, 1);
  bench.run(20);
  ASSERT_EQ(bench.readBeats.size(), 1u);
  EXPECT_EQ(bench.readBeats[0].data, 42u);
  bench.write(kBase + 8, {5});
  bench.run(20);
  EXPECT_EQ(bench.storage.read(kBase + 0x408), 5u);
  const uint64_t asked = bench.cycle;
  bench.read(kBase + 0x800, 1);
  bench.run(60);
  ASSERT_EQ(bench.readBeats.size(), 2u);
  EXPECT_EQ(bench.readBeats[1].cycle - asked, 35u);
}

TEST(Adversary, RefusesWhatLiesOutsideOrDoesNotExist) {
  EXPECT_NE(refusal("flip:addr=0x10,at=1,bit=0").find("field addr"), std::string::npos);
  EXPECT_NE(refusal("flip:addr=0x8000ffff,at=1,bit=8").find("field addr"), std::string::npos);
  EXPECT_NE(refusal("splice:addr=0x80000000,with=0x8000fff0,at=1").find("field with"), std::string::npos);
  EXPECT_NE(refusal("xor:addr=0x8000ffff,at=1,mask=0000").find("field addr"), std::string::npos);
  EXPECT_NE(refusal("hold:addr=0x80000000,at=1,what=node2").find("field what"), std::string::npos);
  EXPECT_EQ(refusal("hold:addr=0x80000000,at=1,what=node1"), "(not refused)");
  EXPECT_NE(refusal("replay:addr=0x80000000,at=1,what=tag", MetadataMap()).find("field what"), std::string::npos);
}

}  // namespace
}  // namespace hauberk
