#include "traffic.h"

#include <gtest/gtest.h>

namespace hauberk {
namespace {

TEST(TrafficCounter, TellsDataFromMetadataAndCountsBlocksAndBeats) {
  TrafficCounter counter(0x1000);
  counter.read(0x0, 8, 64);
  counter.write(0xfc0, 8, 64, false);
  counter.write(0x38, 2, 16, true);  // across two blocks
  counter.read(0x1000, 1, 8);
  EXPECT_EQ(counter.total().dataReads.blocks, 1u);
  EXPECT_EQ(counter.total().dataReads.beats, 8u);
  EXPECT_EQ(counter.total().dataWrites.blocks, 3u);
  EXPECT_EQ(counter.total().metadataReads.blocks, 1u);
  EXPECT_EQ(counter.total().metadataReads.beats, 1u);
}

TEST(TrafficCounter, KeepsInitialisationApart) {
  TrafficCounter counter(0x1000);
  counter.write(0x1000, 8, 64, true);
  counter.write(0x1000, 8, 64, false);
  counter.write(0x1040, 8, 64, true);
  counter.write(0xfc0, 8, 64, true);
  EXPECT_EQ(counter.total().initialisation.blocks, 2u);
  EXPECT_EQ(counter.total().metadataWrites.blocks, 1u);
}

}  // namespace
}  // namespace hauberk
