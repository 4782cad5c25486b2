// What is written of the frames on a shared bus.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "bus_log.h"
#include "user_error.h"

namespace hauberk {
namespace {

TEST(BusLog, HasALineForEachFrame) {
  const std::string path = testing::TempDir() + "frames.log";
  BusLog log(path);
  ASSERT_TRUE(log.active());
  BusBeat beat;
  beat.kind = 3;
  beat.group = 1;
  beat.source = 2;
  beat.destination = 4;
  beat.channel = 5;
  beat.hasData = true;
  beat.command = {7, 0, 0x80000000};
  beat.data[0] = 0x12345678;
  log.note(9, beat);
  beat.last = true;
  log.note(10, beat);
  log.close();
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  const std::string wires = "0x800000000000000000000007 0x" + std::string(120, '0') + "12345678\n";
  EXPECT_EQ(text.str(), "9 3 1 2 4 5 1 0 " + wires + "10 3 1 2 4 5 1 1 " + wires);
  EXPECT_FALSE(BusLog("").active());
  EXPECT_THROW(BusLog("/nowhere/frames.log"), UserError);
}

}  // namespace
}  // namespace hauberk
