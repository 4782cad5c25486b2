#include "uart_input.h"

#include <gtest/gtest.h>
#include <unistd.h>

namespace hauberk {

namespace {

/** The byte that is offered within some thousand cycles. */
std::optional<uint8_t> await(UartInput& input) {
  for (int cycle = 0; cycle < 5000; cycle++) {
    if (const auto byte = input.offered()) return byte;
  }
  return std::nullopt;
}

TEST(UartInput, OffersEveryByteUntilItIsTaken) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  UartInput input(ends[0]);
  EXPECT_FALSE(await(input)) << "nothing was typed yet";
  ASSERT_EQ(write(ends[1], "ls", 2), 2);
  EXPECT_EQ(await(input), uint8_t{'l'});
  EXPECT_EQ(await(input), uint8_t{'l'}) << "it was not taken yet";
  input.taken();
  EXPECT_EQ(await(input), uint8_t{'s'});
  input.taken();
  close(ends[1]);
  EXPECT_FALSE(await(input)) << "nobody can type any more";
  close(ends[0]);
}

TEST(UartInput, OffersNothingWithoutADescriptor) {
  UartInput input(-1);
  EXPECT_FALSE(await(input));
}

}  // namespace

}  // namespace hauberk
