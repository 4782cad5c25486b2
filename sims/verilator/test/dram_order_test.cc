// Answers out of order, held answers, and what an observer sees of requests.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "dram_bench.h"
#include "dram_model.h"
#include "user_error.h"

namespace hauberk {
namespace {

/** Holds answers to reads of one block. */
class Holder : public MemoryInterposer {
 public:
  uint64_t route(uint64_t address) override { return address; }
  bool loses(uint64_t) override { return false; }
  uint64_t delay(uint64_t) override { return 0; }
  uint64_t hold(uint64_t address, uint64_t) override { return address == kBase ? cycles : 0; }

  uint64_t cycles = kForEver;
};

std::vector<uint32_t> idsOf(const std::vector<SeenReadBeat>& beats) {
  std::vector<uint32_t> ids;
  for (const auto& beat : beats) ids.push_back(beat.id);
  return ids;
}

TEST(DramOrder, OthersPassAnAnswerThatIsHeld) {
  Holder holder;
  DramBench bench({10, 1, 1});
  bench.dram.interpose(holder);
  bench.read(kBase, 1, 1);
  for (uint32_t i = 2; i < 6; i++) bench.read(kBase + 64 * i, 1, i);
  bench.write(kBase + 0x4000, std::vector<uint64_t>(8, 1));
  bench.run(1000);
  EXPECT_EQ(idsOf(bench.readBeats), (std::vector<uint32_t>{2, 3, 4, 5}));
  EXPECT_EQ(bench.responses.size(), 1u);
  // Its own identifier waits, as do writes in a queue for no read that is only held
  bench.read(kBase + 64, 1, 1);
  bench.run(100);
  EXPECT_EQ(bench.readBeats.size(), 4u);
}

TEST(DramOrder, AHeldAnswerComesInItsTimeAndAheadOfItsIdentifiersOthers) {
  Holder holder;
  holder.cycles = 50;
  DramBench bench({10, 1, 8});
  bench.dram.interpose(holder);
  bench.read(kBase, 2, 1);
  bench.read(kBase + 64, 2, 1);
  bench.read(kBase + 128, 2, 2);
  bench.run(200);
  EXPECT_EQ(idsOf(bench.readBeats), (std::vector<uint32_t>{2, 2, 1, 1, 1, 1}));
  EXPECT_EQ(cyclesOf(bench.readBeats), (std::vector<uint64_t>{12, 13, 60, 61, 62, 63}));
}

TEST(DramOrder, QueuedWritesDoNotWaitForAnAnswerThatIsHeld) {
  Holder holder;
  DramBench bench({10, 1, 8, 4});
  bench.dram.interpose(holder);
  bench.read(kBase, 1, 1);
  for (uint64_t i = 0; i < 3; i++) bench.write(kBase + 0x4000 + 64 * i, std::vector<uint64_t>(8, i));
  bench.run(40);
  const uint64_t asked = bench.cycle;
  for (uint64_t i = 0; i < 4; i++) bench.write(kBase + 0x4000 + 64 * i, std::vector<uint64_t>(8, i));
  bench.run(100);
  ASSERT_EQ(bench.writeBeatsTaken.size(), 56u);
  EXPECT_EQ(bench.writeBeatsTaken.back() - asked, 32u) << "the queue was not empty";
}

TEST(DramOrder, ReadsComeInAnyOrderButWithinAnIdentifier) {
  DramTiming timing{20, 1, 8};
  timing.reorder = 7;
  DramBench bench(timing);
  for (uint64_t i = 0; i < 64; i++) bench.storage.write(kBase + 64 * i, i, 0xff);
  for (uint32_t i = 0; i < 64; i++) bench.read(kBase + 64 * i, 1, i % 4);
  bench.run(3000);
  ASSERT_EQ(bench.readBeats.size(), 64u);
  uint64_t next[4] = {0, 1, 2, 3}, passed = 0;
  for (uint64_t i = 0; i < 64; i++) {
    const SeenReadBeat& beat = bench.readBeats[i];
    EXPECT_EQ(beat.data, next[beat.id]);
    next[beat.id] += 4;
    passed += beat.data != i;
  }
  EXPECT_GT(passed, 16u);
}

TEST(DramOrder, AnswersThatPassEachOtherDoNotMix) {
  DramTiming timing{20, 2, 8};
  timing.reorder = 3;
  DramBench bench(timing);
  for (uint32_t i = 0; i < 40; i++) bench.read(kBase + 64 * i, 8, i % 5);
  bench.run(3000);
  ASSERT_EQ(bench.readBeats.size(), 320u);
  for (uint64_t i = 0; i < 320; i++) {
    EXPECT_EQ(bench.readBeats[i].id, bench.readBeats[i / 8 * 8].id);
    EXPECT_EQ(bench.readBeats[i].last, i % 8 == 7);
  }
}

TEST(AddressLog, HasALineForEachRequest) {
  const std::string path = testing::TempDir() + "addresses.log";
  AddressLog log(path);
  ASSERT_TRUE(log.active());
  DramBench bench({10, 1, 8});
  bench.dram.log(log);
  bench.read(kBase + 64, 8, 3);
  bench.run(5);
  bench.write(kBase, {1}, 5);
  bench.run(20);
  log.close();
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  EXPECT_EQ(text.str(), "0 read 0x80000040 64 3\n5 write 0x80000000 8 5\n");
  EXPECT_FALSE(AddressLog("").active());
  EXPECT_THROW(AddressLog("/nowhere/addresses.log"), UserError);
}

}  // namespace
}  // namespace hauberk
