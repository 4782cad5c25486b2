#include "dram_model.h"

#include <gtest/gtest.h>

#include <set>

#include "dram_bench.h"
#include "user_error.h"

namespace hauberk {
namespace {

TEST(DramTiming, FirstBeatComesAfterTheLatencyAndTheOthersAtTheBeatRate) {
  DramBench bench({80, 5, 8});
  for (uint64_t i = 0; i < 8; i++) bench.storage.write(kBase + 8 * i, 100 + i, 0xff);
  bench.read(kBase, 8, 3);
  bench.run(200);
  ASSERT_EQ(bench.readsTaken, std::vector<uint64_t>{0});
  EXPECT_EQ(cyclesOf(bench.readBeats), (std::vector<uint64_t>{80, 85, 90, 95, 100, 105, 110, 115}));
  for (uint64_t i = 0; i < 8; i++) {
    EXPECT_EQ(bench.readBeats[i].data, 100 + i);
    EXPECT_EQ(bench.readBeats[i].id, 3u);
    EXPECT_EQ(bench.readBeats[i].last, i == 7);
    EXPECT_EQ(bench.readBeats[i].response, kAxiOkay);
  }
}

TEST(DramTiming, ANarrowBusMovesATransferInSeveralBeats) {
  DramTiming timing{80, 3, 8};
  timing.busBytes = 4;
  DramBench bench(timing);
  bench.read(kBase, 2);
  bench.read(kBase + 16, 1, 1, 2);
  bench.read(kBase + 20, 1, 2, 2);
  bench.run(200);
  EXPECT_EQ(cyclesOf(bench.readBeats), (std::vector<uint64_t>{80, 86, 92, 95}));
}

TEST(DramTiming, LatenciesOfReadsInFlightOverlapAndTheirDataShareTheBus) {
  DramBench bench({20, 1, 8});
  for (uint32_t i = 0; i < 4; i++) bench.read(kBase + 64 * i, 8, i);
  bench.run(100);
  ASSERT_EQ(bench.readBeats.size(), 32u);
  for (uint64_t i = 0; i < 32; i++) {
    EXPECT_EQ(bench.readBeats[i].cycle, 20 + i) << "beat " << i;
    EXPECT_EQ(bench.readBeats[i].id, i / 8);
  }
}

std::vector<uint64_t> latenciesWithJitter(uint64_t seed) {
  DramTiming timing{20, 1, 1};
  timing.jitter = seed;
  DramBench bench(timing);
  for (uint32_t i = 0; i < 100; i++) bench.read(kBase + 8 * i, 1, i % 4);
  bench.run(3000);
  std::vector<uint64_t> latencies;
  for (size_t i = 0; i < bench.readBeats.size(); i++)
    latencies.push_back(bench.readBeats[i].cycle - bench.readsTaken[i]);
  return latencies;
}

TEST(DramTiming, JitterAddsUpToThreeCyclesToARead) {
  const auto latencies = latenciesWithJitter(1);
  EXPECT_EQ(latencies.size(), 100u);
  EXPECT_EQ(std::set<uint64_t>(latencies.begin(), latencies.end()), (std::set<uint64_t>{20, 21, 22, 23}));
  EXPECT_EQ(latenciesWithJitter(1), latencies);
  EXPECT_NE(latenciesWithJitter(2), latencies);
  EXPECT_EQ(latenciesWithJitter(0), std::vector<uint64_t>(100, 20));
}

TEST(DramTiming, OutstandingReadsAreLimited) {
  DramBench bench({50, 1, 2});
  for (int i = 0; i < 3; i++) bench.read(kBase, 8);
  bench.run(200);
  // The first read ends in cycle 57, so the third request goes in the cycle after it and is served 50 cycles later.
  EXPECT_EQ(bench.readsTaken, (std::vector<uint64_t>{0, 1, 58}));
  ASSERT_EQ(bench.readBeats.size(), 24u);
  EXPECT_EQ(bench.readBeats[16].cycle, 108u);
}

TEST(DramTiming, WriteBeatsAreTakenAtTheBeatRateAndAnsweredInTheNextCycle) {
  DramBench bench({80, 5, 8});
  bench.write(kBase + 64, {1, 2, 3, 4, 5, 6, 7, 8}, 9);
  bench.run(100);
  EXPECT_EQ(bench.writesTaken, std::vector<uint64_t>{0});
  EXPECT_EQ(bench.writeBeatsTaken, (std::vector<uint64_t>{1, 6, 11, 16, 21, 26, 31, 36}));
  ASSERT_EQ(bench.responses.size(), 1u);
  EXPECT_EQ(bench.responses[0].cycle, 37u);
  EXPECT_EQ(bench.responses[0].id, 9u);
  for (uint64_t i = 0; i < 8; i++) EXPECT_EQ(bench.storage.read(kBase + 64 + 8 * i), i + 1);
}

TEST(DramTiming, WritesStreamAtTheBeatRate) {
  DramBench bench({80, 1, 8});
  for (uint64_t i = 0; i < 16; i++) bench.write(kBase + 64 * i, std::vector<uint64_t>(8, i));
  bench.run(200);
  ASSERT_EQ(bench.writeBeatsTaken.size(), 128u);
  EXPECT_EQ(bench.writeBeatsTaken.back() - bench.writeBeatsTaken.front(), 127u);
  EXPECT_EQ(bench.responses.size(), 16u);
}

TEST(DramTiming, ReadsAndWritesShareTheDataBus) {
  DramBench bench({10, 1, 8});
  for (uint64_t i = 0; i < 20; i++) {
    bench.read(kBase + 64 * i, 8);
    bench.write(kBase + 0x4000 + 64 * i, std::vector<uint64_t>(8, i));
  }
  bench.run(2000);
  ASSERT_EQ(bench.readBeats.size(), 160u);
  ASSERT_EQ(bench.writeBeatsTaken.size(), 160u);
  const uint64_t end = std::max(bench.readBeats.back().cycle, bench.writeBeatsTaken.back());
  EXPECT_GE(end + 1, 320u) << "more beats than one data bus carries";
  EXPECT_LE(end, 320u + 10 + 2 * 20) << "at most a cycle lost at each change of direction";
}

TEST(DramTiming, NeitherDirectionStarvesTheOther) {
  DramBench bench({1, 1, 8});
  for (int i = 0; i < 100; i++) bench.read(kBase, 8);
  bench.write(kBase + 64, std::vector<uint64_t>(8, 1));
  bench.run(60);
  EXPECT_EQ(bench.responses.size(), 1u);
}

TEST(DramTiming, AWriteWithoutItsDataBlocksNoRead) {
  DramBench bench({10, 5, 1});
  AxiMasterPins announce;
  announce.aw = {true, 0, kBase, 7, 3, 1};
  bench.dram.clock(announce);
  bench.read(kBase + 64, 8);
  bench.run(100);
  EXPECT_EQ(bench.readBeats.size(), 8u);
}

TEST(DramWriteQueue, TakesWritesWhileTheBusIsBusyAndAnswersThem) {
  DramBench bench({80, 5, 8, 2});
  bench.read(kBase, 8);
  bench.write(kBase + 64, {1, 2, 3, 4, 5, 6, 7, 8}, 9);
  bench.run(300);
  EXPECT_EQ(bench.writeBeatsTaken, (std::vector<uint64_t>{1, 2, 3, 4, 5, 6, 7, 8}));
  ASSERT_EQ(bench.responses.size(), 1u);
  EXPECT_EQ(bench.responses[0].cycle, 9u);
  EXPECT_EQ(cyclesOf(bench.readBeats), (std::vector<uint64_t>{80, 85, 90, 95, 100, 105, 110, 115}));
  for (uint64_t i = 0; i < 8; i++) EXPECT_EQ(bench.storage.read(kBase + 64 + 8 * i), i + 1);
}

TEST(DramWriteQueue, HoldsNoMoreThanItHasRoomFor) {
  DramBench bench({80, 5, 8, 1});
  for (uint64_t i = 0; i < 4; i++) bench.write(kBase + 64 * i, std::vector<uint64_t>(8, i));
  bench.run(400);
  ASSERT_EQ(bench.writeBeatsTaken.size(), 32u);
  EXPECT_GE(bench.writeBeatsTaken.back(), 5u * 23) << "of 32 beats, 24 must be on their way before the last has room";
}

TEST(DramWriteQueue, NeitherDirectionStarvesTheOther) {
  DramBench bench({10, 1, 8, 2});
  for (uint64_t i = 0; i < 100; i++) {
    bench.read(kBase + 64 * i, 8);
    bench.write(kBase + 0x4000 + 64 * i, std::vector<uint64_t>(8, i));
  }
  bench.run(1800);
  EXPECT_EQ(bench.readBeats.size(), 800u);
  EXPECT_EQ(bench.responses.size(), 100u);
}

TEST(DramProtocol, ABackPressuredReadHoldsNeitherTheBusNorItsData) {
  DramBench bench({10, 1, 8});
  bench.storage.write(kBase, 42, 0xff);
  bench.read(kBase, 8);
  bench.write(kBase + 64, std::vector<uint64_t>(8, 1));
  bench.run(50, /*rReady=*/false);
  EXPECT_EQ(bench.responses.size(), 1u);
  EXPECT_TRUE(bench.readBeats.empty());
  bench.run(8);
  ASSERT_EQ(bench.readBeats.size(), 8u);
  EXPECT_EQ(bench.readBeats[0].data, 42u);
}

TEST(DramProtocol, ResponsesWaitForReadyAndCountAsOutstanding) {
  DramBench bench({10, 1, 1});
  bench.write(kBase, {1}, 5);
  bench.write(kBase + 8, {2}, 6);
  bench.run(50, true, /*bReady=*/false);
  EXPECT_EQ(bench.writesTaken.size(), 1u);
  bench.run(50);
  ASSERT_EQ(bench.responses.size(), 2u);
  EXPECT_EQ(bench.responses[0].id, 5u);
  EXPECT_EQ(bench.responses[1].id, 6u);
}

TEST(DramProtocol, StrobesSelectBytes) {
  DramBench bench({10, 1, 8});
  bench.storage.write(kBase, 0x1111111111111111, 0xff);
  bench.write(kBase, {0xaabbccddeeff0099}, 0, 0x81);
  bench.run(20);
  EXPECT_EQ(bench.storage.read(kBase), 0xaa11111111111199u);
}

TEST(DramProtocol, NarrowReadsReturnTheWordAroundThem) {
  DramBench bench({10, 1, 8});
  bench.storage.write(kBase + 8, 0x0123456789abcdef, 0xff);
  bench.read(kBase + 12, 1, 0, 2);
  bench.run(20);
  ASSERT_EQ(bench.readBeats.size(), 1u);
  EXPECT_EQ(bench.readBeats[0].data, 0x0123456789abcdefu);
}

TEST(DramProtocol, AddressesOutsideTheDramAreDecodeErrors) {
  DramBench bench({10, 1, 8});
  bench.read(kBase + kBytes - 8, 2);
  bench.write(kBase - 8, {1});
  bench.run(40);
  ASSERT_EQ(bench.readBeats.size(), 2u);
  EXPECT_EQ(bench.readBeats[0].response, kAxiDecodeError);
  ASSERT_EQ(bench.responses.size(), 1u);
  EXPECT_EQ(bench.responses[0].response, kAxiDecodeError);
}

TEST(DramProtocol, BrokenRequestsAreRefused) {
  DramBench bench({10, 1, 8});
  AxiMasterPins wrapping;
  wrapping.ar = {true, 0, kBase, 7, 3, 2};
  EXPECT_THROW(bench.dram.clock(wrapping), std::runtime_error);
  AxiMasterPins wide;
  wide.ar = {true, 0, kBase, 0, 4, 1};
  EXPECT_THROW(bench.dram.clock(wide), std::runtime_error);
}

TEST(DramProtocol, ALastMarkInTheWrongPlaceIsRefused) {
  DramBench bench({10, 1, 8});
  AxiMasterPins announce;
  announce.aw = {true, 0, kBase, 1, 3, 1};
  bench.dram.clock(announce);
  AxiMasterPins early;
  early.w = {true, 1, 0xff, true};
  EXPECT_THROW(bench.dram.clock(early), std::runtime_error);
}

TEST(DramTiming, ImpossibleTimingIsRefused) {
  DramTiming odd;
  odd.busBytes = 3;
  EXPECT_THROW(DramBench{odd}, UserError);
  EXPECT_THROW(DramBench({0, 5, 8}), UserError);
  EXPECT_THROW(DramBench({80, 0, 8}), UserError);
  EXPECT_THROW(DramBench({80, 5, 0}), UserError);
}

TEST(Traffic, BlocksAndBeatsAreToldApartByRegion) {
  DramBench bench({10, 1, 8});
  bench.read(kBase, 8);
  bench.read(kBase + 32, 8);  // touches two blocks
  bench.read(kBase + kDataBytes, 1);
  bench.write(kBase + kDataBytes - 64, std::vector<uint64_t>(8, 1));
  bench.write(kBase + kDataBytes + 64, {7});
  // Zeros of a whole block initialise it; a byte that is not zero, or not written, makes it a write like any other
  bench.write(kBase + kDataBytes + 128, std::vector<uint64_t>(8, 0));
  bench.write(kBase + kDataBytes + 192, {0, 0, 0, 0, 0, 0, 0, 1});
  bench.write(kBase + kDataBytes + 192, {1, 0, 0, 0, 0, 0, 0, 0});
  bench.write(kBase + kDataBytes + 192, std::vector<uint64_t>(8, 0), 0, 0x7f);
  bench.run(200);
  const Traffic& seen = bench.traffic.total();
  EXPECT_EQ(seen.dataReads.blocks, 3u);
  EXPECT_EQ(seen.dataReads.beats, 16u);
  EXPECT_EQ(seen.metadataReads.blocks, 1u);
  EXPECT_EQ(seen.metadataReads.beats, 1u);
  EXPECT_EQ(seen.dataWrites.blocks, 1u);
  EXPECT_EQ(seen.dataWrites.beats, 8u);
  EXPECT_EQ(seen.metadataWrites.blocks, 4u);
  EXPECT_EQ(seen.metadataWrites.beats, 25u);
  EXPECT_EQ(seen.initialisation.blocks, 1u);
  EXPECT_EQ(seen.initialisation.beats, 8u);
}

}  // namespace
}  // namespace hauberk
